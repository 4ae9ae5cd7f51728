// The benchmarks of IMB and OSU, and rings, by name: a row each says what its ranks do and how it prints its times.
#pragma once

#include "model/benchmark.hpp"
#include "model/collective.hpp"
#include "model/curve.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace kakehashi {

class Program;
class Rank;
struct TableText;

// One repetition of a benchmark at one size, as one rank does it. `shape` is the window, or the columns of the grid.
using Iteration = Program (*)(Rank& rank, Bytes size, int shape);

// From one rank to another, in every iteration.
using Edge = std::array<std::size_t, 2>;

struct BenchmarkKind {
  std::string_view name;
  std::string_view purpose;
  Iteration iteration = nullptr; // none: the collective operation
  std::optional<Collective> collective{};
  int (*repetitions)(Bytes size) = nullptr; // the benchmark's own choice
  TableText (*form)(bool has_size) = nullptr;
  double time_share = 1;             // of an iteration's time that is printed: 1/2 where a round trip is halved
  double payloads_per_iteration = 0; // messages whose bytes count in the bandwidth, over the printed time; 0: none is
  bool first_rank_only = false;      // prints what rank 0 sees, not the least, greatest and mean of all ranks
  bool changes_root = false;         // the next rank is the root in each iteration
  bool synchronises = false;         // a barrier, which does not count, is behind each iteration
  bool is_for_two_ranks = false;     // all others take any number from 2 on
  bool begins_at_zero = false;       // its usual sizes do
  bool has_window = false;
  bool has_grid = false; // the ranks are a grid, row by row
  bool is_ring = false;  // each rank sends to the next one; the slowest step is printed
  bool is_closed = true; // of a ring: the last rank sends to the first one
  bool is_turnable = false;
  Metric metric = Metric::time;   // of a measured curve
  std::optional<TestForm> test{}; // what calibration can learn from
  // Who sends to whom, for bounds; none: not known.
  std::vector<Edge> (*edges)(std::size_t ranks, std::size_t columns) = nullptr;

  bool is_imb() const { return name.starts_with("imb-"); }
  bool has_sizes() const { return collective != Collective::barrier; }
  bool takes_root() const { return collective && has_root(*collective); }
  double payloads(int window) const { return payloads_per_iteration * (has_window ? window : 1); }
};

std::span<const BenchmarkKind> benchmark_kinds();
const BenchmarkKind* find_benchmark(std::string_view name); // null: there is none
const BenchmarkKind& kind_of(const Benchmark& benchmark);   // whose name must be in the table
std::vector<std::string> benchmark_names();

} // namespace kakehashi
