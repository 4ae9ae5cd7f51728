// Collective operations, the algorithms that they may use, and what a file says about a machine's MPI library.
#pragma once

#include "base/units.hpp"
#include "model/source.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace kakehashi {

enum class Collective {
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce_scatter,
  scan,
  exscan
};
inline constexpr std::size_t collective_count = 15;

// How the data of an operation is divided, and what a call states of it.
enum class Division {
  none,          // there is no data
  whole,         // one vector, as long on all ranks
  equal_blocks,  // a block for each rank, all of one size
  listed_blocks, // a block for each rank; a call lists their sizes
  own_block      // a block for each rank; a call states the size of the caller's
};

// What is known of an operation; the table below has a row for each, in their order.
struct CollectiveRow {
  Collective collective;
  std::string_view name;    // in files
  std::string_view ti_name; // in time-independent traces
  Division division;
  bool has_root;
  bool has_reduction;
  bool has_private_sizes; // a rank states the sizes that concern it, so two ranks' calls may differ in them
};
inline constexpr std::array<CollectiveRow, collective_count> collective_rows{{
    {Collective::barrier, "barrier", "barrier", Division::none, false, false, false},
    {Collective::bcast, "bcast", "bcast", Division::whole, true, false, false},
    {Collective::reduce, "reduce", "reduce", Division::whole, true, true, false},
    {Collective::allreduce, "allreduce", "allreduce", Division::whole, false, true, false},
    {Collective::gather, "gather", "gather", Division::equal_blocks, true, false, false},
    {Collective::gatherv, "gatherv", "gatherv", Division::own_block, true, false, true},
    {Collective::scatter, "scatter", "scatter", Division::equal_blocks, true, false, false},
    {Collective::scatterv, "scatterv", "scatterv", Division::listed_blocks, true, false, true},
    {Collective::allgather, "allgather", "allgather", Division::equal_blocks, false, false, false},
    {Collective::allgatherv, "allgatherv", "allgatherv", Division::listed_blocks, false, false, false},
    {Collective::alltoall, "alltoall", "alltoall", Division::equal_blocks, false, false, false},
    {Collective::alltoallv, "alltoallv", "alltoallv", Division::listed_blocks, false, false, true},
    {Collective::reduce_scatter, "reduce-scatter", "reducescatter", Division::listed_blocks, false, true, false},
    {Collective::scan, "scan", "scan", Division::whole, false, true, false},
    {Collective::exscan, "exscan", "exscan", Division::whole, false, true, false},
}};
constexpr const CollectiveRow& row_of(Collective collective) {
  return collective_rows[static_cast<std::size_t>(collective)];
}
static_assert([] {
  for (std::size_t i = 0; i < collective_count; ++i)
    if (collective_rows[i].collective != static_cast<Collective>(i))
      return false;
  return true;
}());

inline constexpr auto collective_names = [] {
  std::array<std::string_view, collective_count> names;
  for (std::size_t i = 0; i < collective_count; ++i)
    names[i] = collective_rows[i].name;
  return names;
}();

constexpr bool has_root(Collective collective) {
  return row_of(collective).has_root;
}
constexpr bool has_reduction(Collective collective) {
  return row_of(collective).has_reduction;
}

