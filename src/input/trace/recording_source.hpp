// A folder that the recorder wrote → events of each rank.
#pragma once

#include "input/trace/recording_survey.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

struct OpenedRecording {
  std::shared_ptr<const TraceSource> source;
  int ranks = 0;
  std::string program;
  bool counts_instructions = false; // else time
};

// survey: of the folder, as survey_recording gives it.
std::shared_ptr<const TraceSource> source_of(const std::string& folder, RecordingSurvey survey);

// Errors: there is no recording, or it is damaged or unfit for a replay.
Result<OpenedRecording> open_recording(const std::string& folder);

} // namespace kakehashi
