#include "result/record.hpp"

#include <cmath>

namespace kakehashi {

std::optional<ErrorSummary> summarise(std::span<const MeasuredValue> values, Bytes from) {
  ErrorSummary summary;
  for (const auto& row : values) {
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

double value_of(const Figures& figures, Metric metric) {
  return metric == Metric::time ? in_microseconds(figures.t_avg) : figures.rate;
}

std::vector<MeasuredValue> compare_with(const Curve& curve, std::span<const Figures> figures) {
  std::vector<MeasuredValue> values;
  for (const auto& each : figures) {
    auto& value = values.emplace_back(MeasuredValue{Bytes{each.size}, curve.at(Bytes{each.size}), std::nullopt});
    if (value.measured && *value.measured > 0)
      value.error = (value_of(each, curve.metric) - *value.measured) / *value.measured;
  }
  return values;
}

} // namespace kakehashi
