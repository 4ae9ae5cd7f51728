#include "result/record.hpp"

#include <algorithm>
#include <cassert>
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

LikelyRange range_of(const Figures& figures, Metric metric, LikelyFactors factors) {
  const double value = value_of(figures, metric);
  return metric == Metric::time ? LikelyRange{value * factors.low, value * factors.high}
                                : LikelyRange{value / factors.high, value / factors.low};
}

Metric metric_of(const RunRecord& record) {
  if (record.reference)
    return record.reference->metric;
  const auto& table = record.table;
  const auto is_time = [&](const TextCell& cell) { return table.columns[cell.column].unit == "us"; };
  return !table.rate_name.empty() && std::ranges::none_of(table.text.cells, is_time) ? Metric::bandwidth : Metric::time;
}

LikelyRange range_of(const RunRecord& record, std::size_t figure) {
  const auto& figures = record.table.figures[figure];
  auto range = range_of(figures, metric_of(record), record.likely[figure]);
  if (record.table.list.empty() || !record.summary || record.summary->ranks.empty())
    return range;
  const auto last =
      std::ranges::max_element(record.summary->ranks, {}, [](const RankTimes& rank) { return rank.total(); });
  const double work = in_microseconds(last->compute);
  return {work + (value_of(figures, Metric::time) - work) * record.likely[figure].low,
          work + (value_of(figures, Metric::time) - work) * record.likely[figure].high};
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

namespace {

struct Row {
  TestGroup group;
  Bytes to;                             // the largest size of its band
  std::array<LikelyFactors, 3> factors; // factors in the order of AssumedRules
};
using enum TestGroup;
constexpr std::array rows{
#include "result/gpu_errors.inc"
#include "result/held_out_errors.inc"
};

} // namespace

TestGroup group_of(Collective collective) {
  switch (collective) {
  case Collective::bcast: return bcast;
  case Collective::reduce: return reduce;
  case Collective::allreduce: return allreduce;
  case Collective::allgather:
  case Collective::allgatherv: return allgather;
  case Collective::alltoall:
  case Collective::alltoallv: return alltoall;
  default: return other;
  }
}

LikelyFactors likely_factors(TestGroup group, Bytes size, AssumedRules assumed) {
  const auto found = std::ranges::find_if(rows, [&](const Row& row) { return row.group == group && size <= row.to; });
  assert(found != rows.end());
  return found->factors[static_cast<std::size_t>(assumed)];
}

} // namespace kakehashi
