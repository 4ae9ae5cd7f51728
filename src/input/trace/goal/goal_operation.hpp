// The text after the label in a line of GOAL → the operation, or its fault.
//
//   calc NS, send SIZEb to RANK, recv SIZEb from RANK|-1, each with tag N|-1, cpu N, nic N
//   of LogGOPSim2, as in Portals 4 (README_GOAL):
//   append SIZEb to priority_list allowed RANK|-1 [use_once] [ct COUNTER] tag N     a place for messages
//   put SIZEb to RANK [ct COUNTER] tag N
//   tappend and tput, with `when COUNTER reaches NUMBER`: the same once the rank's counter has got there
//   test COUNTER for NUMBER                                                         waits for it
#pragma once

#include "input/trace/goal/goal_line.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

struct GoalOperation {
  ScheduledOperation operation;
  std::optional<CounterTerms> terms;
};

// Takes the words that belong to the operation. Returns the fault, or an empty text.
std::string read_goal_operation(GoalLine& line, int ranks, GoalOperation& into);

} // namespace kakehashi
