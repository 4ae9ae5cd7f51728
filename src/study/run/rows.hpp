// A job whose rows do not depend on each other → a run of each row, several at the same time if they take long.
#pragma once

#include "engine/run.hpp"
#include "result/record.hpp"
#include "study/run/rules_used.hpp"

namespace kakehashi {

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

} // namespace kakehashi
