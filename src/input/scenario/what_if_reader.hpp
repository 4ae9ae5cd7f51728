// The key "what_if" of a scenario: what is tried on a machine and a program that stay as they are.
#pragma once

#include "input/json/fields.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// Takes the place of what the scenario has, its platform among it, with the ranks and the workload that are read.
void read_what_if(const nlohmann::json& object, Scenario& scenario, Faults& faults);

} // namespace kakehashi
