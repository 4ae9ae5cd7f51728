// The events of a recorded rank → its program.
//
// Collective operations use the library's algorithms, but gatherv and scatterv are linear: only the root's trace tells
// all sizes. Where the trace tells what a reduction costs, it is computed after it, and the library's own cost is left
// out. What was started and never waited for ends before the rank does.
#pragma once

#include "spec/trace_event.hpp"
#include "workload/call_order.hpp"
#include "workload/collective/collective.hpp"

namespace kakehashi {

// How fast the rank's device computes.
struct ReplaySpeed {
  FlopsPerSecond speed{1};
  double slowdown = 1; // of recorded times
};

// The stream, the order and the communicators' libraries must outlive the program. `without_reduction`: the same
// communicator with a library that adds in no time.
Program run_replay(Communicator world, Communicator without_reduction, std::unique_ptr<EventStream> events,
                   CallOrder& order, ReplaySpeed speed);

} // namespace kakehashi
