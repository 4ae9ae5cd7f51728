// A recording → the collective calls of all ranks, in order.
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

} // namespace kakehashi
