// A folder that the recorder wrote → events of each rank.
#pragma once

#include "model/trace_event.hpp"

namespace kakehashi {

struct OpenedRecording {
  std::shared_ptr<const TraceSource> source;
  bool counts_instructions = false; // else time
};

// ranks: that there are in the scenario. Errors: there is no recording, it is damaged, or has other ranks.
Result<OpenedRecording> open_recording(const std::string& folder, int ranks);

} // namespace kakehashi
