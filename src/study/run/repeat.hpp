// A scenario → how much its times depend on the order of simultaneous events, from runs that shuffle it.
#pragma once

#include "study/run/pool.hpp"
#include "study/run/run.hpp"

namespace kakehashi {

// The first run shuffles nothing. Each has a process of its own, at most `jobs` at a time. Errors: of the first run
// that failed.
Result<Repeats> repeat(
    const Scenario& scenario, const EngineOptions& options, int runs, int jobs,
    const StudyProgress& progress = [](std::size_t, std::size_t) {});

} // namespace kakehashi
