// A schedule → the program of one of its ranks. An operation starts when those it depends on have ended, or started.
//
// Receives are posted first. Sends and work follow on each CPU of the rank in the order in which they became ready. A
// rank with several CPUs does their work at the same time, and the messages' cost on its first core waits for no work.
// The same holds for a rank with counters: its core is then the adapter, which does what counters start.
#pragma once

#include "model/schedule.hpp"
#include "workload/program.hpp"

namespace kakehashi {

struct ReplayWorld;
struct ReplaySpeed;

struct ScheduleForm {
  bool sends_in_turn = false;                   // a send starts when the previous one has left
  std::optional<int> first_collective_tag = {}; // receives of any tag take no message with this tag or a higher one
};

// The schedule and the world must outlive the program. `world` is for collective calls; null if there are none. These
// calls take their steps at any time and on no core of the rank, as calls of devices do.
Program run_scheduled(Rank& rank, const Schedule& schedule, ReplaySpeed speed, ScheduleForm form, ReplayWorld* world);

} // namespace kakehashi
