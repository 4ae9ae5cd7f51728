// Recordings → the same with as many repetitions of their loops as a job of another size has.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

struct LoopedSizes {
  std::vector<RecordedSize> recordings; // the largest first; empty: all stay as they are
  std::vector<std::string> texts;       // the assumptions
};
// Loops are those of all ranks, and contain collective calls of all. The numbers of repetitions follow the best power
// of the number of ranks through all recordings in which rank 0 differs in nothing else. `sizes`: the largest comes
// first.
LoopedSizes with_loops_of(const std::vector<const SurveyedSize*>& sizes, int ranks);

} // namespace kakehashi
