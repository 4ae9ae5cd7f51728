// A row of a table whose ranks stay in step → how long it takes where a little noise lets them fall out of it.
//
// Without noise ranks may stay in step for ever, which no machine does, and those that one stands for always do. Where
// each rank sends to many others, one after the other, that matters, and it shows in the first rounds: these are run
// with noise, too. What both agree on stands.
#pragma once

#include "engine/run.hpp"
#include "model/benchmark.hpp"
#include "result/record.hpp"

namespace kakehashi {

inline constexpr double little_noise = 0.01;

// A row as it is run without noise.
struct RowSetup {
  Benchmark benchmark; // of its size alone
  SharedPlace place;
  const Shift* shift; // null: all ranks are there
  const Plan& plan;
  const EngineOptions& options; // with the engine that runs it
};

struct RowDone {
  JobRun run;
  SizeTiming timing;
  std::optional<OutOfStep> out_of_step;
};

// Runs it; or some of its iterations with noise, where that makes another time and is no long work. The watch may be
// null.
Result<RowDone> run_row(const RowSetup& row, const RunWatch* watch);

// Runs the first rounds alone. Nothing: noise makes no other time, is stated, or cannot matter. It says that noise
// should be printed where that is no long work.
Result<std::optional<OutOfStep>> check_row(const RowSetup& row, const RunWatch* watch);

// By so much of it, at most, what a message takes is shorter in such a run than without noise.
double most_noise(const EngineOptions& options, std::size_t ranks);

} // namespace kakehashi
