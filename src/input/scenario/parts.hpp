// The parts of a scenario file → those of its Scenario.
#pragma once

#include "input/json/fields.hpp"
#include "input/trace/ti_form.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// Text, or a number of bytes.
std::optional<Bytes> read_size(const nlohmann::json& value, const std::string& place, Faults& faults);

// What is in "workload", for that many ranks if their number is known.
Benchmark read_benchmark(const nlohmann::json& workload, std::optional<std::size_t> ranks, Faults& faults);
BossWorker read_boss_worker(const nlohmann::json& object, std::optional<std::size_t> ranks, Faults& faults);
StepProgram read_steps(const nlohmann::json& lists, std::optional<std::size_t> ranks, Faults& faults);
// The recorded application. Errors in other files go to `elsewhere`.
Replay read_replay(const nlohmann::json& object, const std::string& scenario_file, std::optional<std::size_t> ranks,
                   Faults& faults, Errors& elsewhere);
// The facts that time-independent traces lack, in the same object. place: of it, for faults.
TiForm read_ti_form(const nlohmann::json& object, const std::string& place, int ranks, Faults& faults);

// What "what_if" tries on a machine and a program that stay as they are takes the place of what the scenario has, its
// platform among it, with the ranks and the workload that are read.
void read_what_if(const nlohmann::json& object, Scenario& scenario, Faults& faults);

} // namespace kakehashi
