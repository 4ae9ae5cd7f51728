// Schedules in GOAL, the text format of LogGOPSim → a graph of operations for each rank.
//
//   num_ranks 2
//   rank 0 {
//     l1: calc 100
//     l2: send 10b to 1 tag 3
//     l2 requires l1
//   }
//
// An operation has a label if others speak of it. `irequires` waits for the start of the other. Times are in ns. Work
// for different CPUs goes on side by side; `nic` means nothing. A file may be what txt2bin makes (goal_binary.hpp).
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

// Errors: all lines that are no GOAL, labels that are not known or twice, circles, or another number of ranks.
Result<Schedule> read_goal(const std::string& file, int ranks);
Result<Schedule> parse_goal(const std::string& text, const std::string& file, int ranks);

} // namespace kakehashi
