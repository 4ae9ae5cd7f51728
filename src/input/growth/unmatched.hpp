// Messages without a receive, and receives without a message, on a larger grid.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

// Names the first pair of ranks whose sends and receives differ although those of the recorded ranks agree.
std::optional<Error> unmatched_messages(const SurveyedSize& recorded, const Grid& grown);

} // namespace kakehashi
