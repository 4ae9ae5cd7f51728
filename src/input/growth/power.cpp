#include "input/growth/parts.hpp"

#include <cmath>

namespace kakehashi {

double power_through(const std::vector<NumberOfRanks>& points) {
  double count = 0, x = 0, y = 0;
  for (const auto& [ranks, number] : points)
    if (number > 0) {
      ++count;
      x += std::log(ranks);
      y += std::log(number);
    }
  double xx = 0, xy = 0;
  for (const auto& [ranks, number] : points)
    if (number > 0) {
      const double distance = std::log(ranks) - x / count;
      xx += distance * distance;
      xy += distance * (std::log(number) - y / count);
    }
  return xx > 0 ? xy / xx : 0;
}

} // namespace kakehashi
