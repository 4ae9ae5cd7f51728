// A schedule → the program of one of its ranks: each operation starts when those it depends on have ended, or started.
//
// Receives are posted first, sends and work follow in the order in which they became ready. The rank has one core.
#pragma once

#include "model/schedule.hpp"
#include "workload/program.hpp"

namespace kakehashi {

// The schedule must outlive the program. slowdown: of work.
Program run_scheduled(Rank& rank, const Schedule& schedule, double slowdown);

} // namespace kakehashi
