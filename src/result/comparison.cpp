#include "result/comparison.hpp"

#include <algorithm>

namespace kakehashi {

std::vector<std::size_t> as_fast(const ComparisonRow& row) {
  const auto best = row.times[row.winner].time;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < row.times.size(); ++i)
    if (row.times[i].time <= (1 + row.tolerance) * best)
      found.push_back(i);
  return found;
}

bool has_ties(const Comparison& comparison) {
  return std::ranges::any_of(comparison.rows, [](const ComparisonRow& row) { return as_fast(row).size() > 1; });
}

} // namespace kakehashi
