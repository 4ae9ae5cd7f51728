// All ranks' time-independent traces, read once → what they tell of each other, and what has to be assumed.
#pragma once

#include "input/trace/ti_requests.hpp"

namespace kakehashi {

struct TiSurvey {
  std::vector<TiFacts> facts; // of each rank
  std::vector<std::string> warnings;
};

// open: the lines of a rank. What is wrong with them is left to those who read them again.
TiSurvey survey(const std::function<std::unique_ptr<TiStream>(int rank)>& open, int ranks);

} // namespace kakehashi
