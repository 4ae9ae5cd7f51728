// What the conditions of MPICH's selection files ask about calls, by its src/mpi/coll/src/csel.c (alike in 4.0.2, 4.2.3
// and 5.0.1).
#pragma once

#include "model/collective.hpp"

#include <string_view>

namespace kakehashi {

// Whether MPICH knows a condition's quantity, such as "avg_msg_size", for calls of an operation. Asked for another one,
// it ends the job.
constexpr bool mpich_knows(std::string_view quantity, Collective collective) {
  using enum Collective;
  const auto is_one_of = [&](auto... each) { return ((collective == each) || ...); };
  if (quantity == "avg_msg_size")
    return is_one_of(allreduce, alltoall, bcast, reduce);
  if (quantity == "total_msg_size")
    return !is_one_of(barrier, gatherv, scatterv, scan, exscan);
  if (quantity == "count")
    return is_one_of(allgather, allgatherv, allreduce, bcast, reduce, reduce_scatter);
  if (quantity == "is_commutative")
    return is_one_of(allreduce, reduce, reduce_scatter);
  if (quantity == "is_op_built_in")
    return is_one_of(allreduce, reduce);
  if (quantity == "is_sendbuf_inplace")
    return is_one_of(alltoall, alltoallv);
  if (quantity == "is_block_regular")
    return collective == reduce_scatter;
  return true;
}

// Whether a quantity is asked for when a communicator is made. All others, and what stands below them or after them,
// are asked for at each call; there "comm_size<8" holds for 8 ranks, too.
constexpr bool is_of_communicator(std::string_view quantity) {
  return quantity.starts_with("comm_") || quantity == "is_node_consecutive";
}

} // namespace kakehashi
