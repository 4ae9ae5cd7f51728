// A recording → two lines about it.
#pragma once

#include "input/trace/recording_survey.hpp"

namespace kakehashi {

std::string summary_of_recording(const std::string& folder, const RecordingSurvey& survey);

} // namespace kakehashi
