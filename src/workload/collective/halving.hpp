// The parts of Rabenseifner's algorithms, for the power of two of ranks that a folding lets work.
//
// The first halves, which are the longest, go to the next rank, as in MPICH and Open MPI: where ranks of a node follow
// each other, only short parts leave it.
#pragma once

#include "workload/collective/folding.hpp"

namespace kakehashi {

// What a number works on after it has halved with all nearer than `distance`, a power of two.
Data blocks_of_half(const Folding& folding, const Blocks& blocks, int number, int distance);

// Reduce-scatter by recursive halving: each number ends with the sum of one block. In each step a rank keeps one half of
// what it still works on and gives the other to a peer, who does the reverse.
Program halve(Communicator comm, Folding folding, Blocks blocks);

// Allgather the same way back, from what halve() left.
Program join_halves(Communicator comm, Folding folding, Blocks blocks);

// Allgather by recursive doubling: number i begins with block i.
Program redouble(Communicator comm, Folding folding, Blocks blocks);

} // namespace kakehashi
