// The words of a subcommand → its output, findings and drawing as values, from a process of its own. Programs call
// commands as functions through this.
#pragma once

#include "base/child.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace kakehashi {

struct Errand {
  std::vector<std::string> words;           // after the program's name
  std::map<std::string, std::string> texts; // JSON, by the name of the file that it replaces
  bool draws = false;
};

struct Answer {
  int exit_code = 0;
  std::string out;   // standard output
  std::string notes; // standard error, except faults
  std::vector<std::string> faults;
  std::string chart; // SVG, as --plot writes it; empty: none
  static constexpr auto fields(auto& self) {
    auto& [exit_code, out, notes, faults, chart] = self;
    return std::tie(exit_code, out, notes, faults, chart);
  }
};

// An errand in a child process, since it may take long. The child and everything that it started end when this object
// does. SimGrid would also take over the signals of its process.
class RunningErrand {
public:
  // No other thread may start a process at the same time, since that process would keep the pipes open. Errors: there
  // is no child process.
  static Result<RunningErrand> start(const Errand& errand);
  RunningErrand(RunningErrand&& other) noexcept;
  RunningErrand& operator=(RunningErrand&&) = delete;
  ~RunningErrand() { stop(); }

  // Waits for news, for at most that time, or until a signal comes. Returns false once the errand has ended.
  bool wait(int milliseconds);
  // Ends it now, if it still runs.
  void stop();
  // The latest numbers of finished and of all runs; all is 0 before the first news.
  struct Progress {
    std::size_t done = 0;
    std::size_t all = 0;
  };
  Progress progress() const { return progress_; }
  // Returns the answer, after `wait` has returned false. A crash is a fault.
  Answer answer() const;

private:
  RunningErrand(Child child, int news) : child_(child), news_(news) {}

  Child child_; // process -1: it has ended
  int news_;    // the pipe with its progress
  Progress progress_;
  std::string received_;
  std::optional<std::string> crash_;
};

} // namespace kakehashi
