// A scenario → which engine runs it where the user leaves that open, before anything runs.
#pragma once

#include "engine/options.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// SimGrid's time for a message grows with those that flow at the same time, so its work is the messages that the
// scenario plans, each as often as flows are under way then. It is taken for so much of it.
inline constexpr double simgrid_work = 50000; // some hundredths of a second

double simgrid_work_of(const Scenario& scenario);

// Never automatic.
EngineKind engine_for(const Scenario& scenario, EngineKind wished);

} // namespace kakehashi
