// SIGINT and SIGTERM → a flag that long work looks at now and then, so that it can save its results.
#pragma once

#include "base/error.hpp"

namespace kakehashi {

// While a watch lives, the first of these signals sets is_interrupted() and does not end the process. The second one
// ends it; so does the first, if nobody calls is_interrupted() within five seconds. Only one watch may live at a time.
class InterruptWatch {
public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
};

inline constexpr int interrupt_exit = 130; // the code that shells give a process ended by SIGINT

// Whether a signal came while an InterruptWatch lived.
bool is_interrupted();
// The Error of work that stopped because of the signal.
Error interrupted(std::string message = "interrupted");

// Makes this process, a worker, ignore SIGINT: Ctrl-C reaches all processes of a terminal, and the parent decides what
// its workers do.
void leave_interrupts_to_parent();

} // namespace kakehashi
