// All ranks' time-independent traces, read once → what they show of each other, and what has to be assumed.
#pragma once

#include "input/trace/ti/ti_requests.hpp"

namespace kakehashi {

struct TiSurvey {
  std::vector<TiFacts> facts; // for each rank
  std::vector<std::string> warnings;
};

// `open` opens the lines of a rank. Faults are left to those who read the lines again.
TiSurvey survey(const std::function<std::unique_ptr<TiStream>(int rank)>& open, int ranks);

} // namespace kakehashi
