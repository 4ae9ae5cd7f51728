// The steps of a critical path, one after the other → how much time each sort of step has, and the stretches of
// it in order, where those that repeat are counted. Memory stays bounded, however long the path is: what comes when
// there are as many sorts as have room is told of all ranks together, and of the order the two ends are kept.
#pragma once

#include "result/phase.hpp"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// On a rank, where a step is not of one message.
constexpr bool is_on_rank(Phase phase) {
  return phase == Phase::compute || phase == Phase::sender_core || phase == Phase::receiver_core ||
         phase == Phase::host_copy;
}

// A time in which the whole run waits for one thing: a rank that computes, a core that works for a message,
// or a message on its way. The next step begins where it ends.
struct PathStep {
  Phase phase = Phase::compute;
  std::uint16_t stage = 0;
  std::uint16_t leg = 0; // of the stage's route
  int from = 0;          // of the message, or the rank
  int to = 0;            // likewise
  std::uint32_t way = 0; // of the message: index into the engine's table of ways
  Bytes size;            // of the message
  Bytes part;            // of it that is on its way; smaller if the message is sent in pieces
  Seconds start;
  Seconds end;
  std::uint64_t count = 1; // of steps for which it stands
  std::uint32_t like = 0;  // the first way over which messages flow as fast as over its own
  std::uint32_t place = 0; // of the program that it is for, by the profile's number; 0: not known
};

// All steps of one sort. Of all ranks from and to are -1; then the way is one over which the messages would flow as
// fast.
struct PathSort {
  Phase phase = Phase::compute;
  std::uint16_t stage = 0;
  std::uint16_t leg = 0;
  int from = 0;
  int to = 0;
  std::uint32_t way = 0;
  Bytes size;
  Bytes part;
  std::uint32_t place = 0; // of the program

  auto operator<=>(const PathSort&) const = default;
};
struct PathTotal {
  Seconds time;
  std::uint64_t steps = 0;
};

// A stay on a rank (from == to), or a message from one to another.
struct PathStretch {
  bool is_message = false;
  int from = 0;
  int to = 0;
  Bytes size;
  Seconds compute; // of the time on a rank
  Seconds time;
  std::uint64_t times = 1; // of a message: for so many it stands

  bool is_like(const PathStretch& other) const {
    return is_message == other.is_message && from == other.from && to == other.to && size == other.size;
  }
};

// Stretches that came so many times one after the other, with all their time. Without any: so many that are not shown.
struct PathGroup {
  std::vector<PathStretch> stretches;
  std::uint64_t times = 1;
  Seconds time() const;
  Seconds hidden; // time of stretches that are not shown
};

class PathLog {
public:
  struct Room {
    std::size_t sorts = 65536;
    std::size_t groups = 256; // at each end
  };
  PathLog() = default;
  explicit PathLog(const Room& room) : room_(room) {}

  void add(const PathStep& step);
  void add(const PathLog& later);

  std::map<PathSort, PathTotal> totals() const;
  std::vector<PathGroup> groups() const; // in order of time
  Seconds time() const { return time_; } // of all steps

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

  // Of one sort. Steps come again in the same order, so the next sort is mostly the one that came next before.
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
  std::vector<std::uint32_t> places_; // of the sums, by what is mixed of their sorts
  std::uint32_t last_ = 0;
  std::vector<PathGroup> groups_;
  std::vector<PathStretch> tail_; // after them, each once; the last one may still grow
  std::string marks_;             // of the tail's, to tell unlike ones quickly
  Seconds time_;
};

// The steps that the time of a run hangs on.
struct CriticalPath {
  PathLog log;
  std::vector<PathStep> steps; // each one, if the path is so short that all were kept
};

} // namespace kakehashi
