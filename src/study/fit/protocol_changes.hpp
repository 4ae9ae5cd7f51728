// The measured curve of two ranks → where protocols change, and what each change costs.
#pragma once

#include "model/scenario.hpp"
#include "result/log_explanation.hpp"

namespace kakehashi {

// The times of messages by size: of windows, and where both ends send at once, the time for each message of one
// direction. The scenario is a test of two ranks with a reference.
Curve message_times(const Scenario& scenario);

// Of a job of many ranks only the first figures. Of a log that may have been measured anywhere, if the platform is not
// known; else the variables are those of the path's network and of the platform's library.
ExplainedTable explain_table(const Scenario& scenario, bool is_known);

} // namespace kakehashi
