// The graph of one rank → the graphs of all, which do the same in groups of their own.
#pragma once

#include "input/trace/gpu/group_calls.hpp"

namespace kakehashi {

// `schedule` has the graph of `rank` alone, and the groups in its calls; the group of all `ranks` comes first. A group
// of every s-th of n x s ranks in a row stands for the other groups of this kind: every rank is in one. A message to
// the rank's second next in a group is one to the second next of each rank, around the group. Tags are the numbers of
// groups, or the program's own (`tags_are_groups` is false), and then messages are in the group of all. Errors: a group
// is of another kind, or the graphs have too many operations together.
Errors stand_for_all(Schedule& schedule, int rank, bool tags_are_groups);

} // namespace kakehashi
