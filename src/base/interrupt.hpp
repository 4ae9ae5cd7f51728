// SIGINT and SIGTERM → a question that long work asks now and then, so that what it has found is not lost.
#pragma once

#include "base/error.hpp"

namespace kakehashi {

// While it lives, the first of these signals does not end the process but makes is_interrupted() true. The second one
// ends it, and so does the first if nobody asks within a few seconds. One at a time.
class InterruptWatch {
public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
};

inline constexpr int interrupt_exit = 130; // as shells call what SIGINT ended

// Whether one came while an InterruptWatch lived.
bool is_interrupted();
// The Error of work that ended for it.
Error interrupted(std::string message = "interrupted");

// What the process does with these signals once it is a worker: Ctrl-C goes to all processes of a terminal, and the
// parent decides what becomes of its workers.
void leave_interrupts_to_parent();

} // namespace kakehashi
