#include "result/path_log.hpp"

#include <algorithm>
#include <cstring>

namespace kakehashi {
namespace {

constexpr std::ptrdiff_t longest_period = 64; // stretches in the longest repetition that is found
constexpr std::ptrdiff_t longest_tail = 4 * longest_period;
constexpr std::uint32_t no_sum = ~std::uint32_t{0};
constexpr std::size_t least_places = 16;

PathSort sort_of(const PathStep& step) {
  return {step.phase, step.stage, step.leg, step.from, step.to, step.way, step.size, step.part, step.place};
}

PathStretch stretch_of(const PathStep& step) {
  const auto time = step.end - step.start;
  // Work that waits for memory belongs to no message.
  const bool is_work = step.phase == Phase::memory && step.from == step.to && step.size.count == 0;
  if (is_on_rank(step.phase) || is_work)
    return {false, step.from, step.to, {}, step.phase == Phase::compute ? time : Seconds{}, time};
  return {true, step.from, step.to, step.size, {}, time, step.count};
}

void merge(PathStretch& into, const PathStretch& stretch) {
  into.compute += stretch.compute;
  into.time += stretch.time;
}

// A hash of a stretch or a sort of steps.
std::uint64_t mix(int from, int to, std::uint64_t more) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  const auto ends = static_cast<std::uint64_t>(from) << 33 ^ static_cast<std::uint64_t>(to) << 1;
  return ((ends * factor) >> 29 ^ more) * factor;
}

char mark_of(const PathStretch& stretch) {
  return static_cast<char>(mix(stretch.from, stretch.to, stretch.size.count << 1 | (stretch.is_message ? 1 : 0)) >> 56);
}

// The stretch with the most messages shows how often the sequence came.
std::uint64_t times_of(const std::vector<PathStretch>& stretches) {
  return std::ranges::max(stretches, {}, &PathStretch::times).times;
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
  auto& total = total_of(sort_of(step), step.like);
  total.time += step.end - step.start;
  total.steps += step.count;
  add(stretch_of(step));
}

PathTotal& PathLog::total_of(const PathSort& sort, std::uint32_t like) {
  if (!sums_.empty())
    if (auto& next = sums_[sums_[last_].next]; next.sort == sort) {
      last_ = sums_[last_].next;
      return next.total;
    }
  if (2 * sums_.size() >= places_.size())
    make_places();
  auto& place = place_of(sort);
  if (place == no_sum) {
    if (const auto many = sort_for_many(sort, like))
      return total_of(*many, like);
    place = static_cast<std::uint32_t>(sums_.size());
    sums_.push_back({sort, like, 0, {}});
  }
  sums_[last_].next = place;
  last_ = place;
  return sums_[place].total;
}

// When there is no room for further sorts, returns the one for messages of all ranks; when there is none for those
// either, the one for all sizes and ways.
std::optional<PathSort> PathLog::sort_for_many(const PathSort& sort, std::uint32_t like) const {
  if (sums_.size() < room_.sorts)
    return std::nullopt;
  if (sort.from >= 0 && !is_on_rank(sort.phase))
    return PathSort{sort.phase, sort.stage, sort.leg, -1, -1, like, sort.size, sort.part, sort.place};
  const PathSort others{sort.phase, 0, 0, -1, -1, 0, {}, {}, 0};
  return sort == others || (sort.from < 0 && sums_.size() < 2 * room_.sorts) ? std::nullopt : std::optional(others);
}

// Returns the place in the hash table where the sort is, or would be.
std::uint32_t& PathLog::place_of(const PathSort& sort) {
  const auto more = sort.size.count ^ sort.part.count << 24 ^ static_cast<std::uint64_t>(sort.way) << 40 ^
                    static_cast<std::uint64_t>(sort.phase) << 56 ^ static_cast<std::uint64_t>(sort.stage) << 32 ^
                    static_cast<std::uint64_t>(sort.leg) << 16 ^ static_cast<std::uint64_t>(sort.place) << 8;
  const auto mask = places_.size() - 1;
  auto place = static_cast<std::size_t>(mix(sort.from, sort.to, more) >> 32) & mask;
  while (places_[place] != no_sum && sums_[places_[place]].sort != sort)
    place = (place + 1) & mask;
  return places_[place];
}

void PathLog::make_places() {
  places_.assign(std::max(least_places, 2 * places_.size()), no_sum);
  for (std::uint32_t number = 0; number < sums_.size(); ++number)
    place_of(sums_[number].sort) = number;
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
    auto& mine = total_of(sum.sort, sum.like);
    mine.time += sum.total.time;
    mine.steps += sum.total.steps;
  }
  for (const auto& group : later.groups_)
    if (group.stretches.size() == 1)
      add(group.stretches[0]);
    else
      add(group);
  for (const auto& stretch : later.tail_)
    add(stretch);
}

