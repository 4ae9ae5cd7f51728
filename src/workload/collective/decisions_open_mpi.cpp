// The decision table of coll/tuned in Open MPI 4.1, and the numbers of algorithms in Open MPI's settings.
// coll_tuned_decision_fixed.c is the same in 4.1.6 and 5.0.5.
#include "workload/collective/libraries.hpp"

namespace kakehashi {
namespace {

using enum Collective;

// For numbers of ranks from `ranks_from`: the number of the algorithm from each size on. Each range ends where the next
// begins.
struct Step {
  std::uint64_t bytes_from;
  int number;
};
struct Numbered {
  int ranks_from;
  std::vector<Step> steps;
};

// The numbers in coll_tuned_<operation>_decision.c, from 1 on. "two_proc" is replaced by an exchange.
struct Numbers {
  Collective collective;
  std::vector<LibrarysAlgorithm> algorithms;
};
const std::vector<Numbers>& numbers() {
  static const std::vector<Numbers> all{
      {barrier,
       {{"linear"}, {"double-ring"}, {"recursive-doubling"}, {"dissemination"}, {"recursive-doubling"}, {"tree"}}},
      {bcast,
       {{"linear"},
        {"chain"},
        {"chain", 1},
        {"split-binary"},
        {"binary"},
        {"binomial-nearest-first"},
        {"knomial"},
        {"scatter-doubling-allgather"},
        {"scatter-ring-allgather"}}},
      {reduce, {{"linear"}, {"chain"}, {"chain", 1}, {"binary"}, {"binomial"}, {"binary-in-order"}, {"rabenseifner"}}},
      {allreduce,
       {{"linear"}, {"reduce-bcast"}, {"recursive-doubling"}, {"ring"}, {"segmented-ring"}, {"rabenseifner"}}},
      {gather, {{"linear"}, {"binomial"}, {"linear-synchronised"}}},
      {scatter, {{"linear"}, {"binomial"}, {"linear-at-once"}}},
      {allgather,
       {{"gather-bcast"},
        {"bruck"},
        {"recursive-doubling"},
        {"ring"},
        {"neighbour-exchange"},
        {"recursive-doubling"},
        {"sparbit"}}},
      {allgatherv,
       {{"gather-bcast"}, {"bruck"}, {"ring"}, {"neighbour-exchange"}, {"recursive-doubling"}, {"sparbit"}}},
      {alltoall, {{"linear"}, {"pairwise"}, {"bruck"}, {"linear"}, {"pairwise"}}},
      {alltoallv, {{"linear"}, {"pairwise"}}},
      {reduce_scatter, {{"reduce-scatterv"}, {"recursive-halving"}, {"ring"}, {"butterfly"}}},
      {scan, {{"linear"}, {"recursive-doubling"}}},
      {exscan, {{"linear"}, {"recursive-doubling"}}},
  };
  return all;
}

const std::vector<Numbered> barrier_rows{
    {0, {{0, 3}}},   {4, {{0, 1}}},   {8, {{0, 3}}},    {64, {{0, 4}}},
    {256, {{0, 6}}}, {512, {{0, 4}}}, {1024, {{0, 6}}}, {4096, {{0, 4}}},
};
const std::vector<Numbered> bcast_rows{
    {0,
     {{0, 3}, {32, 5}, {256, 3}, {512, 7}, {1024, 1}, {32768, 5}, {131072, 2}, {262144, 1}, {524288, 6}, {1048576, 5}}},
    {4, {{0, 5}, {64, 6}, {128, 5}, {2048, 6}, {8192, 1}, {1048576, 2}}},
    {8, {{0, 7}, {8, 5}, {64, 7}, {4096, 5}, {16384, 6}, {32768, 1}}},
    {16, {{0, 7}, {4096, 6}, {1048576, 8}}},
    {32, {{0, 6}, {2048, 7}}},
    {64, {{0, 7}}},
    {128, {{0, 6}, {2, 5}, {16384, 1}, {32768, 5}, {65536, 7}}},
    {256, {{0, 7}, {16384, 4}, {32768, 7}}},
    {1024, {{0, 7}, {524288, 8}}},
    {2048, {{0, 7}, {262144, 8}}},
    {4096, {{0, 7}, {8192, 5}, {16384, 7}, {262144, 8}}},
};
const std::vector<Numbered> reduce_rows{
    {0, {{0, 7}, {8, 4}, {16, 3}, {32, 1}, {262144, 3}, {524288, 2}, {1048576, 3}}},
    {4, {{0, 4}, {4096, 2}, {65536, 5}, {262144, 1}, {524288, 5}, {1048576, 1}}},
    {8, {{0, 4}, {8192, 5}}},
    {16, {{0, 4}, {4096, 5}}},
    {32, {{0, 5}}},
    {256, {{0, 5}, {8192, 6}, {16384, 5}}},
    {512, {{0, 5}}},
    {2048, {{0, 5}, {512, 6}, {1024, 5}, {8192, 6}, {16384, 5}}},
    {4096, {{0, 5}, {16, 6}, {32, 5}, {1024, 6}, {2048, 5}, {8192, 6}, {16384, 5}}},
};
const std::vector<Numbered> allreduce_rows{
    {0, {{0, 4}, {8, 3}, {4096, 4}, {8192, 3}, {16384, 4}, {65536, 5}, {262144, 6}}},
    {4, {{0, 4}, {16, 3}, {8192, 6}}},
    {8, {{0, 3}, {8192, 6}}},
    {16, {{0, 5}, {64, 3}, {4096, 6}}},
    {32, {{0, 5}, {128, 6}}},
    {64, {{0, 3}, {262144, 6}}},
    {128, {{0, 2}, {131072, 3}, {262144, 6}}},
    {256, {{0, 2}, {4096, 6}}},
    {512, {{0, 2}, {2048, 3}, {16384, 6}}},
    {2048, {{0, 2}, {2048, 5}, {4096, 3}, {16384, 6}}},
    {4096, {{0, 2}, {2048, 5}, {16384, 3}, {32768, 6}}},
};
const std::vector<Numbered> gather_rows{
    {0, {{0, 3}, {2, 1}, {4, 2}, {32768, 1}, {65536, 2}, {131072, 3}}},
    {4, {{0, 2}, {1024, 1}, {8192, 2}, {32768, 1}, {262144, 3}}},
    {8, {{0, 2}}},
    {256, {{0, 2}, {2048, 1}, {8192, 2}}},
    {512, {{0, 2}}},
};
const std::vector<Numbered> scatter_rows{
    {0, {{0, 3}, {2, 1}, {131072, 3}, {262144, 1}}},
    {4, {{0, 2}, {2048, 1}, {4096, 2}, {8192, 1}, {32768, 3}, {1048576, 1}}},
    {8, {{0, 2}, {16384, 3}, {1048576, 1}}},
    {16, {{0, 2}, {16384, 1}, {32768, 3}}},
    {32, {{0, 2}, {512, 3}, {8192, 2}, {16384, 3}}},
    {64, {{0, 2}, {512, 3}}},
};
const std::vector<Numbered> allgather_rows{
    {0, {{0, 6}}},
    {3, {{0, 3}}},
    {32, {{0, 3}, {1024, 5}, {65536, 4}}},
    {64, {{0, 3}, {512, 5}, {65536, 4}}},
    {128, {{0, 3}, {512, 5}, {131072, 4}, {524288, 5}, {1048576, 4}}},
    {256, {{0, 3}, {32, 2}, {128, 3}, {1024, 5}, {131072, 4}, {524288, 5}, {1048576, 4}}},
    {512, {{0, 3}, {64, 2}, {256, 3}, {2048, 5}}},
    {1024, {{0, 3}, {4, 2}, {8, 3}, {16, 2}, {32, 3}, {256, 2}, {512, 3}, {4096, 5}}},
    {2048, {{0, 2}, {32, 3}, {128, 2}, {512, 3}, {4096, 5}}},
    {4096, {{0, 3}, {2, 2}, {8, 3}, {16, 2}, {512, 3}, {4096, 5}}},
};
const std::vector<Numbered> allgatherv_rows{
    {0, {{0, 3}, {2048, 5}, {4096, 3}, {8192, 5}}},
    {3, {{0, 1}, {256, 4}, {4096, 3}, {8192, 4}, {16384, 2}, {262144, 4}}},
    {8, {{0, 1}, {1024, 2}}},
    {16, {{0, 1}, {128, 2}, {262144, 3}}},
    {32, {{0, 1}, {256, 2}, {8192, 3}}},
    {64, {{0, 1}, {256, 2}, {4096, 3}}},
    {128, {{0, 2}, {1024, 4}, {65536, 3}}},
    {256, {{0, 2}, {1024, 3}}},
    {512, {{0, 2}, {512, 1}, {1024, 2}, {4096, 4}, {1048576, 3}}},
    {1024, {{0, 2}, {4096, 4}}},
};
const std::vector<Numbered> alltoall_rows{
    {0, {{0, 2}, {2, 5}, {4, 2}, {16, 5}, {64, 2}, {256, 5}, {4096, 2}, {32768, 4}, {262144, 5}, {1048576, 2}}},
    {3, {{0, 4}, {8192, 1}, {16384, 4}, {65536, 1}, {524288, 2}, {1048576, 1}}},
    {8, {{0, 4}, {262144, 1}}},
    {16, {{0, 4}, {4, 3}, {512, 4}, {8192, 1}, {32768, 4}, {262144, 1}, {524288, 4}}},
    {32, {{0, 3}, {512, 1}, {524288, 4}}},
    {64, {{0, 3}, {1024, 1}, {2048, 4}, {4096, 1}, {262144, 2}}},
    {128, {{0, 3}, {1024, 4}, {2048, 1}, {262144, 2}}},
    {256, {{0, 3}, {1024, 4}, {8192, 1}, {32768, 2}}},
    {512, {{0, 3}, {512, 4}, {8192, 1}, {16384, 4}, {131072, 1}, {262144, 2}}},
    {1024, {{0, 3}, {512, 4}, {1024, 1}, {2048, 4}, {16384, 1}, {262144, 4}}},
    {2048, {{0, 3}, {1024, 4}, {4096, 1}, {8192, 4}, {131072, 1}}},
    {4096, {{0, 3}, {2048, 4}, {8192, 1}, {16384, 4}, {32768, 1}, {65536, 4}}},
};
const std::vector<Numbered> alltoallv_rows{
    {0, {{0, 2}}}, {4, {{0, 1}}}, {64, {{0, 2}}}, {128, {{0, 1}}}, {256, {{0, 2}}}, {1024, {{0, 1}}},
};
const std::vector<Numbered> reduce_scatter_rows{
    {0, {{0, 3}, {65536, 4}, {131072, 3}}},
    {4, {{0, 1}, {8, 2}, {262144, 3}}},
    {8, {{0, 2}, {262144, 3}}},
    {32, {{0, 1}, {64, 2}, {2048, 4}, {524288, 3}}},
    {64, {{0, 1}, {256, 2}, {512, 4}, {2048, 2}, {4096, 4}}},
    {128, {{0, 1}, {256, 2}, {512, 4}}},
    {256, {{0, 1}, {256, 2}, {1024, 4}}},
    {512, {{0, 1}, {512, 2}, {2048, 4}, {8192, 2}, {16384, 4}}},
    {1024, {{0, 1}, {512, 2}, {4096, 4}, {16384, 2}, {32768, 4}}},
    {2048, {{0, 1}, {512, 2}, {4096, 4}}},
    {4096, {{0, 1}, {1024, 2}, {8192, 4}}},
};

void add(std::vector<Decision>& all, Collective collective, Measure measure, const std::vector<Numbered>& table) {
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t k = 0; k < table[i].steps.size(); ++k) {
      const auto algorithm = *open_mpi_algorithm(collective, table[i].steps[k].number);
      Decision row{.collective = collective, .algorithm = algorithm.name, .measure = measure, .width = algorithm.width};
      set_ranges(row, table, i, k);
      all.push_back(row);
    }
}

} // namespace

