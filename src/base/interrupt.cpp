#include "base/interrupt.hpp"

#include <csignal>
#include <unistd.h>

namespace kakehashi {
namespace {

constexpr unsigned patience = 5; // seconds

// The handler of a signal gets no arguments, so this flag is global.
volatile std::sig_atomic_t was_interrupted = 0;

extern "C" void take_interrupt(int) {
  was_interrupted = 1;
  alarm(patience);
}

extern "C" void give_up(int) {
  _exit(interrupt_exit);
}

void set(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

} // namespace

InterruptWatch::InterruptWatch() {
  was_interrupted = 0;
  set(SIGALRM, give_up, 0);
  for (const int signal : {SIGINT, SIGTERM})
    set(signal, take_interrupt, static_cast<int>(SA_RESETHAND));
}

InterruptWatch::~InterruptWatch() {
  alarm(0);
  for (const int signal : {SIGINT, SIGTERM, SIGALRM})
    set(signal, SIG_DFL, 0);
}

bool is_interrupted() {
  if (was_interrupted)
    alarm(0);
  return was_interrupted != 0;
}

Error interrupted(std::string message) {
  return {ErrorKind::interrupt, "", "", std::move(message), ""};
}

void leave_interrupts_to_parent() {
  was_interrupted = 0;
  alarm(0);
  set(SIGINT, SIG_IGN, 0);
  set(SIGTERM, SIG_DFL, 0);
  set(SIGALRM, SIG_DFL, 0);
}

} // namespace kakehashi
