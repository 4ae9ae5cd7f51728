// Recordings → what they would be if each went through its loops as often as a job of another size does.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

struct LoopedSizes {
  std::vector<RecordedSize> recordings; // the largest first; empty: they all stay
  std::vector<std::string> texts;       // of what was taken
};
// Loops are those of all ranks, and have collective calls of all. Numbers of repetitions follow the best power of the
// ranks' number through all recordings in which rank 0 differs by nothing else. sizes: the largest first.
LoopedSizes with_loops_of(const std::vector<const SurveyedSize*>& sizes, int ranks);

} // namespace kakehashi
