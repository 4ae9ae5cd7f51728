// The outcome of a candidate of a sweep. Result files keep it in its wire form (base/wire.hpp).
#pragma once

#include "base/units.hpp"

#include <string>
#include <tuple>

namespace kakehashi {

// The outcome of one run of a candidate.
struct Outcome {
  Seconds time;         // the objective's time: the sum over the sizes, or of one work item of boss_worker
  double rate = 0;      // of the largest size, in the unit of the sweep; 0: there is none
  std::string step;     // the slowest step of a ring
  std::string reason;   // the main part of the time
  std::string failure;  // why there is no time; else empty
  bool is_lost = false; // a fault of the system ended it, so it shows nothing of the candidate; no file keeps this
  static constexpr auto fields(auto& self) {
    auto& [time, rate, step, reason, failure, is_lost] = self;
    return std::tie(time, rate, step, reason, failure, is_lost);
  }
};

} // namespace kakehashi
