// A recorded application → the profile of its calls with the times that they took when it was recorded.
#pragma once

#include "base/error.hpp"
#include "model/trace_event.hpp"
#include "result/call_profile.hpp"

namespace kakehashi {

struct RecordedCalls {
  CallProfile profile;
  double instructions = 0; // of all ranks' work, if that is what was counted
};
// Errors: a fault of a file.
Result<RecordedCalls> recorded_calls(const TraceSource& source, int ranks);

std::vector<std::string> communicator_names(const TraceSource& source); // the world's first

} // namespace kakehashi
