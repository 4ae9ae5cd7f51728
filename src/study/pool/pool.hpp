// Tasks that need other processes, since one that crashes must not stop the others → the result of each, from a bounded
// pool of children. One child does many that are short, in turn.
//
// Invariants:
// 1. There are at most `jobs` children at a time, and none is left when a call returns.
// 2. A task ends once, and each process that asked for it settles its result once, unless `goes_on` ends the rest.
// 3. A child that dies takes only its own task with it.
#pragma once

#include "base/error.hpp"
#include "base/wire.hpp"
#include "study/pool/team.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace kakehashi {

// Reports how far long work has come.

// Is called with the numbers of finished and of all runs, as often as convenient.
using StudyProgress = std::function<void(std::size_t done, std::size_t all)>;

// A task's result must have a wire form (base/wire.hpp).
template <class T> using Task = std::function<Result<T>()>;
template <class T> using NumberedTask = std::function<Result<T>(std::size_t)>;
template <class T> using Settled = std::function<void(std::size_t, Result<T>)>;

struct PoolOptions {
  int jobs = 1; // number of children at a time
  std::optional<Seconds> most_time =
      {}; // the most time of each task; a task that takes longer is ended, and has an Error
  // Is called some times per second. Once it returns false, running tasks are ended and no others begin.
  std::function<bool()> goes_on = {};
  // One child takes tasks from the first on, all others from the last backwards. This is for tasks whose last ones take
  // longest and whose results are needed in order.
  bool from_both_ends = false;
  // Each process of the team runs a share of the tasks and gets all results. All must ask for the same tasks.
  const Team* team = nullptr;
};

// Runs `tasks` tasks, each in a child. It calls `settled` in this process with the number of each task as soon as the
// task has ended. If a child dies, only its own task has an Error, of the kind system, since this shows nothing about
// the task. If the system has no room for so many children, there are fewer.
void stream_texts_from_children(std::size_t tasks, const NumberedTask<std::string>& task, const PoolOptions& options,
                                const Settled<std::string>& settled);

// The Error of a task whose child sent something other than a result.
Error wrong_form();

template <class T>
void stream_from_children(std::size_t tasks, const NumberedTask<T>& task, const PoolOptions& options,
                          const Settled<T>& settled) {
  const auto as_text = [&](std::size_t index) -> Result<std::string> {
    const auto result = task(index);
    return result ? Result<std::string>(encode(*result)) : result.errors();
  };
  stream_texts_from_children(tasks, as_text, options, [&](std::size_t index, const Result<std::string>& text) {
    if (!text)
      return settled(index, text.errors());
    auto value = decode<T>(*text);
    settled(index, value ? Result<T>(std::move(*value)) : wrong_form());
  });
}

// Runs every task in the same way; results are in the order of the tasks. It reports the progress in this process after
// each task, and from time to time.
template <class T>
std::vector<Result<T>> run_in_children(const std::vector<Task<T>>& tasks, int jobs, const StudyProgress& progress = {},
                                       const Team* team = nullptr) {
  std::vector<Result<T>> results(tasks.size(), Errors());
  PoolOptions options{jobs};
  options.team = team;
  std::size_t done = 0;
  if (progress)
    options.goes_on = [&] {
      progress(done, tasks.size());
      return true;
    };
  stream_from_children<T>(
      tasks.size(), [&](std::size_t task) { return tasks[task](); }, options,
      [&](std::size_t task, Result<T> result) {
        results[task] = std::move(result);
        ++done;
        if (progress)
          progress(done, tasks.size());
      });
  return results;
}

// The same where each task must succeed. Errors: those of the first one that does not.
template <class T>
Result<std::vector<T>> try_all(const std::vector<Task<T>>& tasks, int jobs, const StudyProgress& progress = {}) {
  std::vector<T> values;
  for (auto& result : run_in_children(tasks, jobs, progress)) {
    if (!result)
      return result.errors();
    values.push_back(std::move(*result));
  }
  return values;
}

} // namespace kakehashi
