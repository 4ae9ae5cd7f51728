// A claim → the runs that give its number.
#pragma once

#include "input/json/checked.hpp"
#include "model/catalogue.hpp"

#include <map>

namespace kakehashi {

// Adds one run, or the two that the claim compares; or else the reason, as the item's `fault` or `pending`. Some claims
// take from a shipped scenario (by platform/name) what they do not state themselves.
void add_runs(ClaimCase& item, const Checked& entry, std::shared_ptr<const Platform> platform,
              const std::map<std::string, Scenario>& scenarios);

} // namespace kakehashi
