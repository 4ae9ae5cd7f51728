// Times of a network whose run leaves out rounds → the times of the whole run. Some of what was simulated stands for
// what was left out, so it takes longer by that clock.
#pragma once

#include "base/units.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

namespace kakehashi {

class StretchedClock {
public:
  // The time from `from` to `to` stands for so many times as much. It must be later than all stretches so far.
  void stretch(Seconds from, Seconds to, std::uint32_t times) {
    assert(from < to && (stretches_.empty() || stretches_.back().to <= from));
    stretches_.push_back({from, to, times, stretches_.empty() ? Seconds{} : (*this)(from)-from});
  }

  Seconds operator()(Seconds time) const {
    const auto* stretch = last_before(time);
    return stretch ? time + stretch->before + (stretch->times - 1.0) * (std::min(time, stretch->to) - stretch->from)
                   : time;
  }

  // For how many times as much that stands which ends then.
  std::uint32_t times_at(Seconds time) const {
    const auto* stretch = last_before(time);
    return stretch && time <= stretch->to ? stretch->times : 1;
  }

private:
  struct Stretch {
    Seconds from;
    Seconds to;
    std::uint32_t times;
    Seconds before; // what those before it add
  };
  const Stretch* last_before(Seconds time) const {
    const auto found = std::find_if(stretches_.rbegin(), stretches_.rend(),
                                    [&](const Stretch& stretch) { return stretch.from < time; });
    return found == stretches_.rend() ? nullptr : &*found;
  }
  std::vector<Stretch> stretches_;
};

} // namespace kakehashi
