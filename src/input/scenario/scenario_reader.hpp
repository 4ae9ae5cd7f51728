// A scenario file, with the platform and the measured curve that it names → Scenario, or all of their faults.
#pragma once

#include "base/error.hpp"
#include "input/json/fields.hpp"
#include "input/json/json_document.hpp"
#include "model/scenario.hpp"

#include <variant>

namespace kakehashi {

// A platform file, relative to here, takes the place of the one that the scenario names.
Result<Scenario> read_scenario(const std::string& file, const std::optional<std::string>& other_platform = {});

// A document that fits the schema of scenarios, on a platform, or with the faults of that.
Result<Scenario> scenario_of(const JsonDocument& document, const Result<std::shared_ptr<const Platform>>& platform);

// What the key "fabrics" or "workload" tells: which of the two kinds of file this is.
Result<std::variant<Platform, Scenario>> read_any(const std::string& file);

// The device of each rank; none, and faults, if they are not known.
std::vector<std::size_t> read_ranks(const nlohmann::json& ranks, const Platform& platform, Faults& faults);

// The devices that match a list of patterns, in its order; a fault if one matches nothing, or a device twice.
std::vector<std::size_t> matched_devices(const nlohmann::json& patterns, const std::string& place,
                                         const Platform& platform, Faults& faults);

// The workload object, for that many ranks if their number is known.
Benchmark read_benchmark(const nlohmann::json& workload, std::optional<std::size_t> ranks, Faults& faults);
BossWorker read_boss_worker(const nlohmann::json& object, std::optional<std::size_t> ranks, Faults& faults);
StepProgram read_steps(const nlohmann::json& lists, std::optional<std::size_t> ranks, Faults& faults);

} // namespace kakehashi
