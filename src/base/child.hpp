// Something that may go wrong in ways that nobody can catch → a process of its own, and how that ended.
#pragma once

#include "base/error.hpp"

#include <functional>
#include <optional>
#include <string>

namespace kakehashi {

// A child process, and the end of the pipe from which what it says is read.
struct Child {
  int process = -1;
  int pipe = -1;
};
// It says what the task returns, and ends; at once when its parent does, however that ends. Errors: the system has no
// pipe or process left.
Result<Child> start_child(const std::function<std::string()>& task);
// Reads what has come; false at the end of the pipe.
bool receive(const Child& child, std::string& said);
// Waits for its end; the signal's name if one ended it.
std::optional<std::string> end_child(const Child& child);

// The end of a task in a child process.
struct ChildEnd {
  std::string said;                 // what the task returned
  std::optional<std::string> crash; // how it ended otherwise
};

// Does the task in a child process that has at most some GiB of memory and so many seconds of processor time, and
// prints nothing.
Result<ChildEnd> do_in_child(const std::function<std::string()>& task, unsigned seconds);

} // namespace kakehashi
