#include "workload/collective/algorithms.hpp"
#include "workload/collective/libraries.hpp"

namespace kakehashi {
namespace {

// All ranks of a node pass flags, and data of `size`, through memory that they share.
Seconds half_a_cycle(const Communicator& comm, Bytes size) {
  const auto& costs = own_or_followed(comm.library()).shared_memory;
  const double ranks = comm.size();
  return costs.start + ranks * (costs.per_rank + size / costs.rate);
}

} // namespace

// The root reads the flags and vectors of all ranks, which then go on.
Program reduce_shared_memory(Communicator comm, Call call) {
  const auto vector = call.blocks;
  const auto time = half_a_cycle(comm, vector.total());
  if (comm.rank() == call.root)
    co_await comm.together(Nothing{}, time);
  else
    co_await comm.together(vector.all().to_add(), time);
}

// All ranks read the flag and the vector of the root.
Program bcast_shared_memory(Communicator comm, Call call) {
  const auto vector = call.blocks;
  const auto time = half_a_cycle(comm, vector.total());
  if (comm.rank() == call.root)
    co_await comm.together(vector.all(), time);
  else
    co_await comm.together(Nothing{}, time);
}

Program allreduce_shared_memory(Communicator comm, Call call) {
  co_await reduce_shared_memory(comm, call);
  co_await bcast_shared_memory(comm, call);
}

Program barrier_shared_memory(Communicator comm, Call) {
  co_await comm.together(Nothing{}, half_a_cycle(comm, {}));
  co_await comm.together(Nothing{}, half_a_cycle(comm, {}));
}

} // namespace kakehashi
