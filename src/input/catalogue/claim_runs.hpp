// A claim → the runs that give its number.
#pragma once

#include "input/json/checked.hpp"
#include "model/catalogue.hpp"

#include <map>

namespace kakehashi {

// One run, or two that the claim compares; or why there are none, as the item's fault or what it is pending for. Some
// claims take a shipped scenario (by platform/name) for what they do not state themselves.
void add_runs(ClaimCase& item, const Checked& entry, std::shared_ptr<const Platform> platform,
              const std::map<std::string, Scenario>& scenarios);

} // namespace kakehashi
