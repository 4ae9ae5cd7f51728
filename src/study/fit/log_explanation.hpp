// Logs of two ranks, and the platform that they were measured on if it is known → an explanation of the logs.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "result/log_explanation.hpp"
#include "study/pool/progress.hpp"

#include <span>

namespace kakehashi {

// The scenarios share platform and fabric, and come from read_log_scenarios. is_known: the platform is the user's;
// otherwise nothing is simulated. Errors: the unchanged platform cannot run them.
Result<LogExplanation> explain_logs(std::span<const Scenario> scenarios, bool is_known, int jobs,
                                    const StudyProgress& progress);

} // namespace kakehashi
