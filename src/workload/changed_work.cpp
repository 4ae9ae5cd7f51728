#include "workload/changed_work.hpp"

#include "model/trace_event.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

bool has(const std::vector<bool>& ranks, int rank) {
  return ranks.empty() || ranks[static_cast<std::size_t>(rank)];
}

// Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators (OOPSLA 2014).
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  auto mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

} // namespace

ChangedWork::ChangedWork(WhatIf changes, std::size_t ranks)
    : what_if_(std::move(changes)), changed_(what_if_.work.size()) {
  if (!what_if_.noise)
    return;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    sources_.push_back({std::uint64_t{what_if_.noise->seed} << 32 | rank, {}});
    sources_.back().until_next = gap(static_cast<int>(rank));
  }
}

// The work between two interruptions, which are independent events.
Seconds ChangedWork::gap(int rank) {
  constexpr double steps = 9007199254740992.0; // 2^53
  const auto random = next_random(sources_[static_cast<std::size_t>(rank)].state) >> 11;
  return -std::log((static_cast<double>(random) + 1) / steps) * what_if_.noise->every;
}

Seconds ChangedWork::interruptions(int rank, Seconds time) {
  auto& until_next = sources_[static_cast<std::size_t>(rank)].until_next;
  Seconds all;
  for (until_next = until_next - time; until_next.value < 0; until_next += gap(rank))
    all += what_if_.noise->lasts;
  interrupted_ += all;
  return all;
}

bool ChangedWork::concerns(const WorkChange& change, const Rank& rank, LaneNumber lane) const {
  const bool is_of_it = lane != gpu_lane ? change.of != WorkOf::device : change.of != WorkOf::host;
  return is_of_it && has(change.ranks, rank.id) &&
         (change.region.empty() || is_in_region(rank.place.region, change.region));
}

// Advances from one time at which a change begins or ends to the next.
Seconds ChangedWork::with_changes(const Rank& rank, const ComputeOperation& work) {
  const auto start = rank.clock + work.after;
  Seconds at = start;
  for (Seconds left = work.time; left.value > 0;) {
    double factor = 1;
    std::optional<Seconds> next;
    const auto turns_at = [&](Seconds turn) {
      if (turn > at && (!next || turn < *next))
        next = turn;
    };
    for (const auto& change : what_if_.work) {
      if (!concerns(change, rank, work.lane))
        continue;
      turns_at(change.from);
      if (change.to)
        turns_at(*change.to);
      if (at >= change.from && (!change.to || at < *change.to))
        factor *= change.slowdown;
    }
    const bool is_last = !next || at + factor * left <= *next;
    const auto done = is_last ? left : (1 / factor) * (*next - at);
    for (std::size_t i = 0; i < changed_.size(); ++i)
      if (const auto& change = what_if_.work[i];
          concerns(change, rank, work.lane) && at >= change.from && (!change.to || at < *change.to))
        changed_[i] += done;
    if (is_last)
      return at + factor * left - start;
    left = left - done;
    at = *next;
  }
  return at - start;
}

Seconds ChangedWork::time_of(const Rank& rank, const ComputeOperation& work) {
  auto time = what_if_.work.empty() ? work.time : with_changes(rank, work);
  if (what_if_.noise && work.lane != gpu_lane && has(what_if_.noise->ranks, rank.id))
    time += interruptions(rank.id, time);
  return time;
}

std::vector<std::string> ChangedWork::texts() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < changed_.size(); ++i)
    texts.push_back(fmt::format("{}: {:.6g} s of work", what_if_.work[i].text, changed_[i].value));
  if (what_if_.noise)
    texts.push_back(fmt::format("{}: {:.6g} s in all ranks", what_if_.noise->text, interrupted_.value));
  return texts;
}

} // namespace kakehashi