std::optional<LibrarysAlgorithm> open_mpi_algorithm(Collective collective, int number) {
  for (const auto& row : numbers())
    if (row.collective == collective && number >= 1 && number <= static_cast<int>(row.algorithms.size()))
      return row.algorithms[static_cast<std::size_t>(number - 1)];
  return std::nullopt;
}

// From `ompi_info --param coll tuned --level 9` of 4.1.4, and the sources of 4.0.5 and 5.0.5.
std::string_view open_mpi_since(Collective collective, int number) {
  switch (collective) {
  case allgather: return number >= 7 ? "5.0" : "";
  case allgatherv: return number >= 6 ? "5.0" : "";
  case bcast: return number >= 7 ? "4.0" : "";
  case reduce: return number >= 7 ? "4.0" : "";
  case allreduce: return number >= 6 ? "4.0" : "";
  case reduce_scatter: return number >= 4 ? "4.0" : "";
  case scatter: return number >= 3 ? "4.0" : "";
  case scan:
  case exscan: return "4.0";
  default: return "";
  }
}

// Sizes are those of a rank's block, or of the whole vector; only a reduce-scatter uses the sum of all blocks.
std::span<const Decision> open_mpi_41_decisions() {
  static const auto rows = [] {
    std::vector<Decision> all;
    add(all, barrier, Measure::usual, barrier_rows);
    add(all, bcast, Measure::usual, bcast_rows);
    add(all, reduce, Measure::usual, reduce_rows);
    add(all, allreduce, Measure::usual, allreduce_rows);
    add(all, gather, Measure::block, gather_rows);
    add(all, scatter, Measure::block, scatter_rows);
    add(all, allgather, Measure::block, allgather_rows);
    add(all, allgatherv, Measure::block, allgatherv_rows);
    add(all, alltoall, Measure::block, alltoall_rows);
    add(all, alltoallv, Measure::usual, alltoallv_rows);
    add(all, reduce_scatter, Measure::all_blocks, reduce_scatter_rows);
    return all;
  }();
  return rows;
}

} // namespace kakehashi