void PathLog::add(const PathStretch& stretch) {
  if (!tail_.empty() && tail_.back().is_like(stretch))
    return merge(tail_.back(), stretch); // it belongs to the same stay, or the same message
  find_repetition();
  tail_.push_back(stretch);
  marks_.push_back(mark_of(stretch));
  if (std::ssize(tail_) > longest_tail)
    take_from_tail(longest_tail / 2);
}

void PathLog::add(const PathGroup& group) {
  find_repetition();
  take_from_tail(std::ssize(tail_));
  groups_.push_back(group);
  shorten();
}

// The last stretch is complete now, so it may end a repetition.
void PathLog::find_repetition() {
  const auto longest = std::min<std::ptrdiff_t>(longest_period, std::ssize(tail_) / 2);
  for (std::ptrdiff_t period = 0; (period = next_period(period, longest)) <= longest;)
    if (repeats(period))
      return;
  repeats_group();
}

// The next longer period; a period ends with a stretch like the last one of the tail.
std::ptrdiff_t PathLog::next_period(std::ptrdiff_t period, std::ptrdiff_t longest) const {
  if (period == longest)
    return longest + 1;
  const auto* const last = marks_.data() + marks_.size() - 1;
  const auto* const first = last - longest;
  const auto* const end = memrchr(first, *last, static_cast<std::size_t>(longest - period));
  return end ? last - static_cast<const char*>(end) : longest + 1;
}

// If the last `period` stretches equal those before them, makes them one group and returns true.
bool PathLog::repeats(std::ptrdiff_t period) {
  if (!std::equal(marks_.end() - period, marks_.end(), marks_.end() - 2 * period) ||
      !std::equal(tail_.end() - period, tail_.end(), tail_.end() - 2 * period, are_alike))
    return false;
  take_from_tail(std::ssize(tail_) - 2 * period);
  std::vector first(tail_.begin(), tail_.begin() + period);
  const auto times = times_of(first);
  groups_.push_back({std::move(first), times, {}});
  tail_.erase(tail_.begin(), tail_.begin() + period);
  count_again();
  return true;
}

// If the tail equals the group before it, adds the tail to that group.
void PathLog::repeats_group() {
  if (!groups_.empty() && groups_.back().stretches.size() > 1 &&
      std::ranges::equal(groups_.back().stretches, tail_, are_alike))
    count_again();
}

// Adds the tail to the group before it.
void PathLog::count_again() {
  auto& group = groups_.back();
  group.times += times_of(tail_);
  for (std::size_t i = 0; i < tail_.size(); ++i)
    merge(group.stretches[i], tail_[i]);
  tail_.clear();
  marks_.clear();
}

// Turns the first stretches of the tail into groups, or into hidden ones if there are too many groups.
void PathLog::take_from_tail(std::ptrdiff_t stretches) {
  const auto end = tail_.begin() + stretches;
  const bool are_hidden = groups_.size() > room_.groups && groups_.back().stretches.empty() &&
                          tail_.size() - static_cast<std::size_t>(stretches) >= room_.groups;
  for (auto stretch = tail_.begin(); stretch != end; ++stretch)
    if (are_hidden) {
      groups_.back().times += stretch->times;
      groups_.back().hidden += stretch->time;
    } else {
      groups_.push_back({{*stretch}, stretch->times, {}});
    }
  tail_.erase(tail_.begin(), end);
  marks_.erase(0, static_cast<std::size_t>(stretches));
  shorten();
}

// Hides groups in the middle.
void PathLog::shorten() {
  if (groups_.size() <= 2 * room_.groups || groups_.size() + tail_.size() <= 4 * room_.groups)
    return;
  const auto first = groups_.begin() + static_cast<std::ptrdiff_t>(room_.groups);
  const auto last = groups_.end() - static_cast<std::ptrdiff_t>(room_.groups - std::min(room_.groups, tail_.size()));
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
    groups.push_back({{stretch}, stretch.times, {}});
  return groups;
}

} // namespace kakehashi
