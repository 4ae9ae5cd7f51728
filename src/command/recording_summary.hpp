// Recordings → two lines about each, and one about what several of them predict for more ranks.
#pragma once

#include "input/growth/growth.hpp"
#include "input/trace/recording/recording_survey.hpp"

namespace kakehashi {

std::string summary_of_recording(const std::string& folder, const RecordingSurvey& survey);
std::string summary_of_growth(const GrowthError& error);

} // namespace kakehashi
