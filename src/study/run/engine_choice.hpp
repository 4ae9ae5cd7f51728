// A scenario → the engine that runs it if the user leaves that open, decided before the run.
#pragma once

#include "engine/options.hpp"
#include "study/run/need.hpp"

namespace kakehashi {

// SimGrid's time for a message grows with the number of messages that flow at the same time. So its work is the number
// of messages that the scenario plans, each counted once for every message then under way. Up to this much work,
// SimGrid is chosen.
inline constexpr double simgrid_work = 50000; // some hundredths of a second

double simgrid_work_of(const Scenario& scenario, const Need& need);

// Never returns EngineKind::automatic.
EngineKind engine_for(const Scenario& scenario, const Need& need, EngineKind wished);

} // namespace kakehashi
