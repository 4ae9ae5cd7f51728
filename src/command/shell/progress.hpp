// "n of m", with rate and time left, on a terminal while long work goes on; or to who asked for it. Nothing elsewhere.
#pragma once

#include "base/units.hpp"
#include "command/shell/streams.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <ostream>
#include <string>

namespace kakehashi {

// "40 s", "12 min", "3.5 h"
std::string rough_text(Seconds time);

// The line for work that has gone on for so long: "sweep: candidate 12 of 80, 3/s, 23 s left". all: 0 if nobody
// knows. budget: the time after which it ends anyway.
std::string progress_text(std::string_view what, std::size_t done, std::size_t all, Seconds passed,
                          std::optional<Seconds> budget = std::nullopt);

class Progress {
public:
  Progress(const Streams& streams, std::string what, bool quiet, std::optional<Seconds> budget = std::nullopt);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // May be called as often as is convenient.
  void operator()(std::size_t done, std::size_t all) {
    if (told_)
      told_(done, std::max(done, all));
    if (is_due())
      show(progress_text(what_, done, all, passed(), budget_));
  }

  // For other texts: whether it is time to show one, and that.
  bool is_due();
  void show(const std::string& text);
  void clear(); // makes room for something else on the terminal
  Seconds passed() const;

private:
  using Clock = std::chrono::steady_clock;
  std::ostream& out_;
  StudyProgress told_;
  std::string what_;
  bool shown_; // on a terminal, and wanted
  std::optional<Seconds> budget_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
  bool has_line_ = false;
};

} // namespace kakehashi
