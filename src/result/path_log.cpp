#include "result/path_log.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {

constexpr std::ptrdiff_t longest_period = 64; // stretches whose repetition is seen
constexpr std::size_t most_groups = 1024;     // of which the middle ones go first
constexpr std::size_t kept_at_ends = 256;
constexpr std::uint32_t no_mark = 0;
constexpr std::size_t most_sorts = 65536; // the others are counted by phase alone

PathSort sort_of(const PathStep& step) {
  return {step.phase, step.stage, step.leg, step.from, step.to, step.way, step.size, step.part};
}

PathStretch stretch_of(const PathStep& step) {
  const auto time = step.end - step.start;
  if (is_on_rank(step.phase))
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

// The same for stretches that are alike, mostly another for others.
std::uint32_t mark_of(const PathStretch& stretch) {
  const auto ends = static_cast<std::uint64_t>(stretch.from) << 33 ^ static_cast<std::uint64_t>(stretch.to) << 1;
  const auto mixed = (ends ^ stretch.size.count << 7 ^ (stretch.is_message ? 1u : 0u)) * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint32_t>(mixed >> 32) | 1u;
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
  auto& total = total_of(sort_of(step));
  total.time += step.end - step.start;
  total.steps += step.count;
  const auto stretch = stretch_of(step);
  if (!groups_.empty() && is_single(groups_.back()) && groups_.back().stretches[0].is_like(stretch))
    return merge(groups_.back().stretches[0], stretch); // of the same stay, or the same message
  add(PathGroup{{stretch}, 1, {}});
}

PathTotal& PathLog::total_of(const PathSort& sort) {
  if (!sums_.empty())
    if (auto& next = sums_[sums_[last_].next]; next.sort == sort) {
      last_ = sums_[last_].next;
      return next.total;
    }
  auto found = numbers_.find(sort);
  if (found == numbers_.end() && sums_.size() >= most_sorts)
    if (const PathSort others{sort.phase, 0, 0, -1, -1, 0, {}, {}}; sort != others)
      return total_of(others);
  if (found == numbers_.end()) {
    found = numbers_.emplace(sort, static_cast<std::uint32_t>(sums_.size())).first;
    sums_.push_back({sort, {}, 0});
  }
  sums_[last_].next = found->second;
  last_ = found->second;
  return sums_[last_].total;
}

std::map<PathSort, PathTotal> PathLog::totals() const {
  std::map<PathSort, PathTotal> totals;
  for (const auto& sum : sums_)
    totals.emplace(sum.sort, sum.total);
  return totals;
}

void PathLog::add(const PathLog& later) {
  time_ += later.time_;
  for (const auto& sum : later.sums_) {
    auto& mine = total_of(sum.sort);
    mine.time += sum.total.time;
    mine.steps += sum.total.steps;
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
  const auto is_alone = [](std::uint32_t mark) { return mark != no_mark; };
  const auto alone = std::ranges::find_if_not(marks_.rbegin(), marks_.rend(), is_alone) - marks_.rbegin();
  const auto longest = std::min<std::ptrdiff_t>(longest_period, alone / 2);
  std::ptrdiff_t period = 1;
  while (period <= longest && !repeats(period))
    ++period;
  if (period > longest && 0 < alone && alone <= longest_period && alone < std::ssize(groups_))
    repeats_group(alone);
  marks_.push_back(is_single(group) ? mark_of(group.stretches[0]) : no_mark);
  groups_.push_back(std::move(group));
  if (groups_.size() > most_groups)
    shorten();
}

// Whether the last so many stretches are those before them once more; they are then one group.
bool PathLog::repeats(std::ptrdiff_t period) {
  if (!std::equal(marks_.rbegin(), marks_.rbegin() + period, marks_.rbegin() + period) ||
      !std::equal(groups_.end() - period, groups_.end(), groups_.end() - 2 * period, are_alike))
    return false;
  const auto first = groups_.end() - 2 * period;
  for (auto at = first + 1; at != first + period; ++at)
    first->stretches.push_back(at->stretches[0]);
  *(marks_.end() - 2 * period) = no_mark;
  groups_.erase(first + 1, first + period);
  marks_.erase(marks_.end() - 2 * period + 1, marks_.end() - period);
  count_again(period);
  return true;
}

// Likewise, whether they are the group before them.
bool PathLog::repeats_group(std::ptrdiff_t period) {
  const auto last = groups_.end() - period;
  const auto& group = *(last - 1);
  if (group.times < 2 ||
      !std::equal(group.stretches.begin(), group.stretches.end(), last, groups_.end(),
                  [](const PathStretch& a, const PathGroup& b) { return a.is_like(b.stretches[0]); }))
    return false;
  count_again(period);
  return true;
}

// Adds the last so many stretches to the group before them.
void PathLog::count_again(std::ptrdiff_t period) {
  const auto last = groups_.end() - period;
  auto& group = *(last - 1);
  ++group.times;
  for (std::ptrdiff_t i = 0; i < period; ++i)
    merge(group.stretches[static_cast<std::size_t>(i)], last[i].stretches[0]);
  groups_.erase(last, groups_.end());
  marks_.resize(groups_.size());
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
  marks_[kept_at_ends] = no_mark;
  marks_.erase(marks_.begin() + kept_at_ends + 1, marks_.end() - kept_at_ends);
}

} // namespace kakehashi
