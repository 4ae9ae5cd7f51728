// The benchmarks of IMB and OSU, and rings, one row each: its name, what its ranks do, and how it prints its times.
#pragma once

#include "model/benchmark_fields.hpp"
#include "model/curve.hpp"
#include "model/mpi_settings.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace kakehashi {

class Program;
class Rank;
struct TableText;

// One repetition of a benchmark at one size on one rank. `shape` is the window, or the number of columns of the grid.
using Iteration = Program (*)(Rank& rank, Bytes size, int shape);

// A message from one rank to another in every iteration.
using Edge = std::array<std::size_t, 2>;

struct BenchmarkKind {
  std::string_view name;
  std::string_view purpose;
  Iteration iteration = nullptr; // none: the benchmark calls its collective operation
  std::optional<Collective> collective{};
  std::optional<GpuOperation> gpu{};        // it calls NCCL or RCCL
  int (*repetitions)(Bytes size) = nullptr; // the benchmark's own choice
  TableText (*form)(bool has_size) = nullptr;
  double time_share = 1; // the share of an iteration's time that is printed: 1/2 where a round trip is halved
  // Messages whose bytes count in the bandwidth over the printed time; 0: no bandwidth.
  double payloads_per_iteration = 0;
  bool first_rank_only = false;  // it prints the time of rank 0, not the least, greatest and mean of all ranks
  bool changes_root = false;     // the next rank is the root in each iteration
  bool synchronises = false;     // a barrier, which is not measured, follows each iteration
  bool is_for_two_ranks = false; // other benchmarks take any number of ranks from 2
  bool begins_at_zero = false;   // whether its usual sizes begin at 0 B
  bool has_window = false;
  bool has_grid = false; // the ranks form a grid, row by row
  bool is_ring = false;  // each rank sends to the next one, and the slowest step is printed
  bool is_closed = true; // in a ring, the last rank sends to the first one
  bool is_turnable = false;
  bool overlaps = false;          // its collective operation does not block, and the ranks work meanwhile
  Metric metric = Metric::time;   // the metric of measured curves
  std::optional<TestForm> test{}; // the test that calibration can learn from
  // Who sends to whom, for bounds; null: unknown.
  std::vector<Edge> (*edges)(std::size_t ranks, std::size_t columns) = nullptr;

  bool is_imb() const { return name.starts_with("imb-"); }
  bool has_sizes() const { return collective != Collective::barrier; }
  bool takes_root() const { return (collective && has_root(*collective)) || (gpu && is_rooted(*gpu)); }
  double payloads(int window) const { return payloads_per_iteration * (has_window ? window : 1); }
};

std::span<const BenchmarkKind> benchmark_kinds();
const BenchmarkKind* find_benchmark(std::string_view name); // null: there is none
const BenchmarkKind& kind_of(const Benchmark& benchmark);   // its name must be in the table
std::vector<std::string> benchmark_names();

} // namespace kakehashi
