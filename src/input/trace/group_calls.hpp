// Collective calls that GPUs make in process groups, as their traces have them: Chakra's, Kineto's and NCCL's.
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

struct DeviceTrace {
  Schedule schedule;
  std::vector<std::string> warnings; // of what was left out
};

// size: of what a rank puts in. The whole vector of an allreduce, reduce-scatter or alltoall, whose blocks are rounded
// up; a rank's block of an allgather or gather.
CollectiveEvent call_in_group(Collective collective, std::uint64_t size, std::size_t communicator, std::size_t members);

// The k-th call of all ranks of a group must be the same.
Errors check_group_calls(const Schedule& schedule, const std::string& file);

// Each message must have a receive; their tags are the groups'.
Errors check_group_messages(const Schedule& schedule, const std::string& file);

} // namespace kakehashi