// An algorithm by the name that files use. src/workload/collective has a function for each row, in the same order.
struct AlgorithmName {
  Collective collective;
  std::string_view name;
  constexpr bool operator==(const AlgorithmName&) const = default;
};
inline constexpr std::array algorithm_names{
    AlgorithmName{Collective::barrier, "dissemination"},
    AlgorithmName{Collective::barrier, "recursive-doubling"},
    AlgorithmName{Collective::barrier, "linear"},
    AlgorithmName{Collective::barrier, "double-ring"},
    AlgorithmName{Collective::barrier, "two-level"},
    AlgorithmName{Collective::bcast, "linear"},
    AlgorithmName{Collective::bcast, "binomial"},
    AlgorithmName{Collective::bcast, "binomial-nearest-first"},
    AlgorithmName{Collective::bcast, "binary"},
    AlgorithmName{Collective::bcast, "split-binary"},
    AlgorithmName{Collective::bcast, "chain"},
    AlgorithmName{Collective::bcast, "scatter-doubling-allgather"},
    AlgorithmName{Collective::bcast, "scatter-ring-allgather"},
    AlgorithmName{Collective::bcast, "two-level"},
    AlgorithmName{Collective::bcast, "box-trees"},
    AlgorithmName{Collective::reduce, "linear"},
    AlgorithmName{Collective::reduce, "binomial"},
    AlgorithmName{Collective::reduce, "binary"},
    AlgorithmName{Collective::reduce, "chain"},
    AlgorithmName{Collective::reduce, "rabenseifner"},
    AlgorithmName{Collective::reduce, "two-level"},
    AlgorithmName{Collective::allreduce, "recursive-doubling"},
    AlgorithmName{Collective::allreduce, "rabenseifner"},
    AlgorithmName{Collective::allreduce, "ring"},
    AlgorithmName{Collective::allreduce, "segmented-ring"},
    AlgorithmName{Collective::allreduce, "reduce-bcast"},
    AlgorithmName{Collective::allreduce, "two-level"},
    AlgorithmName{Collective::gather, "linear"},
    AlgorithmName{Collective::gather, "linear-synchronised"},
    AlgorithmName{Collective::gather, "binomial"},
    AlgorithmName{Collective::gather, "two-level"},
    AlgorithmName{Collective::gatherv, "linear"},
    AlgorithmName{Collective::gatherv, "binomial"},
    AlgorithmName{Collective::gatherv, "two-level"},
    AlgorithmName{Collective::scatter, "linear"},
    AlgorithmName{Collective::scatter, "binomial"},
    AlgorithmName{Collective::scatterv, "linear"},
    AlgorithmName{Collective::scatterv, "binomial"},
    AlgorithmName{Collective::allgather, "ring"},
    AlgorithmName{Collective::allgather, "recursive-doubling"},
    AlgorithmName{Collective::allgather, "bruck"},
    AlgorithmName{Collective::allgather, "neighbour-exchange"},
    AlgorithmName{Collective::allgather, "linear"},
    AlgorithmName{Collective::allgather, "gather-bcast"},
    AlgorithmName{Collective::allgather, "two-level"},
    AlgorithmName{Collective::allgatherv, "ring"},
    AlgorithmName{Collective::allgatherv, "recursive-doubling"},
    AlgorithmName{Collective::allgatherv, "bruck"},
    AlgorithmName{Collective::allgatherv, "neighbour-exchange"},
    AlgorithmName{Collective::allgatherv, "linear"},
    AlgorithmName{Collective::allgatherv, "gather-bcast"},
    AlgorithmName{Collective::allgatherv, "two-level"},
    AlgorithmName{Collective::alltoall, "linear"},
    AlgorithmName{Collective::alltoall, "pairwise"},
    AlgorithmName{Collective::alltoall, "pairwise-exclusive-or"},
    AlgorithmName{Collective::alltoall, "bruck"},
    AlgorithmName{Collective::alltoall, "simple-spread"},
    AlgorithmName{Collective::alltoall, "double-spread"},
    AlgorithmName{Collective::alltoallv, "linear"},
    AlgorithmName{Collective::alltoallv, "pairwise"},
    AlgorithmName{Collective::alltoallv, "simple-spread"},
    AlgorithmName{Collective::alltoallv, "double-spread"},
    AlgorithmName{Collective::reduce_scatter, "recursive-halving"},
    AlgorithmName{Collective::reduce_scatter, "ring"},
    AlgorithmName{Collective::reduce_scatter, "pairwise"},
    AlgorithmName{Collective::reduce_scatter, "reduce-scatterv"},
    AlgorithmName{Collective::scan, "linear"},
    AlgorithmName{Collective::scan, "recursive-doubling"},
    AlgorithmName{Collective::scan, "two-level"},
    AlgorithmName{Collective::exscan, "linear"},
    AlgorithmName{Collective::exscan, "recursive-doubling"},
};

// The index of that algorithm in the table.
constexpr std::optional<std::size_t> find_algorithm(Collective collective, std::string_view name) {
  for (std::size_t i = 0; i < algorithm_names.size(); ++i)
    if (algorithm_names[i] == AlgorithmName{collective, name})
      return i;
  return std::nullopt;
}

// Which parameters an algorithm has.
constexpr bool takes_width(const AlgorithmName& algorithm) {
  const bool is_alltoall =
      algorithm.collective == Collective::alltoall || algorithm.collective == Collective::alltoallv;
  return algorithm.name == "chain" || (is_alltoall && algorithm.name == "linear");
}
constexpr bool takes_segment(const AlgorithmName& algorithm) {
  const bool is_tree_shaped = algorithm.collective == Collective::bcast || algorithm.collective == Collective::reduce;
  const auto name = algorithm.name;
  return name == "segmented-ring" || name == "linear-synchronised" ||
         (is_tree_shaped && name != "two-level" && name != "rabenseifner" && !name.starts_with("scatter-"));
}

// An algorithm with its parameters: the pipeline's segment, and the number of children or of messages in flight.
struct AlgorithmChoice {
  std::size_t algorithm = 0; // index into algorithm_names
  Bytes segment;             // 0: not segmented
  int width = 0;             // chains that start at the root; messages in flight; 0: the algorithm's usual one
};

// Whose decision tables choose an algorithm by size and number of ranks.
enum class Selector { open_mpi, mpich, intel_mpi, fujitsu_old, fujitsu_new, fixed };
inline constexpr std::array<std::string_view, 6> selector_names{"open-mpi",    "mpich",       "intel-mpi",
                                                                "fujitsu-old", "fujitsu-new", "fixed"};

// A core that reads two vectors and writes their sum at the memory's speed, on machines of about 2012. Assumed.
inline constexpr SecondsPerByte usual_reduction{0.25e-9};

// What a platform or a scenario says of the MPI library.
struct MpiSettings {
  std::optional<Selector> selector;                                        // open-mpi if nobody says
  std::array<std::optional<AlgorithmChoice>, collective_count> algorithms; // named ones; they beat the selector
  std::optional<SecondsPerByte> reduction; // time to add a byte of an incoming vector; usual_reduction if nobody says
  Source source{SourceKind::assumed, "a core adds 4 GB/s"}; // of the reduction
};

// What a scenario says wins, field by field.
inline MpiSettings combined(MpiSettings platform, const MpiSettings& scenario) {
  if (scenario.selector)
    platform.selector = scenario.selector;
  for (std::size_t i = 0; i < collective_count; ++i)
    if (scenario.algorithms[i])
      platform.algorithms[i] = scenario.algorithms[i];
  if (scenario.reduction) {
    platform.reduction = scenario.reduction;
    platform.source = scenario.source;
  }
  return platform;
}

} // namespace kakehashi
