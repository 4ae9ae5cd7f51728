// The measured curve of two ranks → the sizes at which protocols change, and the cost of each change.
#pragma once

#include "model/scenario.hpp"
#include "result/log_explanation.hpp"

namespace kakehashi {

// Returns the times of messages by size. For windows, and if both ends send at once, it is the time per message in one
// direction. The scenario is a test of two ranks with a reference.
Curve message_times(const Scenario& scenario);

// For a job of more ranks it gives only the first figures. If the platform is unknown, the variables are those for any
// place; otherwise those of the path's network and of the platform's library.
ExplainedTable explain_table(const Scenario& scenario, bool is_known);

} // namespace kakehashi
