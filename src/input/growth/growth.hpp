// Recordings of a program on some numbers of ranks → the events of its ranks on another number.
//
// On a grid, each rank does what the rank with the same neighbours does in the largest recording: a corner what that
// corner does, an inner rank what an inner rank does. Sizes of messages, work, and repetitions of loops change with the
// number of ranks as from one recording to the next, by a power. If ranks are on no grid but all make the same calls,
// partners follow from the bits of their numbers.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

struct GrownJob {
  std::shared_ptr<const TraceSource> source; // its warnings state the assumptions
  std::string text;                          // "8 x 8 x 8 ranks from lu64 (4 x 4 x 4), lu27 and lu8"
  bool is_on_grid = true;                    // false: partners follow from the bits of ranks' numbers
};

// The recordings may be in any order. `sides`: the numbers of ranks along the axes of the grid, the last of which ranks
// are numbered along first; empty: the grid is like those of the recordings. Errors: a recording has a fault or is on
// no grid, ranks with the same neighbours make different calls, or the largest recording has no rank with the
// neighbours of some new rank; for powers of two of ranks also why their bits do not give the partners.
Result<GrownJob> grow(std::vector<RecordedSize> recordings, int ranks, const std::vector<int>& sides = {});

// How far the largest recording is from what the others grow to.
struct GrowthError {
  std::string text; // describes the job that was grown
  RankCalls grown;  // sum over all ranks
  RankCalls recorded;
  std::size_t unlike = 0; // number of ranks that make different calls
};
Result<GrowthError> held_out(std::vector<RecordedSize> recordings);

} // namespace kakehashi
