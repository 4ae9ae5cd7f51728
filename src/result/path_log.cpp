#include "result/path_log.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {

constexpr std::ptrdiff_t longest_period = 64; // stretches whose repetition is seen
constexpr std::size_t most_groups = 1024;     // of which the middle ones go first
constexpr std::size_t kept_at_ends = 256;
constexpr std::ptrdiff_t longest_tail = 4 * longest_period; // not more than are kept at ends
constexpr std::size_t most_sorts = 65536;                   // the others are counted by phase alone

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

// The same for stretches that are alike, mostly another for others.
std::uint32_t mark_of(const PathStretch& stretch) {
  const auto ends = static_cast<std::uint64_t>(stretch.from) << 33 ^ static_cast<std::uint64_t>(stretch.to) << 1;
  const auto mixed = (ends ^ stretch.size.count << 7 ^ (stretch.is_message ? 1u : 0u)) * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint32_t>(mixed >> 32);
}

bool are_alike(const PathStretch& a, const PathStretch& b) {
  return a.is_like(b);
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
  add(stretch_of(step));
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
  for (const auto& group : later.groups_)
    if (group.times == 1 && group.stretches.size() == 1)
      add(group.stretches[0]);
    else
      add(group);
  for (const auto& stretch : later.tail_)
    add(stretch);
}

void PathLog::add(const PathStretch& stretch) {
  if (!tail_.empty() && tail_.back().is_like(stretch))
    return merge(tail_.back(), stretch); // of the same stay, or the same message
  find_repetition();
  tail_.push_back(stretch);
  marks_.push_back(mark_of(stretch));
  if (std::ssize(tail_) > longest_tail)
    take_from_tail(longest_tail / 2);
  shorten();
}

void PathLog::add(const PathGroup& group) {
  find_repetition();
  take_from_tail(std::ssize(tail_));
  groups_.push_back(group);
  shorten();
}

// What was the last stretch is whole now, so it may be the end of a repetition.
void PathLog::find_repetition() {
  const auto longest = std::min<std::ptrdiff_t>(longest_period, std::ssize(tail_) / 2);
  for (std::ptrdiff_t period = 1; period <= longest; ++period)
    if (repeats(period))
      return;
  repeats_group();
}

// Whether the last so many stretches are those before them once more; they are then one group.
bool PathLog::repeats(std::ptrdiff_t period) {
  if (!std::equal(marks_.end() - period, marks_.end(), marks_.end() - 2 * period) ||
      !std::equal(tail_.end() - period, tail_.end(), tail_.end() - 2 * period, are_alike))
    return false;
  take_from_tail(std::ssize(tail_) - 2 * period);
  groups_.push_back({{tail_.begin(), tail_.begin() + period}, 1, {}});
  tail_.erase(tail_.begin(), tail_.begin() + period);
  count_again();
  return true;
}

// Likewise, whether the tail is the group before it.
void PathLog::repeats_group() {
  if (!groups_.empty() && groups_.back().times > 1 && std::ranges::equal(groups_.back().stretches, tail_, are_alike))
    count_again();
}

// Adds the tail to the group before it.
void PathLog::count_again() {
  auto& group = groups_.back();
  ++group.times;
  for (std::size_t i = 0; i < tail_.size(); ++i)
    merge(group.stretches[i], tail_[i]);
  tail_.clear();
  marks_.clear();
}

// Makes groups of its first stretches.
void PathLog::take_from_tail(std::ptrdiff_t stretches) {
  for (auto stretch = tail_.begin(); stretch != tail_.begin() + stretches; ++stretch)
    groups_.push_back({{*stretch}, 1, {}});
  tail_.erase(tail_.begin(), tail_.begin() + stretches);
  marks_.erase(marks_.begin(), marks_.begin() + stretches);
}

// Hides those in the middle.
void PathLog::shorten() {
  if (groups_.size() + tail_.size() <= most_groups)
    return;
  const auto first = groups_.begin() + static_cast<std::ptrdiff_t>(kept_at_ends);
  const auto last = groups_.end() - static_cast<std::ptrdiff_t>(kept_at_ends - tail_.size());
  PathGroup hidden{{}, 0, {}};
  for (auto group = first; group != last; ++group) {
    hidden.times += group->times * std::max<std::size_t>(1, group->stretches.size());
    hidden.hidden += group->time();
  }
  *first = std::move(hidden);
  groups_.erase(first + 1, last);
}

std::vector<PathGroup> PathLog::groups() const {
  auto groups = groups_;
  for (const auto& stretch : tail_)
    groups.push_back({{stretch}, 1, {}});
  return groups;
}

} // namespace kakehashi
