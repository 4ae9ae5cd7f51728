// The decision tables of MVAPICH2 2.3.7, as tuned on OSU's cluster RI2 (two sockets of 14 cores and EDR InfiniBand;
// src/mpi/coll/tuning, gen2_cma_RI2) with 28 ranks per node and with one. The library has such tables for some forty
// machines and several numbers of ranks per node; this one is used for all of them (assumed). Left out: the algorithm
// of each level of a two-level form (the rows for its size decide), and copies through a shared buffer or the kernel.
#include "workload/collective/libraries.hpp"

namespace kakehashi {
namespace {

using enum Collective;

// For numbers of ranks from `ranks_from`: the algorithm from each size on. Each range ends where the next begins.
// Recursive doubling of an Alltoall is replaced by Bruck's algorithm, a k-nomial reduction by a binomial one.
struct TunedStep {
  std::uint64_t bytes_from;
  std::string_view algorithm;
};
struct Tuned {
  int ranks_from;
  std::vector<TunedStep> steps;
};

const std::vector<Tuned> allgather_on_nodes{
    {0, {{0, "bruck"}, {16, "recursive-doubling"}, {1024, "ring"}}},
    {32, {{0, "recursive-doubling"}, {1024, "ring"}}},
    {128, {{0, "recursive-doubling"}, {2, "bruck"}, {4, "recursive-doubling"}, {2048, "ring"}}},
    {256, {{0, "recursive-doubling"}, {2048, "ring"}}},
};
const std::vector<Tuned> allgather_alone{
    {0,
     {{0, "recursive-doubling"},
      {4, "ring"},
      {8, "recursive-doubling"},
      {32, "ring"},
      {64, "recursive-doubling"},
      {256, "ring"},
      {512, "recursive-doubling"},
      {16384, "ring"}}},
    {4, {{0, "recursive-doubling"}, {128, "bruck"}, {256, "recursive-doubling"}, {16384, "ring"}}},
    {8, {{0, "recursive-doubling"}, {8, "bruck"}, {16, "recursive-doubling"}, {16384, "ring"}}},
    {16, {{0, "bruck"}, {2, "recursive-doubling"}, {16384, "ring"}}},
};
const std::vector<Tuned> allreduce_on_nodes{
    {0, {{0, "two-level"}, {4096, "rabenseifner"}, {1048576, "ring"}}},
    {32, {{0, "two-level"}, {8192, "rabenseifner"}, {1048576, "ring"}}},
    {128, {{0, "two-level"}, {8192, "recursive-doubling"}, {16384, "rabenseifner"}, {1048576, "ring"}}},
    {256, {{0, "two-level"}, {16384, "rabenseifner"}}},
    {512, {{0, "two-level"}, {16384, "rabenseifner"}, {1048576, "ring"}}},
};
const std::vector<Tuned> allreduce_alone{
    {0,
     {{0, "rabenseifner"},
      {16, "recursive-doubling"},
      {32, "rabenseifner"},
      {64, "recursive-doubling"},
      {128, "rabenseifner"},
      {256, "recursive-doubling"},
      {2048, "rabenseifner"},
      {4096, "recursive-doubling"},
      {32768, "rabenseifner"},
      {131072, "recursive-doubling"},
      {262144, "rabenseifner"},
      {524288, "ring"}}},
    {4,
     {{0, "rabenseifner"},
      {32, "recursive-doubling"},
      {256, "rabenseifner"},
      {1024, "recursive-doubling"},
      {2048, "rabenseifner"},
      {32768, "recursive-doubling"},
      {65536, "rabenseifner"},
      {524288, "ring"}}},
    {8,
     {{0, "rabenseifner"},
      {8, "recursive-doubling"},
      {16, "rabenseifner"},
      {32, "recursive-doubling"},
      {64, "rabenseifner"},
      {4096, "recursive-doubling"},
      {16384, "rabenseifner"},
      {524288, "ring"}}},
    {16,
     {{0, "rabenseifner"},
      {64, "recursive-doubling"},
      {256, "rabenseifner"},
      {8192, "recursive-doubling"},
      {16384, "rabenseifner"}}},
    {32,
     {{0, "rabenseifner"},
      {16, "recursive-doubling"},
      {64, "rabenseifner"},
      {128, "recursive-doubling"},
      {256, "rabenseifner"},
      {512, "recursive-doubling"},
      {4096, "rabenseifner"},
      {524288, "ring"}}},
};
const std::vector<Tuned> alltoall_on_nodes{
    {0, {{0, "bruck"}, {256, "linear"}}},
    {32, {{0, "bruck"}, {2048, "pairwise"}, {4096, "linear"}, {8192, "pairwise"}, {32768, "linear"}}},
    {64, {{0, "bruck"}, {2048, "linear"}, {4096, "pairwise"}, {16384, "linear"}}},
    {128, {{0, "bruck"}, {1024, "linear"}, {4096, "pairwise"}, {16384, "linear"}, {32768, "pairwise"}}},
    {256, {{0, "bruck"}, {1024, "linear"}, {4096, "pairwise"}}},
};
const std::vector<Tuned> alltoall_alone{
    {0, {{0, "pairwise"}}},
    {4, {{0, "linear"}}},
    {8, {{0, "bruck"}, {16, "linear"}}},
    {16, {{0, "bruck"}, {512, "linear"}}},
};
const std::vector<Tuned> gather_on_nodes{
    {0, {{0, "linear"}, {1048576, "binomial"}}},
    {32,
     {{0, "two-level"},
      {1024, "linear"},
      {16384, "two-level"},
      {65536, "binomial"},
      {131072, "two-level"},
      {262144, "binomial"},
      {524288, "two-level"}}},
    {64, {{0, "two-level"}, {2048, "linear"}, {16384, "two-level"}}},
};
const std::vector<Tuned> gather_alone{
    {0,
     {{0, "linear"},
      {32, "binomial"},
      {64, "linear"},
      {2048, "binomial"},
      {4096, "linear"},
      {16384, "binomial"},
      {32768, "linear"},
      {65536, "binomial"},
      {262144, "linear"}}},
    {4, {{0, "linear"}}},
    {8, {{0, "linear"}, {131072, "binomial"}, {524288, "linear"}}},
    {16, {{0, "linear"}, {32768, "binomial"}, {524288, "linear"}}},
};
const std::vector<Tuned> scatter_on_nodes{
    {0,
     {{0, "binomial"},
      {1024, "two-level"},
      {2048, "linear"},
      {4096, "two-level"},
      {8192, "linear"},
      {32768, "two-level"}}},
    {32, {{0, "two-level"}, {128, "binomial"}, {1024, "linear"}}},
    {64, {{0, "two-level"}, {4096, "linear"}}},
    {128, {{0, "two-level"}, {16384, "linear"}}},
    {512, {{0, "two-level"}, {2, "binomial"}, {16, "two-level"}, {16384, "linear"}}},
};
const std::vector<Tuned> scatter_alone{
    {0, {{0, "binomial"}, {32, "linear"}, {64, "binomial"}}},
    {4, {{0, "linear"}}},
    {16, {{0, "linear"}, {2, "binomial"}, {16, "linear"}}},
    {32, {{0, "binomial"}, {512, "linear"}}},
};
const std::vector<Tuned> bcast_on_nodes{
    {0, {{0, "two-level"}, {16384, "knomial"}, {32768, "two-level"}}},
    {32, {{0, "two-level"}}},
};
const std::vector<Tuned> reduce_on_nodes{
    {0, {{0, "two-level"}, {4096, "binomial"}, {8192, "rabenseifner"}, {32768, "binomial"}}},
    {32, {{0, "two-level"}}},
    {128, {{0, "two-level"}, {262144, "binomial"}, {524288, "two-level"}, {1048576, "binomial"}}},
    {256, {{0, "two-level"}}},
};

void add(std::vector<Decision>& all, Collective collective, int ranks_per_node_from, const std::vector<Tuned>& table) {
  const auto measure = row_of(collective).division == Division::whole ? Measure::usual : Measure::block;
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t k = 0; k < table[i].steps.size(); ++k) {
      const auto algorithm = table[i].steps[k].algorithm;
      Decision row{.collective = collective,
                   .algorithm = algorithm,
                   .measure = measure,
                   .on_nodes = algorithm == "two-level",
                   .ranks_per_node_from = ranks_per_node_from};
      set_ranges(row, table, i, k);
      all.push_back(row);
    }
}

} // namespace

std::span<const Decision> mvapich2_decisions() {
  static const auto rows = [] {
    std::vector<Decision> all{{.collective = barrier, .algorithm = "two-level", .on_nodes = true}};
    const auto add_both = [&](Collective collective, const auto& on_nodes, const auto& alone) {
      add(all, collective, 2, on_nodes);
      add(all, collective, 0, alone);
    };
    add_both(allgather, allgather_on_nodes, allgather_alone);
    add_both(allreduce, allreduce_on_nodes, allreduce_alone);
    add_both(alltoall, alltoall_on_nodes, alltoall_alone);
    add_both(gather, gather_on_nodes, gather_alone);
    add_both(scatter, scatter_on_nodes, scatter_alone);
    add(all, bcast, 2, bcast_on_nodes);
    add(all, reduce, 2, reduce_on_nodes);
    return all;
  }();
  return rows;
}

} // namespace kakehashi
