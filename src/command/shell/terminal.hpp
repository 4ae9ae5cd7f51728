// Standard output as a terminal: its properties, charts, and the progress of long work.
#pragma once

#include "base/error.hpp"
#include "base/units.hpp"
#include "report/draw/chart.hpp"
#include "study/pool/pool.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <ostream>
#include <string>

namespace kakehashi {

// The destinations of a command's results, faults and progress.
struct Page;

// Results go to `out`, everything else to `err`. A program that calls a command may pass further input, and get more as
// values.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  std::size_t columns = 0;                       // width of the terminal that shows tables, in colour; 0: there is none
  Errors* faults = nullptr;                      // gets faults instead of lines on err
  StudyProgress progress = {};                   // replaces the line on a terminal
  std::function<void(const Page&)> page = {};    // gets the page of --report, whether or not that is written
  std::map<std::string, std::string> texts = {}; // JSON, by the name of the file that it replaces
  // Out and err without the escaping for a terminal, for text that moves the cursor or has colours of its own.
  std::ostream* raw_out = nullptr;
  std::ostream* raw_err = nullptr;
};

// Prints each warning on a line of err.
void warn(const std::vector<std::string>& warnings, const Streams& streams);

void append(Errors& errors, const Errors& more);
// Prints every error on a line of its own, and returns the exit code for them.
int report_errors(const Errors& errors, const Streams& streams);

// Properties of standard output, and output only for terminals.

// Returns the width of the terminal on standard output. 0: there is none, mpirun made it, or NO_COLOR or TERM=dumb ask
// for plain text.
std::size_t terminal_columns();

// Shows the chart, if there is one, below a table on a terminal.
void show_chart(const std::optional<CurveChart>& chart, const Streams& streams);

// Shows "n of m" with the rate and the time left on a terminal during long work, or reports to the caller. Elsewhere it
// shows nothing.

// "40 s", "12 min", "3.5 h"
std::string rough_text(Seconds time);

// Returns the line for work that has gone on for `passed`: "sweep: candidate 12 of 80, 3/s, 23 s left". all: 0 if
// unknown. budget: the time after which the work ends anyway.
std::string progress_text(std::string_view what, std::size_t done, std::size_t all, Seconds passed,
                          std::optional<Seconds> budget = std::nullopt);

class Progress {
public:
  Progress(const Streams& streams, std::string what, bool quiet, std::optional<Seconds> budget = std::nullopt);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // May be called as often as convenient.
  void operator()(std::size_t done, std::size_t all) {
    if (listener_)
      listener_(done, std::max(done, all));
    if (is_due())
      show(progress_text(what_, done, all, passed(), budget_));
  }

  // For other texts: whether it is time to show one, and how.
  bool is_due();
  void show(const std::string& text);
  void clear(); // clears the line for other output
  Seconds passed() const;

private:
  using Clock = std::chrono::steady_clock;
  std::ostream& out_;
  StudyProgress listener_;
  std::string what_;
  bool shown_; // on a terminal, and wanted
  std::optional<Seconds> budget_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
  bool has_line_ = false;
};

} // namespace kakehashi
