// Tasks that need a process of their own (SimGrid lives once in a process) → their numbers, from a bounded pool of
// children.
#pragma once

#include "base/error.hpp"

#include <functional>
#include <span>
#include <vector>

namespace kakehashi {

// Told how many of how many runs are done.
using StudyProgress = std::function<void(std::size_t done, std::size_t all)>;

using Numbers = std::vector<double>;
using Task = std::function<Result<Numbers>()>;

using TextTask = std::function<Result<std::string>()>;

// Runs so many tasks, each in a child, at most `jobs` at a time. `settled` is called in this process with the number of
// each task as soon as it has ended. A child that dies is an Error of its task and of no other.
void stream_from_children(std::size_t tasks, const std::function<Result<std::string>(std::size_t)>& task, int jobs,
                          const std::function<void(std::size_t, Result<std::string>)>& settled);

// Runs every task likewise; results come in the order of the tasks. `done` is called in this process after each task.
std::vector<Result<Numbers>> run_in_children(std::span<const Task> tasks, int jobs,
                                             const std::function<void()>& done = {});
std::vector<Result<std::string>> run_texts_in_children(std::span<const TextTask> tasks, int jobs,
                                                       const std::function<void()>& done = {});

} // namespace kakehashi
