// A scenario → what its ranks do in a run of it, one message at a time: collective calls are those of their algorithms.
#pragma once

#include "base/error.hpp"
#include "engine/options.hpp"
#include "model/scenario.hpp"
#include "result/traced_job.hpp"

namespace kakehashi {

// Errors: those of a run, or an operation that traces do not have, such as a receive from any rank.
Result<TracedJob> trace_job(const Scenario& scenario, EngineOptions options = {});

} // namespace kakehashi
