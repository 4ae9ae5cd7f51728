// A scenario file, with the platform and the measured curve that it names → Scenario, or all of their faults.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// A platform file, relative to here, takes the place of the one that the scenario names.
Result<Scenario> read_scenario(const std::string& file, const std::optional<std::string>& other_platform = {});

// A document that fits the schema of scenarios, on a platform, or with the faults of that. other_ranks: the devices of
// the ranks, by name, that take the place of the document's.
Result<Scenario> scenario_of(const JsonDocument& document, const Result<std::shared_ptr<const Platform>>& platform,
                             const std::optional<std::vector<std::string>>& other_ranks = {});

} // namespace kakehashi
