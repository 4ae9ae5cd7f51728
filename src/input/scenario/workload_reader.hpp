// The key "workload" → its values, for that many ranks if their number is known.
#pragma once

#include "input/json/fields.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// Text, or a number of bytes.
std::optional<Bytes> read_size(const nlohmann::json& value, const std::string& place, Faults& faults);

Benchmark read_benchmark(const nlohmann::json& workload, std::optional<std::size_t> ranks, Faults& faults);
BossWorker read_boss_worker(const nlohmann::json& object, std::optional<std::size_t> ranks, Faults& faults);
StepProgram read_steps(const nlohmann::json& lists, std::optional<std::size_t> ranks, Faults& faults);

} // namespace kakehashi
