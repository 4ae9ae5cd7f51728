// A schedule → the program of one of its ranks: each operation starts when those it depends on have ended, or started.
//
// Receives are posted first, sends and work follow in the order in which they became ready, on each CPU of the rank. A
// rank with several does their work side by side; what messages cost its first core then waits for no work. So it is
// for a rank with counters: its core is the adapter, which goes on with what counters start.
#pragma once

#include "model/schedule.hpp"
#include "workload/program.hpp"

namespace kakehashi {

struct ReplayWorld;
struct ReplaySpeed;

struct ScheduleForm {
  bool sends_in_turn = false;                   // a send starts when the one before has left
  std::optional<int> first_collective_tag = {}; // receives of any tag take none from here on
};

// The schedule must outlive the program. world: of collective calls, which must outlive it, too;
// null if there are none. They take their steps at any time, on no core of the rank's, as those of devices do.
Program run_scheduled(Rank& rank, const Schedule& schedule, ReplaySpeed speed, ScheduleForm form, ReplayWorld* world);

} // namespace kakehashi
