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

// Runs every task in a child, at most `jobs` at a time; results come in the order of the tasks. A child that dies is an
// Error of its task and of no other. `done` is called in this process after each task.
std::vector<Result<Numbers>> run_in_children(std::span<const Task> tasks, int jobs,
                                             const std::function<void()>& done = {});
std::vector<Result<std::string>> run_texts_in_children(std::span<const TextTask> tasks, int jobs,
                                                       const std::function<void()>& done = {});

} // namespace kakehashi
