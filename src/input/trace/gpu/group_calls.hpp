// Collective calls of GPUs in process groups, as the traces of Chakra, Kineto and NCCL have them.
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

// Faults at many places of a file → one error for each reason, with the first place and the number of others.
class FaultReasons {
public:
  // `noun` is what a place is: "line".
  explicit FaultReasons(std::string noun) : noun_(std::move(noun)) {}

  void add(std::string place, std::string reason);
  // Returns the reasons in the order of their first places. More than twenty are left out.
  Errors take(const std::string& file) const;

private:
  struct Reason {
    std::string text;
    std::string place; // the first one
    std::size_t others = 0;
  };
  std::string noun_;
  std::vector<Reason> reasons_;
};

struct DeviceTrace {
  Schedule schedule;
  std::vector<std::string> warnings; // about what was left out
};

// `size` is what a rank contributes: the whole vector of an allreduce, reduce-scatter or alltoall, whose blocks are
// rounded up; or a rank's block of an allgather or gather.
CollectiveEvent call_in_group(Collective collective, std::uint64_t size, std::size_t communicator, std::size_t members);

// Checks that all ranks of a group make the same k-th call.
Errors check_group_calls(const Schedule& schedule, const std::string& file);

// Checks that each message has a receive. Tags are the numbers of groups.
Errors check_group_messages(const Schedule& schedule, const std::string& file);

// The graph of one rank → the graphs of all, which do the same in groups of their own.

// `schedule` has the graph of `rank` alone, and the groups in its calls; the group of all `ranks` comes first. A group
// of every s-th of n x s ranks in a row stands for the other groups of this kind: every rank is in one. A message to
// the rank's second next in a group is one to the second next of each rank, around the group. Tags are the numbers of
// groups, or the program's own (`tags_are_groups` is false), and then messages are in the group of all. Errors: a group
// is of another kind, or the graphs have too many operations together.
Errors stand_for_all(Schedule& schedule, int rank, bool tags_are_groups);

// A trace of some ranks → one of that many data parallel replicas of them, which work as these do. Calls of the group
// of all ranks, and of those of every n-th rank with the largest n, are of all replicas. Errors: there are no such
// calls.
Errors grow_replicas(DeviceTrace& trace, int copies, bool tags_are_groups);

} // namespace kakehashi
