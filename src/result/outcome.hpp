// The outcome of a candidate of a sweep. Result files keep it in its form on the wire (base/wire.hpp).
#pragma once

#include "base/units.hpp"

#include <string>
#include <tuple>

namespace kakehashi {

// The outcome of one run of a candidate.
struct Outcome {
  Seconds time;         // of the objective: summed over the sizes, of boss_worker for one work item
  double rate = 0;      // MB/s of the largest size, or work items per second; 0: there is none
  std::string step;     // of a ring: the slowest one
  std::string reason;   // what most of the time goes into
  std::string failure;  // why there is no time; else empty
  bool is_lost = false; // it failed for a fault of the system, which says nothing of the candidate; no file keeps that
  static constexpr auto fields(auto& self) {
    auto& [time, rate, step, reason, failure, is_lost] = self;
    return std::tie(time, rate, step, reason, failure, is_lost);
  }
};

} // namespace kakehashi
