#include "result/path_log.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {

constexpr std::size_t longest_period = 64; // stretches whose repetition is seen
constexpr std::size_t most_groups = 1024;  // of which the middle ones go first
constexpr std::size_t kept_at_ends = 256;
constexpr std::size_t most_sorts = 65536; // the others are counted by phase alone

PathSort sort_of(const PathStep& step) {
  return {step.phase, step.stage, step.leg, step.from, step.to, step.way, step.size, step.part};
}

PathStretch stretch_of(const PathStep& step) {
  const auto time = step.end - step.start;
  if (step.is_on_rank())
    return {false, step.from, step.to, {}, step.phase == Phase::compute ? time : Seconds{}, time};
  return {true, step.from, step.to, step.size, {}, time};
}

void merge(PathStretch& into, const PathStretch& stretch) {
  into.compute += stretch.compute;
  into.time += stretch.time;
}

bool is_single(const PathGroup& group) {
  return group.times == 1 && group.stretches.size() == 1;
}

bool are_alike(const PathGroup& a, const PathGroup& b) {
  return is_single(a) && is_single(b) && a.stretches[0].is_like(b.stretches[0]);
}

} // namespace

Seconds PathGroup::time() const {
  auto sum = hidden;
  for (const auto& stretch : stretches)
    sum += stretch.time;
  return sum;
}

void PathLog::add(const PathStep& step) {
  time_ += step.end - step.start;
  auto sort = sort_of(step);
  if (totals_.size() >= most_sorts && !totals_.contains(sort))
    sort = {step.phase, 0, 0, -1, -1, 0, {}, {}};
  auto& total = totals_[sort];
  total.time += step.end - step.start;
  ++total.steps;
  const auto stretch = stretch_of(step);
  if (!groups_.empty() && is_single(groups_.back()) && groups_.back().stretches[0].is_like(stretch))
    return merge(groups_.back().stretches[0], stretch); // of the same stay, or the same message
  add(PathGroup{{stretch}, 1, {}});
}

void PathLog::add(const PathLog& later) {
  time_ += later.time_;
  for (const auto& [sort, total] : later.totals_) {
    auto& mine = totals_[sort];
    mine.time += total.time;
    mine.steps += total.steps;
  }
  for (const auto& group : later.groups_) {
    if (!groups_.empty() && are_alike(groups_.back(), group))
      merge(groups_.back().stretches[0], group.stretches[0]);
    else
      add(group);
  }
}

// What was the last group is whole now, so it may be the end of a repetition.
void PathLog::add(PathGroup group) {
  for (std::size_t period = 1; period <= longest_period && period < groups_.size(); ++period)
    if (repeats(period))
      break;
  groups_.push_back(std::move(group));
  if (groups_.size() > most_groups)
    shorten();
}

// Whether the last so many stretches are those before them once more; they are then one group.
bool PathLog::repeats(std::size_t period) {
  const auto count = static_cast<std::ptrdiff_t>(period);
  const auto last = groups_.end() - count;
  if (!std::all_of(last, groups_.end(), is_single))
    return false;
  auto earlier = last - 1;
  if (earlier->times > 1) {
    if (!std::equal(earlier->stretches.begin(), earlier->stretches.end(), last, groups_.end(),
                    [](const PathStretch& a, const PathGroup& b) { return a.is_like(b.stretches[0]); }))
      return false;
  } else {
    if (groups_.size() < 2 * period || !std::equal(last, groups_.end(), last - count, are_alike))
      return false;
    earlier = last - count;
    for (auto at = earlier + 1; at != last; ++at)
      earlier->stretches.push_back(at->stretches[0]);
  }
  ++earlier->times;
  for (std::ptrdiff_t i = 0; i < count; ++i)
    merge(earlier->stretches[static_cast<std::size_t>(i)], last[i].stretches[0]);
  groups_.erase(earlier + 1, groups_.end());
  return true;
}

void PathLog::shorten() {
  const auto first = groups_.begin() + static_cast<std::ptrdiff_t>(kept_at_ends);
  const auto last = groups_.end() - static_cast<std::ptrdiff_t>(kept_at_ends);
  PathGroup hidden{{}, 0, {}};
  for (auto group = first; group != last; ++group) {
    hidden.times += group->times * std::max<std::size_t>(1, group->stretches.size());
    hidden.hidden += group->time();
  }
  *first = std::move(hidden);
  groups_.erase(first + 1, last);
}

} // namespace kakehashi
