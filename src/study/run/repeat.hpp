// A scenario → how much its times depend on the order of simultaneous events, from runs that shuffle this order.
#pragma once

#include "study/pool/pool.hpp"
#include "study/run/run.hpp"

namespace kakehashi {

// The first run shuffles nothing. Each run has a process of its own, at most `jobs` at a time. Errors: those of the
// first run that failed.
Result<Repeats> repeat(
    const Scenario& scenario, const RunPlan& plan, int runs, int jobs,
    const StudyProgress& progress = [](std::size_t, std::size_t) {});

} // namespace kakehashi
