// The benchmarks of IMB and OSU, and rings, by name, and what a scenario may say of one.
#pragma once

#include "base/units.hpp"
#include "model/collective.hpp"

#include <algorithm>
#include <vector>

namespace kakehashi {

enum class BenchmarkName {
  imb_pingpong,
  imb_sendrecv,
  imb_exchange,
  osu_latency,
  osu_bw,
  osu_bibw,
  imb_bcast,
  imb_reduce,
  imb_allreduce,
  imb_reduce_scatter,
  imb_allgather,
  imb_allgatherv,
  imb_gather,
  imb_gatherv,
  imb_scatter,
  imb_scatterv,
  imb_alltoall,
  imb_alltoallv,
  imb_barrier,
  imb_scan,
  osu_bcast,
  osu_reduce,
  osu_allreduce,
  osu_reduce_scatter,
  osu_allgather,
  osu_allgatherv,
  osu_gather,
  osu_gatherv,
  osu_scatter,
  osu_scatterv,
  osu_alltoall,
  osu_alltoallv,
  osu_barrier,
  osu_put_latency,
  osu_get_latency,
  ring,
  open_ring,
  halo_2d
};
inline constexpr std::array<std::string_view, 38> benchmark_names{
    "imb-pingpong",  "imb-sendrecv",   "imb-exchange",  "osu-latency",        "osu-bw",          "osu-bibw",
    "imb-bcast",     "imb-reduce",     "imb-allreduce", "imb-reduce-scatter", "imb-allgather",   "imb-allgatherv",
    "imb-gather",    "imb-gatherv",    "imb-scatter",   "imb-scatterv",       "imb-alltoall",    "imb-alltoallv",
    "imb-barrier",   "imb-scan",       "osu-bcast",     "osu-reduce",         "osu-allreduce",   "osu-reduce-scatter",
    "osu-allgather", "osu-allgatherv", "osu-gather",    "osu-gatherv",        "osu-scatter",     "osu-scatterv",
    "osu-alltoall",  "osu-alltoallv",  "osu-barrier",   "osu-put-latency",    "osu-get-latency", "ring",
    "open-ring",     "halo-2d"};

constexpr bool is_imb(BenchmarkName name) {
  return benchmark_names[static_cast<std::size_t>(name)].starts_with("imb-");
}

// The collective operation that a benchmark is named after.
constexpr std::optional<Collective> collective_of(BenchmarkName name) {
  const auto word = benchmark_names[static_cast<std::size_t>(name)].substr(4);
  for (std::size_t i = 0; i < collective_count; ++i)
    if (collective_names[i] == word)
      return static_cast<Collective>(i);
  return std::nullopt;
}

// Each rank sends to the next one, all at once; open: the last one to none.
constexpr bool is_ring(BenchmarkName name) {
  return name == BenchmarkName::ring || name == BenchmarkName::open_ring;
}
// Two ranks; all others take any number from 2 on.
constexpr bool is_for_two_ranks(BenchmarkName name) {
  return !collective_of(name) && !is_ring(name) && name != BenchmarkName::halo_2d &&
         name != BenchmarkName::imb_sendrecv && name != BenchmarkName::imb_exchange;
}
constexpr bool has_window(BenchmarkName name) {
  return name == BenchmarkName::osu_bw || name == BenchmarkName::osu_bibw;
}
// The ranks as a grid, row by row.
constexpr bool has_grid(BenchmarkName name) {
  return name == BenchmarkName::halo_2d;
}
constexpr bool has_sizes(BenchmarkName name) {
  return collective_of(name) != Collective::barrier;
}
constexpr bool has_root(BenchmarkName name) {
  const auto collective = collective_of(name);
  return collective && has_root(*collective);
}

// Messages between two ranks, from which a fabric can be calibrated.
constexpr bool is_point_to_point(BenchmarkName name) {
  return name <= BenchmarkName::osu_bibw;
}

struct Benchmark {
  BenchmarkName name = BenchmarkName::imb_pingpong;
  std::vector<Bytes> sizes;       // one, of 0 B, if the benchmark has none
  std::optional<int> repetitions; // none: as the benchmark itself chooses by size
  int warm_up = 1;                // iterations before them that do not count
  int window = 64;                // osu-bw, osu-bibw
  int columns = 1;                // halo-2d: of the grid; the rows follow from the number of ranks
  std::optional<int> root;        // none: as the benchmark does: IMB another one each time, OSU rank 0
  double megabyte = 1e6;          // bytes in the MB of a printed MB/s; IMB before 2019 means 2^20
};

} // namespace kakehashi
