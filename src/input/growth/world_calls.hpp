// A recording → its collective calls of all ranks, in order: what all of them have in common.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

// One of them, with the other calls of each rank since the one before.
struct WorldCall {
  std::uint64_t all = 0;   // the same where all ranks do the same; sizes may differ
  std::uint64_t first = 0; // the same where rank 0 does so, also in a recording of another size
  std::uint64_t open = 0;  // 0: all messages that are sent in it are received in it; sums over calls likewise
};
bool is_world_call(const CollectiveEvent& call, const SurveyedSize& size);

// None if the ranks make unlike numbers of them.
std::vector<WorldCall> world_calls_of(const SurveyedSize& size);

} // namespace kakehashi
