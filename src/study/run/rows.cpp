#include "study/run/run_parts.hpp"

#include "base/interrupt.hpp"
#include "base/shared_values.hpp"
#include "study/pool/pool.hpp"

#include <atomic>

namespace kakehashi {
namespace {

// The progress of a row.
struct RowState {
  std::atomic<int> done = 0; // number of iterations
  std::atomic<int> least = 0;
  std::atomic<std::size_t> messages = 0;
};

} // namespace

Errors run_here(std::size_t rows, const RunRow& run, const TakeRow& take, const RunWatch* watch) {
  std::size_t messages = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t more = 0;
    RunWatch inner;
    if (watch)
      inner.goes_on = [&](const JobProgress& progress, std::size_t of_row) {
        more = of_row;
        return watch->goes_on({row, rows, progress.done, progress.least}, messages + more);
      };
    auto done = run(row, watch ? &inner : nullptr);
    if (!done)
      return done.errors();
    messages += more; // messages of the simulated ranks only
    take(std::move(*done));
  }
  return {};
}

Errors run_in_children(std::size_t rows, int jobs, const RunRow& run, const TakeRow& take, const RunWatch* watch) {
  const SharedValues<RowState> states(rows);
  std::vector<std::optional<RowRun>> settled(rows);
  std::size_t taken = 0;
  std::size_t finished = 0;
  Errors errors;
  const NumberedTask<RowRun> task = [&](std::size_t row) -> Result<RowRun> {
    const RunWatch inner{[&state = states[row]](const JobProgress& progress, std::size_t messages) {
      state.done = progress.done;
      state.least = progress.least;
      state.messages = messages;
      return true;
    }};
    return run(row, &inner);
  };
  PoolOptions options{jobs};
  options.from_both_ends = true;
  options.goes_on = [&] {
    if (!errors.empty())
      return false;
    std::size_t messages = 0;
    for (std::size_t row = 0; row < rows; ++row)
      messages += states[row].messages;
    const auto& first = states[std::min(taken, rows - 1)];
    if (watch && !watch->goes_on({finished, rows, first.done, first.least}, messages))
      errors.push_back(interrupted());
    return errors.empty();
  };
  stream_from_children<RowRun>(rows, task, options, [&](std::size_t row, Result<RowRun> result) {
    if (!result) {
      // The interrupt may have ended the child first.
      errors = is_interrupted() ? Errors{interrupted()} : result.errors();
      return;
    }
    settled[row] = std::move(*result);
    ++finished;
    for (; taken < rows && settled[taken]; ++taken)
      take(*settled[taken]);
  });
  for (; !errors.empty() && taken < rows; ++taken) // rows after one that is missing
    if (settled[taken])
      take(*settled[taken]);
  return errors;
}

} // namespace kakehashi
