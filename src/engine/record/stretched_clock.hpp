// Times of a network whose run leaves out rounds → the times of the whole run. Some of what was simulated stands for
// what was left out, so it takes longer by that clock.
#pragma once

#include "base/units.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

namespace kakehashi {

class StretchedClock {
public:
  // What happens from one time to the other takes longer by so much. Later than all stretches so far.
  void stretch(Seconds from, Seconds to, Seconds longer) {
    assert(from < to && (stretches_.empty() || stretches_.back().to <= from));
    stretches_.push_back({from, to, longer, stretches_.empty() ? Seconds{} : (*this)(from)-from});
  }

  Seconds operator()(Seconds time) const {
    auto stretch = stretches_.rbegin();
    while (stretch != stretches_.rend() && time < stretch->from)
      ++stretch;
    if (stretch == stretches_.rend())
      return time;
    const double passed = std::min(1.0, (time - stretch->from) / (stretch->to - stretch->from));
    return time + stretch->before + passed * stretch->longer;
  }

private:
  struct Stretch {
    Seconds from;
    Seconds to;
    Seconds longer;
    Seconds before; // what those before it add
  };
  std::vector<Stretch> stretches_;
};

} // namespace kakehashi
