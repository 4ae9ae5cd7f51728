// When the works on a rank's devices end. Nothing else takes the device's time, so each end is known when the work
// begins.
#pragma once

#include "model/trace_event.hpp"

#include <algorithm>
#include <unordered_map>

namespace kakehashi {

class DeviceClock {
public:
  // Returns when all of these works have ended; at least `now`.
  Seconds end_of(const std::vector<std::uint64_t>& works, Seconds now) const {
    for (const auto work : works)
      if (const auto found = ends_.find(work); found != ends_.end())
        now = std::max(now, found->second);
    return now;
  }
  void begun(std::uint64_t work, Seconds end, Seconds now) {
    if (ends_.size() >= most_) { // those that have ended hold nothing up
      std::erase_if(ends_, [now](const auto& each) { return each.second <= now; });
      most_ = std::max(most_, 2 * ends_.size());
    }
    ends_[work] = end;
    last_ = std::max(last_, end);
  }
  Seconds last() const { return last_; } // the last end of any work

private:
  std::unordered_map<std::uint64_t, Seconds> ends_;
  std::size_t most_ = 1024;
  Seconds last_;
};

} // namespace kakehashi
