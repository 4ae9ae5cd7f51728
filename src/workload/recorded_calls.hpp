// A recorded application → the profile of its calls, with the times that they took when they were recorded.
#pragma once

#include "base/error.hpp"
#include "model/trace_event.hpp"
#include "result/call_profile.hpp"

namespace kakehashi {

struct RecordedCalls {
  CallProfile profile;
  double instructions = 0; // in the work of all ranks, if instructions were counted
};
// Errors: a file has a fault.
Result<RecordedCalls> recorded_calls(const TraceSource& source, int ranks);

std::vector<std::string> communicator_names(const std::vector<RankGroup>& communicators); // the world's first

} // namespace kakehashi
