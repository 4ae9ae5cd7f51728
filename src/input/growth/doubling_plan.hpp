// The calls that the ranks of two recordings make at once → the calls of a job that lies beyond the larger one as that
// lies beyond the smaller one.
#pragma once

#include "input/growth/common_calls.hpp"

namespace kakehashi {

// Stages are the same calls to partners that are twice as far each time, or half as far: partners of successive stages
// differ in successive bits.
struct DoublingPlan {
  struct Call {
    std::size_t recorded = 0; // index into the larger recording
    struct End {
      int tag = 0;
      std::optional<unsigned> partner; // index into the rules here
    };
    CallEnds<End> ends;
    double size = 1; // factor of the size
  };
  std::vector<BitPartner> partners;
  std::vector<Call> calls; // in order; calls of added stages repeat recorded ones
  std::size_t stages = 0;  // number of added stages
  std::size_t longest = 0; // calls in the longest stage
};
// Errors: the recordings differ by more than stages and partners, or no rule remains for so many ranks.
Result<DoublingPlan> doubling_plan(const CommonCalls& smaller, const CommonCalls& larger, int bits);

} // namespace kakehashi
