// Numbers from recordings of several sizes → how they change with the number of ranks.
#pragma once

#include <vector>

namespace kakehashi {

struct NumberOfRanks {
  double ranks = 0;
  double number = 0; // 0 or less: it is ignored
};
// Returns the exponent by which the number depends on the number of ranks: the slope of the best line through the
// logarithms. 0 with fewer than two sizes.
double power_through(const std::vector<NumberOfRanks>& points);

} // namespace kakehashi
