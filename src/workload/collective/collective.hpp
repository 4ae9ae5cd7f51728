// Collective operations → the program of one rank. Algorithms are rows of a table, selectors choose among them.
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
  // alltoall, alltoallv: what this rank sends to each.
  Blocks blocks = Blocks::whole({});
  int root = 0;
  Bytes segment{}; // as AlgorithmChoice has them; perform fills them in
  int width = 0;

  Blocks segments() const { return Blocks::segments(blocks.total(), segment); } // of the whole vector
};

// The library's choice for a call: the algorithm that was named, else the row of the selector's decision table.
AlgorithmChoice choose(const Library& library, Collective collective, const Group& group, const Blocks& blocks);

// Whether the group has the levels for a two-level form of the collective.
bool has_levels(const Group& group, Collective collective);

// "chain (32 KiB segments)", "linear (32 at a time)"
std::string to_text(const AlgorithmChoice& choice);

// Whether the ranks have nothing to exchange, so that the library returns at once, as Open MPI and MPICH do. Not for
// alltoallv: other ranks may have something for a rank that sends nothing.
bool is_without_data(Collective collective, const Blocks& blocks);

// Runs the collective with the library's choice.
Program perform(Communicator comm, Collective collective, Call call);

// Each rank enters before any leaves, in the fewest steps. Benchmarks synchronise with it.
Program barrier_dissemination(Communicator comm, Call call);
// As quick, and the same from either end of the ranks.
Program barrier_both_ways(Communicator comm, Call call);

} // namespace kakehashi
