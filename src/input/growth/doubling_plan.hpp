// Calls that the ranks of two recordings make at once → those of a job that is beyond the larger as that is beyond the
// smaller.
#pragma once

#include "input/growth/common_calls.hpp"

namespace kakehashi {

// Stages are the same calls to partners that are twice as far, or half as far, each time: a rank's partner differs in
// the next bit.
struct DoublingPlan {
  struct Call {
    std::size_t recorded = 0; // which of the larger recording
    struct End {
      int tag = 0;
      std::optional<unsigned> partner; // which of the rules here
    };
    CallEnds<End> ends;
    double size = 1; // so many times as much
  };
  std::vector<BitPartner> partners;
  std::vector<Call> calls; // in order; those of a stage that is added repeat a recorded one
  std::size_t stages = 0;  // that are added
  std::size_t longest = 0; // calls of a stage
};
// Errors: they do not do the same but for stages and partners, or no such rule is left for so many ranks.
Result<DoublingPlan> doubling_plan(const CommonCalls& smaller, const CommonCalls& larger, int bits);

} // namespace kakehashi
