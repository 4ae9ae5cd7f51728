#include "result/record.hpp"

#include <cmath>

namespace kakehashi {

std::optional<ErrorSummary> summarise(std::span<const SizeRow> rows, Bytes from) {
  ErrorSummary summary;
  for (const auto& row : rows) {
    if (!row.error || row.size < from)
      continue;
    const double error = std::abs(*row.error);
    ++summary.points;
    summary.mean += error;
    if (summary.points == 1 || error > summary.worst) {
      summary.worst = error;
      summary.worst_size = row.size;
    }
  }
  if (summary.points == 0)
    return std::nullopt;
  summary.mean /= static_cast<double>(summary.points);
  return summary;
}

double value_of(const SizeRow& row, Metric metric) {
  return metric == Metric::time ? in_microseconds(row.t_avg) : row.bandwidth;
}

void compare_with(const Curve& curve, std::span<SizeRow> rows) {
  for (auto& row : rows) {
    row.measured = curve.at(row.size);
    if (row.measured && *row.measured > 0)
      row.error = (value_of(row, curve.metric) - *row.measured) / *row.measured;
  }
}

} // namespace kakehashi
