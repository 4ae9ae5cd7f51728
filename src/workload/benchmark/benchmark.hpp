// A benchmark → the program of each rank, and what they measure.
#pragma once

#include "workload/benchmark/kind.hpp"
#include "workload/collective/collective.hpp"
#include "workload/iterations.hpp"

namespace kakehashi {

// The whole program of a rank: for each size a barrier, then iterations.
Program run_benchmark(Communicator world, const Benchmark& benchmark, Iterations& iterations);

// The iterations that count, after which their mean is looked at.
int least_iterations(const Benchmark& benchmark, int ranks);

// The log for a run of that many ranks. root_cycle: ranks from one to the next that is at the same place of its node.
Iterations iterations_of(const Benchmark& benchmark, int ranks, int root_cycle);

// Whether the user states an algorithm for barriers: benchmarks then take it for their own ones, too.
bool states_barrier(const Library& library);

// The call of a benchmark of a collective operation for a size of its table.
Call call_of(Collective collective, Bytes size, int ranks);

// And what the library then runs.
const AlgorithmRow& algorithm_for(Collective collective, Bytes size, const Group& world, const Library& library);

} // namespace kakehashi
