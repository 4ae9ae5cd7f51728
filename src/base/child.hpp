// Something that may go wrong in ways that nobody can catch → a process of its own, and how that ended.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace kakehashi {

// In a child process, first of all: it ends at once when its parent does, however that ends.
void end_with_parent(int parent);

// Does the task in a child process that has at most some GiB of memory and so many seconds of processor time, and says
// nothing. What became of it, if it did not end well.
std::optional<std::string> fails_in_child(const std::function<void()>& task, unsigned seconds);

} // namespace kakehashi
