// A benchmark → the program of each rank, and the log of what the ranks measure.
#pragma once

#include "workload/benchmark/kind.hpp"
#include "workload/collective/collective.hpp"
#include "workload/iterations.hpp"
#include "workload/job.hpp"

namespace kakehashi {

// Runs a rank: for each size a barrier, then iterations.
Program run_benchmark(Communicator world, const Benchmark& benchmark, Iterations& iterations);

// Returns the number of iterations that count before the mean is judged.
int least_iterations(const Benchmark& benchmark, int ranks);

// Returns the log for a run of `ranks` ranks. root_cycle: the distance between two ranks at the same place of their
// nodes.
Iterations iterations_of(const Benchmark& benchmark, int ranks, int root_cycle);

// Whether the user states an algorithm for barriers. Benchmarks then use it for their own barriers, too.
bool states_barrier(const Library& library);

// Returns the call that a benchmark of a collective operation makes for a size of its table.
Call call_of(Collective collective, Bytes size, int ranks);

// Returns the name of the algorithm and its settings, or "none" if there is no data.
std::string algorithm_text(Collective collective, Bytes size, const JobPlace& place);

// Makes the job of a benchmark of a nonblocking operation.
Job overlap_job(const Benchmark& benchmark, SharedPlace place);

// Returns the algorithm that the library runs for it.
AlgorithmRow algorithm_for(Collective collective, Bytes size, const Group& world, const Library& library);

} // namespace kakehashi
