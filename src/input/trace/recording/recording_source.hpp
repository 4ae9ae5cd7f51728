// A folder that the recorder wrote → the events of each rank.
#pragma once

#include "input/trace/recording/recording_survey.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

struct OpenedRecording {
  std::shared_ptr<const TraceSource> source;
  int ranks = 0;
  std::string program;
  bool counts_instructions = false; // false: it counts time
};

// `survey` is the result of survey_recording for the folder.
std::shared_ptr<const TraceSource> source_of(const std::string& folder, RecordingSurvey survey);

// Errors: there is no recording, or it is damaged or unfit for a replay.
Result<OpenedRecording> open_recording(const std::string& folder);

} // namespace kakehashi
