// A platform, ranks and the load of links → the machine as it is drawn.
#pragma once

#include "model/scenario.hpp"
#include "result/machine.hpp"
#include "result/summary.hpp"
#include "study/run/run.hpp"

#include <span>

namespace kakehashi {

// Returns the machine with the ranks and without loads.
Machine machine_of(const Scenario& scenario);
Machine machine_of(const Platform& platform, std::span<const std::size_t> ranks);

// Adds what channels carried, by their names.
void add_use(Machine& machine, std::span<const LinkUse> uses);

// Returns the machine of a scenario with the loads of a run of its own, in which a benchmark does each size once;
// nothing if the scenario cannot run.
std::optional<Machine> used_machine(const Scenario& scenario, const EngineOptions& engine);

} // namespace kakehashi
