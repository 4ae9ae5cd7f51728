// The two halves of Rabenseifner's algorithms, for the power of two of ranks that a folding lets work.
#pragma once

#include "workload/collective/folding.hpp"

namespace kakehashi {

// Reduce-scatter by recursive halving: number i ends with the sum of block i. In each step a rank keeps one half of
// what it still works on and gives the other to a peer, who does the reverse.
Program halve(Communicator comm, Folding folding, Blocks blocks);

// Allgather by recursive doubling: number i begins with block i.
Program redouble(Communicator comm, Folding folding, Blocks blocks);

} // namespace kakehashi
