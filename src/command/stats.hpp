// The program's own work in a run → counts, peak memory and times, for --stats.
#pragma once

#include "result/record.hpp"

#include <chrono>
#include <ostream>
#include <string_view>
#include <vector>

namespace kakehashi {

// The program's own time, phase by phase.
class Stopwatch {
public:
  struct Lap {
    std::string_view phase;
    std::chrono::duration<double> time;
  };

  // Ends a phase that began at the end of the previous one.
  void end(std::string_view phase) {
    const auto now = Clock::now();
    laps_.push_back({phase, now - last_});
    last_ = now;
  }
  const std::vector<Lap>& laps() const { return laps_; }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  std::vector<Lap> laps_;
};

void write_stats(const RunRecord& record, const Stopwatch& watch, std::ostream& out);

} // namespace kakehashi
