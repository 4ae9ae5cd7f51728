// A task that may crash → a child process that does it, and how that process ended.
#pragma once

#include "base/error.hpp"

#include <functional>
#include <optional>
#include <string>

namespace kakehashi {

// A child process, and our end of the pipe that carries its result.
struct Child {
  int process = -1;
  int pipe = -1;
};
using Send = std::function<void(const std::string& text)>;
// Starts a child that sends its results through the pipe as they come, and ends. It is killed when its parent ends.
// Errors: the system has no pipe or process left.
Result<Child> start_child(const std::function<void(const Send& send)>& work);
// Appends what has come through the pipe; false at the pipe's end.
bool receive(const Child& child, std::string& result);
// Waits until the child has ended; returns the name of the signal that ended it, if one did.
std::optional<std::string> end_child(const Child& child);

// The outcome of a task in a child process.
struct ChildEnd {
  std::string result;               // result of the task
  std::optional<std::string> crash; // how the process ended, if not well
};

// Does the task in a child process that has at most 4 GiB of memory and `seconds` of processor time, and that prints
// nothing.
Result<ChildEnd> do_in_child(const std::function<std::string()>& task, unsigned seconds);

} // namespace kakehashi
