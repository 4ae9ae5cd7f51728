#include "input/trace/recording/part_cursor.hpp"

#include <algorithm>
#include <limits>

namespace kakehashi {
namespace {

constexpr Seconds never{std::numeric_limits<double>::infinity()};

} // namespace

PartCursor::PartCursor(const ReplayPart& part)
    : part_(part), begin_(!part.from                  ? Seconds{}
                          : part.from->region.empty() ? part.from->time
                                                      : never),
      end_(part.to && part.to->region.empty() ? part.to->time : never) {}

double PartCursor::share_of(const TraceEvent& event) {
  const auto comes_to = [&](const std::optional<PartBorder>& border) {
    return border && !border->region.empty() && is_in_region(event.region, border->region);
  };
  if (comes_to(part_.from))
    begin_ = std::min(begin_, time_);
  if (comes_to(part_.to))
    end_ = std::min(end_, time_);
  const bool is_there = part_.region.empty() || is_in_region(event.region, part_.region);
  const auto start = time_;
  if (const auto* elapse = std::get_if<ElapseEvent>(&event.what)) {
    time_ += elapse->time;
    const auto inside = std::min(time_, end_) - std::max(start, begin_);
    const bool is_whole = start >= begin_ && time_ <= end_;
    return !is_there || inside.value <= 0 ? 0 : is_whole ? 1 : inside / elapse->time;
  }
  const bool is_work = std::holds_alternative<ComputeEvent>(event.what);
  if (is_work || event.line != line_)
    is_in_ = is_there && start >= begin_ && start < end_;
  if (!is_work)
    line_ = event.line;
  time_ += event.recorded;
  return is_in_ ? 1 : 0;
}

} // namespace kakehashi
