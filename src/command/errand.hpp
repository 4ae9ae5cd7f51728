// The words of a subcommand → what it printed, found and drew, as values, from a process of its own: for programs that
// call commands as functions.
#pragma once

#include "base/child.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace kakehashi {

struct Errand {
  std::vector<std::string> words;           // after the program's name
  std::map<std::string, std::string> texts; // JSON, by the name of the file that it stands for among the words
  bool draws = false;
};

struct Answer {
  int exit_code = 0;
  std::string out;   // standard output
  std::string notes; // standard error, but for faults
  std::vector<std::string> faults;
  std::string chart; // SVG, as --plot writes it; empty: none
  static constexpr auto fields(auto& self) {
    auto& [exit_code, out, notes, faults, chart] = self;
    return std::tie(exit_code, out, notes, faults, chart);
  }
};

// An errand in a child process, for it may take long: that ends, with all that it started, when this object does.
// SimGrid would also take over the signals of the process that it runs in.
class RunningErrand {
public:
  // No other thread may start a process at the same time, which would keep the pipes open. Errors: no child.
  static Result<RunningErrand> start(const Errand& errand);
  RunningErrand(RunningErrand&& other) noexcept;
  RunningErrand& operator=(RunningErrand&&) = delete;
  ~RunningErrand() { stop(); }

  // Waits until there is something new, for at most so long, or until a signal comes. False: it has ended.
  bool wait(int milliseconds);
  // Ends it now, if it has not ended.
  void stop();
  // How many of how many runs are done, as last heard; of 0: nothing yet.
  struct Progress {
    std::size_t done = 0;
    std::size_t all = 0;
  };
  Progress progress() const { return progress_; }
  // The answer, once `wait` has been false; a crash is a fault.
  Answer answer() const;

private:
  RunningErrand(Child child, int news) : child_(child), news_(news) {}

  Child child_; // process -1: has ended
  int news_;    // from which its progress is read
  Progress progress_;
  std::string said_;
  std::optional<std::string> crash_;
};

} // namespace kakehashi
