// The parts of Rabenseifner's algorithms, for a power of two of ranks, which a folding provides.
//
// The first halves, which are the longest, go to the next rank, as in MPICH and Open MPI. If the ranks of a node are
// adjacent, only short parts leave the node.
#pragma once

#include "workload/collective/folding.hpp"

namespace kakehashi {

// Returns the part that a number works on after it has halved with all numbers nearer than `distance`, a power of two.
Data blocks_of_half(const Folding& folding, const Blocks& blocks, int number, int distance);

// A reduce-scatter by recursive halving: each number ends with the sum of one block. In each step a rank keeps one half
// of the part that it works on and gives the other half to a peer, who does the reverse.
Program halve(Communicator comm, Folding folding, Blocks blocks);

// An allgather the same way back, from the result of halve().
Program join_halves(Communicator comm, Folding folding, Blocks blocks);

// An allgather by recursive doubling: number i begins with block i.
Program redouble(Communicator comm, Folding folding, Blocks blocks);

} // namespace kakehashi
