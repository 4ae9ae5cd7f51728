// The steps of a critical path, one after the other → the time of each sort of step, and the path's stretches in order,
// where repeated ones are counted. Memory stays bounded, however long the path is: once there are as many sorts as have
// room, further sorts are those of all ranks together; of the order, only the two ends are kept.
//
// Invariants:
// 1. `time_` is the sum of all steps: that of all sums, and that of all groups and of the tail.
// 2. The groups and, behind them, the tail are in the order of time; only the last stretch of the tail may still grow.
// 3. There are at most `room.sorts` sums of single ranks, and as many of all ranks together; further sorts are counted
//    for each phase alone.
// 4. `marks_` has a byte for each stretch of the tail; equal stretches have equal marks.
// 5. `places_` has room for twice as many sums as there are, so a search in it ends.
#pragma once

#include "result/phase.hpp"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// Whether a step of this phase is one of a rank, and not of a message.
constexpr bool is_on_rank(Phase phase) {
  return phase == Phase::compute || phase == Phase::sender_core || phase == Phase::receiver_core ||
         phase == Phase::host_copy || phase == Phase::joint;
}

// A time in which the whole run waits for one thing: a rank that computes, a core that works for a message, or a
// message on its way. The next step begins where this one ends.
struct PathStep {
  Phase phase = Phase::compute;
  std::uint16_t stage = 0;
  std::uint16_t leg = 0; // index into the legs of the stage's route
  int from = 0;          // the message's sender, or the rank
  int to = 0;            // the message's receiver, or the rank
  std::uint32_t way = 0; // the message's way: index into the engine's table of ways
  Bytes size;            // size of the message
  Bytes part; // the part of the message that is on its way; smaller than size if the message is sent in pieces
  Seconds start;
  Seconds end;
  std::uint64_t count = 1; // number of steps that it stands for
  std::uint32_t like = 0;  // the first way over which messages flow as fast as over this one
  std::uint32_t place = 0; // the place of the program that it is for, by the profile's number; 0: unknown
};

// All steps of one sort. A sort of all ranks together has -1 for from and to; its way is one over which all of its
// messages would flow equally fast.
struct PathSort {
  Phase phase = Phase::compute;
  std::uint16_t stage = 0;
  std::uint16_t leg = 0;
  int from = 0;
  int to = 0;
  std::uint32_t way = 0;
  Bytes size;
  Bytes part;
  std::uint32_t place = 0; // the place of the program

  auto operator<=>(const PathSort&) const = default;
};
struct PathTotal {
  Seconds time;
  std::uint64_t steps = 0;
};

// A stay on a rank (from == to), or a message from one rank to another.
struct PathStretch {
  bool is_message = false;
  int from = 0;
  int to = 0;
  Bytes size;
  Seconds compute; // computation during a stay on a rank
  Seconds time;
  std::uint64_t times = 1; // number of messages that it stands for

  bool is_like(const PathStretch& other) const {
    return is_message == other.is_message && from == other.from && to == other.to && size == other.size;
  }
};

// Stretches that came `times` times in a row, with all their time. A group without stretches stands for `times`
// stretches that are not shown.
struct PathGroup {
  std::vector<PathStretch> stretches;
  std::uint64_t times = 1;
  Seconds time() const;
  Seconds hidden; // time of the stretches that are not shown
};

class PathLog {
public:
  struct Room {
    std::size_t sorts = 65536;
    std::size_t groups = 256; // number of groups that are kept at each end of the path
  };
  PathLog() = default;
  explicit PathLog(const Room& room) : room_(room) {}

  void add(const PathStep& step);
  void add(const PathLog& later);

  std::map<PathSort, PathTotal> totals() const;
  std::vector<PathGroup> groups() const; // in the order of time
  Seconds time() const { return time_; } // the sum of all steps

private:
  void add(const PathStretch& stretch);
  void add(const PathGroup& group);
  void find_repetition();
  std::ptrdiff_t next_period(std::ptrdiff_t period, std::ptrdiff_t longest) const;
  bool repeats(std::ptrdiff_t period);
  void repeats_group();
  void count_again();
  void take_from_tail(std::ptrdiff_t stretches);
  void shorten();

  // The total of one sort. Steps recur in the same order, so `next`, the sort that followed last time, mostly follows
  // again.
  struct Sum {
    PathSort sort;
    std::uint32_t like = 0;
    std::uint32_t next = 0;
    PathTotal total;
  };
  PathTotal& total_of(const PathSort& sort, std::uint32_t like);
  std::optional<PathSort> sort_for_many(const PathSort& sort, std::uint32_t like) const;
  std::uint32_t& place_of(const PathSort& sort);
  void make_places();

  Room room_;
  std::vector<Sum> sums_;
  std::vector<std::uint32_t> places_; // hash table of indices into sums_, by sort
  std::uint32_t last_ = 0;
  std::vector<PathGroup> groups_;
  std::vector<PathStretch> tail_; // stretches after the groups, each listed once; the last one may still grow
  std::string marks_;             // a hash of each stretch of the tail, to find different ones quickly
  Seconds time_;
};

// The steps that determine the time of a run.
struct CriticalPath {
  PathLog log;
  std::vector<PathStep> steps; // every step, if the path is short enough to keep them all
};

} // namespace kakehashi
