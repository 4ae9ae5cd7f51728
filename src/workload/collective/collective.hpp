// Collective operations → the program of one rank. Algorithms are rows of a table, and selectors choose among them.
//
//   co_await perform(comm, Collective::allreduce, Call{Blocks::whole(Bytes{4096})});
#pragma once

#include "workload/collective/communicator.hpp"
#include "workload/collective/registry.hpp"

namespace kakehashi {

// The arguments of a collective operation, as one rank passes them.
struct Call {
  // bcast, reduce, allreduce, scan, exscan: the whole vector in one block.
  // gather, scatter, allgather, reduce_scatter and their v-forms: the block of each rank; all ranks pass the same.
  // alltoall, alltoallv: the blocks that this rank sends to each.
  Blocks blocks = Blocks::whole({});
  int root = 0;
  Bytes segment{}; // segment, width and own are as in AlgorithmChoice; perform() sets them
  int width = 0;
  const OwnAlgorithm* own = nullptr; // set with them; null: the algorithm is none of a file

  Blocks segments() const { return Blocks::segments(blocks.total(), segment); } // segments of the whole vector
};

// Returns the library's choice for a call: the algorithm that the user named, or else that of the selector's table.
AlgorithmChoice choose(const Library& library, Collective collective, const Group& group, const Blocks& blocks);
// Whether it is an algorithm that some call of the library takes.
bool may_choose(const Library& library, std::size_t algorithm);

// Whether the group has the levels that a two-level form of the collective needs.
bool has_levels(const Group& group, Collective collective);

// Returns "chain (32 KiB segments)", "linear (32 at a time)".
std::string to_text(const AlgorithmChoice& choice);

// Whether the ranks have nothing to exchange, so that the library returns at once, as Open MPI and MPICH do. False for
// alltoallv: other ranks may send something to a rank that sends nothing.
bool is_without_data(Collective collective, const Blocks& blocks);

// Runs the collective with the library's choice.
Program perform(Communicator comm, Collective collective, Call call);

// A barrier in the fewest steps, with which benchmarks synchronise: each rank enters before any leaves.
Program barrier_dissemination(Communicator comm, Call call);
// An equally fast barrier that is the same from both ends of the ranks.
Program barrier_both_ways(Communicator comm, Call call);

} // namespace kakehashi
