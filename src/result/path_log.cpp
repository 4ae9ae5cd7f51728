#include "result/path_log.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {

constexpr std::size_t longest_period = 64; // steps that are seen to repeat themselves
constexpr std::size_t most_groups = 1024;  // of which the middle ones go first
constexpr std::size_t kept_at_ends = 256;
constexpr std::size_t most_sorts = 65536; // the others are counted by phase alone

PathSort sort_of(const PathPiece& piece) {
  return {piece.phase, piece.stage, piece.segment, piece.from, piece.to, piece.chain, piece.size, piece.part};
}

PathStep step_of(const PathPiece& piece) {
  const auto time = piece.end - piece.start;
  if (piece.is_on_rank())
    return {false, piece.from, piece.to, {}, piece.phase == Phase::compute ? time : Seconds{}, time};
  return {true, piece.from, piece.to, piece.size, {}, time};
}

void merge(PathStep& into, const PathStep& step) {
  into.compute += step.compute;
  into.time += step.time;
}

bool is_single(const PathGroup& group) {
  return group.times == 1 && group.steps.size() == 1;
}

bool are_alike(const PathGroup& a, const PathGroup& b) {
  return is_single(a) && is_single(b) && a.steps[0].is_like(b.steps[0]);
}

} // namespace

Seconds PathGroup::time() const {
  auto sum = untold;
  for (const auto& step : steps)
    sum += step.time;
  return sum;
}

void PathLog::add(const PathPiece& piece) {
  time_ += piece.end - piece.start;
  auto sort = sort_of(piece);
  if (totals_.size() >= most_sorts && !totals_.contains(sort))
    sort = {piece.phase, 0, 0, -1, -1, 0, {}, {}};
  auto& total = totals_[sort];
  total.time += piece.end - piece.start;
  ++total.pieces;
  const auto step = step_of(piece);
  if (!groups_.empty() && is_single(groups_.back()) && groups_.back().steps[0].is_like(step))
    return merge(groups_.back().steps[0], step); // of the same stay, or the same message
  add(PathGroup{{step}, 1, {}});
}

void PathLog::add(const PathLog& later) {
  time_ += later.time_;
  for (const auto& [sort, total] : later.totals_) {
    auto& mine = totals_[sort];
    mine.time += total.time;
    mine.pieces += total.pieces;
  }
  for (const auto& group : later.groups_) {
    if (!groups_.empty() && are_alike(groups_.back(), group))
      merge(groups_.back().steps[0], group.steps[0]);
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

// Whether the last so many steps are those before them once more; they are then one group.
bool PathLog::repeats(std::size_t period) {
  const auto count = static_cast<std::ptrdiff_t>(period);
  const auto last = groups_.end() - count;
  if (!std::all_of(last, groups_.end(), is_single))
    return false;
  auto earlier = last - 1;
  if (earlier->times > 1) {
    if (!std::equal(earlier->steps.begin(), earlier->steps.end(), last, groups_.end(),
                    [](const PathStep& a, const PathGroup& b) { return a.is_like(b.steps[0]); }))
      return false;
  } else {
    if (groups_.size() < 2 * period || !std::equal(last, groups_.end(), last - count, are_alike))
      return false;
    earlier = last - count;
    for (auto at = earlier + 1; at != last; ++at)
      earlier->steps.push_back(at->steps[0]);
  }
  ++earlier->times;
  for (std::ptrdiff_t i = 0; i < count; ++i)
    merge(earlier->steps[static_cast<std::size_t>(i)], last[i].steps[0]);
  groups_.erase(earlier + 1, groups_.end());
  return true;
}

void PathLog::shorten() {
  const auto first = groups_.begin() + static_cast<std::ptrdiff_t>(kept_at_ends);
  const auto last = groups_.end() - static_cast<std::ptrdiff_t>(kept_at_ends);
  PathGroup untold{{}, 0, {}};
  for (auto group = first; group != last; ++group) {
    untold.times += group->times * std::max<std::size_t>(1, group->steps.size());
    untold.untold += group->time();
  }
  *first = std::move(untold);
  groups_.erase(first + 1, last);
}

} // namespace kakehashi
