// A folder that the recorder wrote → events of each rank.
#pragma once

#include "input/trace/recording_survey.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

struct OpenedRecording {
  std::shared_ptr<const TraceSource> source;
  bool counts_instructions = false; // else time
};

// survey: of the folder, as survey_recording gives it.
std::shared_ptr<const TraceSource> source_of(const std::string& folder, RecordingSurvey survey);

// ranks: that there are in the scenario. Errors: there is no recording, it is damaged, or has other ranks.
Result<OpenedRecording> open_recording(const std::string& folder, int ranks);

} // namespace kakehashi
