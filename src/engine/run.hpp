// A scenario → what happened when it ran.
#pragma once

#include "base/error.hpp"
#include "engine/simulation.hpp"
#include "result/record.hpp"

namespace kakehashi {

// Everything that a scenario needs before it can run.
struct Plan {
  std::shared_ptr<const Platform> platform;
  std::unique_ptr<Topology> topology;
  std::unique_ptr<ChainTable> chains;
};

// Errors: two ranks have no route, or no rule of the fabric fits them. Between many devices chains are found while the
// scenario runs, and so are such errors.
Result<Plan> plan(const Scenario& scenario);

// Once in a process. Errors: those of plan, or a deadlock. Fills the trace if there is one.
Result<RunRecord> run(const Scenario& scenario, Trace* trace = nullptr);
Result<RunRecord> run(const Scenario& scenario, const Plan& plan, Trace* trace = nullptr);

} // namespace kakehashi
