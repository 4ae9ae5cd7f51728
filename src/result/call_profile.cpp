#include "result/call_profile.hpp"

#include <algorithm>

namespace kakehashi {

double imbalance_of(const std::vector<Seconds>& times) {
  Seconds sum, most;
  for (const auto time : times) {
    sum += time;
    most = std::max(most, time);
  }
  return sum.value > 0 ? most.value * static_cast<double>(times.size()) / sum.value - 1 : 0;
}

} // namespace kakehashi
