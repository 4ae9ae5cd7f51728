#include "result/comparison.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {

std::optional<double> over_baseline(const Comparison& all, const ComparisonRow& row, std::size_t contender) {
  if (!all.baseline || row.times[*all.baseline].time.value <= 0)
    return std::nullopt;
  return row.times[contender].time / row.times[*all.baseline].time;
}

std::vector<std::size_t> as_fast(const ComparisonRow& row) {
  const auto best = row.times[row.winner].time;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < row.times.size(); ++i)
    if (row.times[i].time <= (1 + row.tolerance) * best)
      found.push_back(i);
  return found;
}

std::vector<std::string> names_of(const Comparison& all, const std::vector<std::size_t>& contenders) {
  std::vector<std::string> names;
  for (const auto contender : contenders)
    names.push_back(all.contenders[contender]);
  return names;
}

std::string winner_text(const Comparison& all, const ComparisonRow& row) {
  const auto names = names_of(all, as_fast(row));
  return fmt::format("{}{}", names.size() > 1 ? "tie: " : "", fmt::join(names, ", "));
}

std::string size_text(const Comparison& all, std::uint64_t size) {
  return all.size_name == "bytes" ? to_text(Bytes{size}) : fmt::format("{} {}", all.size_name, size);
}

bool has_ties(const Comparison& comparison) {
  return std::ranges::any_of(comparison.rows, [](const ComparisonRow& row) { return as_fast(row).size() > 1; });
}

} // namespace kakehashi
