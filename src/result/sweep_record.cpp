#include "result/sweep_record.hpp"

#include <algorithm>

namespace kakehashi {

std::span<const SweepPoint> that_ran(const SweepRecord& record) {
  return std::span(record.points).first(record.points.size() - record.failed);
}

const SweepPoint* default_of(const SweepRecord& record) {
  const auto points = that_ran(record);
  const auto found = std::ranges::find_if(points, &SweepPoint::is_default);
  return found == points.end() ? nullptr : &*found;
}

std::optional<double> gain(const SweepRecord& record, const SweepPoint& point) {
  const auto* usual = default_of(record);
  if (!usual)
    return std::nullopt;
  return record.objective == Objective::time ? usual->outcome.time / point.outcome.time - 1
                                             : point.outcome.rate / usual->outcome.rate - 1;
}

} // namespace kakehashi
