#include "result/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kakehashi {

std::vector<TunedRange> ranges_of(const TunedOperation& operation) {
  std::vector<TunedRange> ranges;
  for (const auto& each : operation.sizes) {
    const bool goes_on = !ranges.empty() && ranges.back().first->is_changed == each.is_changed &&
                         (!each.is_changed || ranges.back().first->chosen.name == each.chosen.name);
    if (!goes_on)
      ranges.push_back({&each, each.gain(), each.gain()});
    ranges.back().least = std::min(ranges.back().least, each.gain());
    ranges.back().most = std::max(ranges.back().most, each.gain());
  }
  return ranges;
}

// Geometric means over the clusters of docs/predictions.md that have the test; of all tests for the others.
double typical_factor(Collective collective) {
  switch (collective) {
  case Collective::alltoall:
  case Collective::alltoallv: return 1.42;
  case Collective::allreduce: return 1.28;
  default: return 1.34;
  }
}

double certainty(Collective collective, double gain) {
  // Of a normal distribution the mean of |x| is its deviation times the root of 2/pi; a difference of two has that of
  // one times the root of 2.
  const auto deviation = std::log(typical_factor(collective)) * std::sqrt(std::numbers::pi / 2);
  return 0.5 * std::erfc(-std::log1p(gain) / (deviation * 2));
}

} // namespace kakehashi
