// What ranks do → the traces of other simulators.
#pragma once

#include "result/traced_job.hpp"

#include <ostream>

namespace kakehashi {

// SimGrid's time-independent trace of all ranks, in one file. Work is in flops: one a nanosecond.
void write_ti(const TracedJob& job, std::ostream& out);
// LogGOPSim's GOAL, as text. Work is in whole nanoseconds.
void write_goal(const TracedJob& job, std::ostream& out);

} // namespace kakehashi
