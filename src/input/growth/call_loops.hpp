// Calls in a row → loops of them; and what the loops of two recordings have in common.
#pragma once

#include "input/growth/world_calls.hpp"

namespace kakehashi {

// A call, or a loop of these.
struct CallLoop {
  std::uint64_t all = 0;      // hashes, as WorldCall has them
  std::uint64_t first = 0;    // does not depend on how often a loop is repeated
  std::size_t calls = 1;      // of one repetition
  std::size_t count = 1;      // of repetitions
  std::vector<CallLoop> body; // empty: a call
  bool is_loop() const { return !body.empty(); }
};
using CallLoops = std::vector<CallLoop>;
// A loop is what all ranks repeat at once, at least twice.
CallLoops loops_of(const std::vector<WorldCall>& calls);

// Where a loop begins (in calls), and how long a repetition is.
struct LoopPlace {
  std::size_t begin = 0;
  std::size_t calls = 0;
  auto operator<=>(const LoopPlace&) const = default;
};
struct LoopPair {
  LoopPlace place;
  LoopPlace other_place;
  std::size_t count = 0;
  std::size_t other_count = 0;
};
// Loops that rank 0 goes through in both, up to where more than the numbers of repetitions differs for it.
struct LoopMatch {
  std::vector<LoopPair> pairs;
  std::size_t end = 0; // in calls
  std::size_t other_end = 0;
  bool is_whole = false;
};
LoopMatch match_of(const CallLoops& one, const CallLoops& other);

// Calls of a recording that follow each other.
struct CallRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const CallRange&) const = default;
};
// All that is to be done, with other numbers of repetitions. More than there are: the second to the last, again and
// again.
std::vector<CallRange> with_counts(const CallLoops& loops, const std::map<LoopPlace, std::size_t>& counts);

} // namespace kakehashi
