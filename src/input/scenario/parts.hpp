// The parts of a scenario file → the parts of its Scenario.
#pragma once

#include "input/json/fields.hpp"
#include "input/trace/ti/ti_form.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// Reads a text, or a number of bytes.
std::optional<Bytes> read_size(const nlohmann::json& value, const std::string& place, Faults& faults);

// These read parts of "workload"; `ranks` is the number of ranks, if it is known.
Benchmark read_benchmark(const nlohmann::json& workload, std::optional<std::size_t> ranks, Faults& faults);
GpuWishes read_gpu_wishes(const nlohmann::json& object, Faults& faults);
BossWorker read_boss_worker(const nlohmann::json& object, std::optional<std::size_t> ranks, Faults& faults);
StepProgram read_steps(const nlohmann::json& lists, std::optional<std::size_t> ranks, Faults& faults);
// Reads a recorded application. Errors in other files go to `elsewhere`.
Replay read_replay(const nlohmann::json& object, const std::string& scenario_file, std::optional<std::size_t> ranks,
                   Faults& faults, Errors& elsewhere);
// Reads the facts that time-independent traces lack, from the same object at `place`.
TiForm read_ti_form(const nlohmann::json& object, const std::string& place, int ranks, Faults& faults);

// Applies "what_if" to a scenario with ranks and workload: its changes replace what the scenario has, and the
// scenario's platform.
void read_what_if(const nlohmann::json& object, Scenario& scenario, Faults& faults);

} // namespace kakehashi
