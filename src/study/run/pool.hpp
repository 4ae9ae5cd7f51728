// Tasks that need a process of their own (one that crashes must not take the others along) → what each gives, from a
// bounded pool of children.
#pragma once

#include "base/error.hpp"
#include "base/wire.hpp"
#include "study/run/progress.hpp"
#include "study/run/team.hpp"

#include <functional>
#include <vector>

namespace kakehashi {

// The result of a task has a form on the wire (base/wire.hpp).
template <class T> using Task = std::function<Result<T>()>;
template <class T> using NumberedTask = std::function<Result<T>(std::size_t)>;
template <class T> using Settled = std::function<void(std::size_t, Result<T>)>;

struct PoolOptions {
  int jobs = 1;                          // children at a time
  std::optional<Seconds> most_time = {}; // that a task may take; one that takes more is ended, which is its Error
  // Is asked some times a second; once it says no, those that run are ended, and no others begin.
  std::function<bool()> goes_on = {};
  // One child takes tasks from the first on, all others from the last back: where the last take longest, and are
  // wanted in order.
  bool from_both_ends = false;
  // Each of its processes runs its share, and gets the results of all. They must ask for the same tasks.
  const Team* team = nullptr;
};

// Runs so many tasks, each in a child. `settled` is called in this process with the number of each task as soon as it
// has ended. A child that dies is an Error of its task and of no other, and
// of the kind system, as that says nothing of the task. Where the system has no room for so many, there are fewer.
void stream_texts_from_children(std::size_t tasks, const NumberedTask<std::string>& task, const PoolOptions& options,
                                const Settled<std::string>& settled);

// The Error of a task whose child sent something else than its result.
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

// Runs every task likewise; results come in the order of the tasks. `done` is called in this process with 1 after each
// task, and with 0 from time to time.
template <class T>
std::vector<Result<T>> run_in_children(const std::vector<Task<T>>& tasks, int jobs,
                                       const std::function<void(std::size_t)>& done = {}, const Team* team = nullptr) {
  std::vector<Result<T>> results(tasks.size(), Errors());
  PoolOptions options{jobs};
  options.team = team;
  if (done)
    options.goes_on = [&] {
      done(0);
      return true;
    };
  stream_from_children<T>(
      tasks.size(), [&](std::size_t task) { return tasks[task](); }, options,
      [&](std::size_t task, Result<T> result) {
        results[task] = std::move(result);
        if (done)
          done(1);
      });
  return results;
}

} // namespace kakehashi
