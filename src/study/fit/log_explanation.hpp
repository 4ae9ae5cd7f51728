// Logs of two ranks, and the platform that they were measured on if it is known → what they show.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "result/log_explanation.hpp"
#include "study/run/progress.hpp"

#include <span>

namespace kakehashi {

// The scenarios share platform and fabric, and are as read_log_scenarios makes them. is_known: the platform is the
// user's; else nothing is simulated. Errors: the platform as it is cannot run them.
Result<LogExplanation> explain_logs(std::span<const Scenario> scenarios, bool is_known, int jobs,
                                    const StudyProgress& progress);

} // namespace kakehashi
