// Something that may go wrong in ways that nobody can catch → a process of its own, and how that ended.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace kakehashi {

// In a child process, first of all: it ends at once when its parent does, however that ends.
void end_with_parent(int parent);

// What became of a task in a child process.
struct ChildEnd {
  std::string said;                 // what the task returned, up to some KiB
  std::optional<std::string> crash; // how it ended otherwise
};

// Does the task in a child process that has at most some GiB of memory and so many seconds of processor time, and
// prints nothing.
ChildEnd do_in_child(const std::function<std::string()>& task, unsigned seconds);

} // namespace kakehashi
