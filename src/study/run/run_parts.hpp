// The parts of a run: rows, the check whether ranks stay in step, and the rules that messages used.
#pragma once

#include "engine/run.hpp"
#include "model/benchmark_fields.hpp"
#include "result/record.hpp"
#include "transport/way_table.hpp"

namespace kakehashi {

// The ways of a run → the parameters that their costs depend on, and the sources of these.
struct RulesUsed {
  std::vector<ParameterSource> sources;
  AssumedRules assumed = AssumedRules::none;
  static constexpr auto fields(auto& self) {
    auto& [sources, assumed] = self;
    return std::tie(sources, assumed);
  }
};
RulesUsed rules_used(const Platform& platform, const WayTable& ways); // considers the ways that the run asked for

// Adds the rules of another row.
void add(RulesUsed more, std::optional<RulesUsed>& all);

// Errors: the library would refuse a call.
Result<GpuCalls> gpu_calls(const Benchmark& benchmark, const Scenario& scenario, const Plan& plan);
// Of communicators whose ranks are all on GPUs.
GpuCalls gpu_calls(const Replay& replay, const Scenario& scenario, const Plan& plan);

// A job whose rows do not depend on each other → a run of each row, several at the same time if they take long.

// The run of one row.
struct RowRun {
  SizeTiming timing;
  std::size_t messages = 0;
  Seconds duration;
  EngineCounts counts;
  std::size_t rounds_left_out = 0;
  RulesUsed used;
  std::optional<OutOfStep> out_of_step = {};
  static constexpr auto fields(auto& self) {
    auto& [timing, messages, duration, counts, rounds_left_out, used, out_of_step] = self;
    return std::tie(timing, messages, duration, counts, rounds_left_out, used, out_of_step);
  }
};

// Runs a row; `watch` may be null.
using RunRow = std::function<Result<RowRun>(std::size_t row, const RunWatch* watch)>;
// Is called with each finished row, in the order of rows; after an interrupt some may be missing.
using TakeRow = std::function<void(RowRun)>;

// Errors: those of the first row that fails; or an interrupt, because the watch ended the run. `watch` may be null.
Errors run_here(std::size_t rows, const RunRow& run, const TakeRow& take, const RunWatch* watch);
// Runs each row in a child process, `jobs` at a time.
Errors run_in_children(std::size_t rows, int jobs, const RunRow& run, const TakeRow& take, const RunWatch* watch);

// A row of a table whose ranks stay in step → its time if a little noise lets them fall out of step.
//
// Without noise ranks may stay in step for ever, which no machine does; ranks that one rank stands for always do. This
// matters if each rank sends to many others one after the other, and it shows in the first rounds. So these are also
// run with noise; if both times agree, the time without noise stands.
inline constexpr double little_noise = 0.01;

// How a row runs without noise.
struct RowSetup {
  Benchmark benchmark; // with its size alone
  SharedPlace place;
  const Shift* shift; // null: all ranks are simulated
  const Plan& plan;
  const EngineOptions& options; // with the engine that runs it
};

struct RowDone {
  JobRun run;
  SizeTiming timing;
  std::optional<OutOfStep> out_of_step;
};

// Runs the row; or some of its iterations with noise, if noise changes the time and this takes little work. `watch` may
// be null.
Result<RowDone> run_row(const RowSetup& row, const RunWatch* watch);

// Runs only the first rounds. Nothing: noise does not change the time, the user states noise, or it cannot matter. The
// result also states whether the time with noise should be printed, which takes little work.
Result<std::optional<OutOfStep>> check_row(const RowSetup& row, const RunWatch* watch);

// The largest share by which a message's time may be shorter in such a run than without noise.
double most_noise(const EngineOptions& options, std::size_t ranks);

} // namespace kakehashi
