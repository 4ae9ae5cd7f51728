// Recordings of a program on some numbers of ranks → what its ranks would do on another number.
//
// On a grid each rank does what the one of the largest recording does that has the same neighbours: a corner what that
// corner does, one inside what one inside does. Sizes of messages, and work, change with the number of ranks as they do
// from one recording to the next, by a power of it, and so does how often loops go round. Ranks on no grid that all
// make the same calls go on by the bits of their numbers.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

struct GrownJob {
  std::shared_ptr<const TraceSource> source; // its warnings say what was taken for what
  std::string text;                          // "8 x 8 x 8 ranks from lu64 (4 x 4 x 4), lu27 and lu8"
  bool is_on_grid = true;                    // else ranks call others by the bits of their numbers
};

// Recordings in any order. Errors: a fault of one, it is on no grid, ranks with the same neighbours make other calls,
// or the largest has none with the neighbours that a rank would have; and, with powers of two of ranks, why these do
// not tell partners by the bits of ranks' numbers.
Result<GrownJob> grow(std::vector<RecordedSize> recordings, int ranks);

// How far the largest recording is from what the others grow to.
struct GrowthError {
  std::string text; // of the job that was grown
  RankCalls grown;  // of all ranks
  RankCalls recorded;
  std::size_t unlike = 0; // ranks that make other calls
};
Result<GrowthError> held_out(std::vector<RecordedSize> recordings);

} // namespace kakehashi
