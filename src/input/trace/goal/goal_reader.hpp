// Schedules in GOAL, the text format of LogGOPSim → a graph of operations for each rank.
//
//   num_ranks 2
//   rank 0 {
//     l1: calc 100
//     l2: send 10b to 1 tag 3
//     l2 requires l1
//   }
//
// An operation has a label if other lines refer to it. `irequires` waits for the start of the other operation. Times
// are in ns. Work for different CPUs overlaps; `nic` has no meaning. A file may also have the form that txt2bin writes
// (goal_binary.hpp).
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

// Errors: all lines that are no GOAL, unknown or repeated labels, cycles, or another number of ranks.
Result<Schedule> read_goal(const std::string& file, int ranks);
Result<Schedule> parse_goal(const std::string& text, const std::string& file, int ranks);

} // namespace kakehashi
