// A row of a table whose ranks stay in step → its time if a little noise lets them fall out of step.
//
// Without noise ranks may stay in step for ever, which no machine does; ranks that one rank stands for always do. This
// matters if each rank sends to many others one after the other, and it shows in the first rounds. So these are also
// run with noise; if both times agree, the time without noise stands.
#pragma once

#include "engine/run.hpp"
#include "model/benchmark.hpp"
#include "result/record.hpp"

namespace kakehashi {

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
