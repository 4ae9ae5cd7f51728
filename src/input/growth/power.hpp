// Numbers that recordings of several sizes have → how they change with the number of ranks.
#pragma once

#include <vector>

namespace kakehashi {

struct NumberOfRanks {
  double ranks = 0;
  double number = 0; // 0 or less: left out
};
// The number as a power of that of ranks: the slope of the best line through the logarithms. 0 with less than two
// sizes.
double power_through(const std::vector<NumberOfRanks>& points);

} // namespace kakehashi
