// Benchmarks by name → the program of each rank, and how its times become the printed numbers.
#pragma once

#include "model/scenario.hpp"
#include "workload/collective/collective.hpp"
#include "workload/iterations.hpp"

namespace kakehashi {

// One repetition of a benchmark at one size, as one rank does it. `shape` is the window, or the columns of the grid.
using Iteration = Program (*)(Rank& rank, Bytes size, int shape);

// A row of the table of benchmarks.
struct BenchmarkKind {
  BenchmarkName name;
  Iteration iteration;            // none: the collective operation that the benchmark is named after
  int (*repetitions)(Bytes size); // the benchmark's own choice
  double time_share;              // of an iteration's time that is printed: 1/2 where a round trip is halved
  double payloads(int window) const { return payloads_per_iteration * (has_window(name) ? window : 1); }
  double
      payloads_per_iteration; // messages whose bytes count in the bandwidth, over the printed time; 0: none is printed
  bool first_rank_only;       // prints what rank 0 sees, not the least, greatest and mean of all ranks
  bool changes_root = false;  // the next rank is the root in each iteration
  bool synchronises = false;  // a barrier, which does not count, is behind each iteration
};
const BenchmarkKind& kind_of(BenchmarkName name);

// The whole program of a rank: for each size a barrier, then iterations.
Program run_benchmark(Communicator world, const Benchmark& benchmark, Iterations& iterations);

// The log for a run of that many ranks.
Iterations iterations_of(const Benchmark& benchmark, int ranks);

// What a benchmark of a collective operation passes for a size of its table.
Call call_of(Collective collective, Bytes size, int ranks);

// The iterations, a file each.
Program ping_pong(Rank& rank, Bytes size, int window);          // IMB PingPong and osu_latency
Program neighbour_sendrecv(Rank& rank, Bytes size, int window); // IMB Sendrecv
Program neighbour_exchange(Rank& rank, Bytes size, int window); // IMB Exchange
Program window_one_way(Rank& rank, Bytes size, int window);     // osu_bw
Program window_both_ways(Rank& rank, Bytes size, int window);   // osu_bibw
Program put_once(Rank& rank, Bytes size, int window);           // osu_put_latency
Program get_once(Rank& rank, Bytes size, int window);           // osu_get_latency
Program ring_step(Rank& rank, Bytes size, int window);          // ring
Program open_ring_step(Rank& rank, Bytes size, int window);     // open-ring
Program halo_step(Rank& rank, Bytes size, int columns);         // halo-2d

} // namespace kakehashi
