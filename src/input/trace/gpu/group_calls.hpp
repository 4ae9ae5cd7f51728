// Collective calls of GPUs in process groups, as the traces of Chakra, Kineto and NCCL have them.
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

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

} // namespace kakehashi
