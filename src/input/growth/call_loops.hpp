// A recording → the collective calls of all ranks, in order; these → their loops; the loops of two recordings → the
// loops that both have.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

// A collective call of all ranks, with the other calls of each rank since the previous one.
struct WorldCall {
  std::uint64_t all = 0;   // a hash, equal if all ranks do the same; sizes may differ
  std::uint64_t first = 0; // a hash, equal if rank 0 does the same, also in a recording of another size
  // 0: all messages that are sent in it are received in it; sums over calls have the same meaning.
  std::uint64_t open = 0;
};
bool is_world_call(const CollectiveEvent& call, const SurveyedSize& size);

// Returns none if ranks make different numbers of these calls.
std::vector<WorldCall> world_calls_of(const SurveyedSize& size);

// A call, or a loop of calls and loops.
struct CallLoop {
  std::uint64_t all = 0;      // a hash, as in WorldCall
  std::uint64_t first = 0;    // a hash that does not depend on the numbers of repetitions
  std::size_t calls = 1;      // number of calls in one repetition
  std::size_t count = 1;      // number of repetitions
  std::vector<CallLoop> body; // empty: it is a call
  bool is_loop() const { return !body.empty(); }
};
using CallLoops = std::vector<CallLoop>;
// A loop is a sequence that all ranks repeat at once, at least twice.
CallLoops loops_of(const std::vector<WorldCall>& calls);

// The place of a loop's first call, and the number of calls in a repetition.
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
// The loops that rank 0 passes through in both recordings, up to the first difference other than numbers of
// repetitions.
struct LoopMatch {
  std::vector<LoopPair> pairs;
  std::size_t end = 0; // number of calls up to the difference
  std::size_t other_end = 0;
  bool is_whole = false;
};
LoopMatch match_of(const CallLoops& one, const CallLoops& other);

// Adjacent calls of a recording: from `begin` to before `end`.
struct CallRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const CallRange&) const = default;
};
// Returns the calls to make, with other numbers of repetitions. If a loop needs more repetitions than were recorded,
// those from the second to the last recur.
std::vector<CallRange> with_counts(const CallLoops& loops, const std::map<LoopPlace, std::size_t>& counts);

} // namespace kakehashi
