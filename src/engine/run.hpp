// A scenario → what happened when it ran.
#pragma once

#include "base/error.hpp"
#include "engine/simulation.hpp"
#include "result/record.hpp"

namespace kakehashi {

// Everything that a scenario needs before it can run. The topology and the platform must outlive the paths.
struct Plan {
  std::shared_ptr<const Platform> platform;
  std::unique_ptr<Topology> topology;
  std::unique_ptr<PathTable> paths;
};

// Errors: two ranks have no route, or no rule of the fabric fits them.
Result<Plan> plan(const Scenario& scenario);

// Once in a process. Errors: those of plan, or a deadlock.
Result<RunRecord> run(const Scenario& scenario);

} // namespace kakehashi
