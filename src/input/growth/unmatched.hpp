// Messages that nobody would receive, or that nobody would send, on a larger grid.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

// Names the first pair of ranks whose sends and receives differ though those of the recorded ranks do not.
std::optional<Error> unmatched_messages(const SurveyedSize& recorded, const Grid& grown);

} // namespace kakehashi
