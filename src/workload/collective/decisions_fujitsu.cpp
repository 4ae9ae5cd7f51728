// The decision tables of Fujitsu's MPI library, before and after it was made for many processes a node. Where a table
// says nothing, Open MPI's, from which the library descends, decides (assumed).
#include "workload/collective/selector.hpp"

namespace kakehashi {
namespace {

using enum Collective;

constexpr Bytes kib(std::uint64_t n) {
  return {n << 10};
}
constexpr Bytes pipelined = kib(32); // segments of a broadcast over a box; assumed

// Made for one process a node: then a broadcast over a box goes along its trees. All else is as in Open MPI: in
// Alltoall each process sends in the same direction at once, an Allgather goes from neighbour to neighbour. Assumed: no
// Alltoall with messages to all processes in flight at once, and large Allreduces as Reduce and Bcast.
constexpr Decision old_rows[] = {
    {.collective = bcast, .algorithm = "box-trees", .on_box = true, .ranks_per_node_below = 2, .segment = pipelined},

    {.collective = allreduce, .algorithm = "recursive-doubling", .bytes_below = 10000},
    {.collective = allreduce, .algorithm = "reduce-bcast"},

    {.collective = alltoall, .algorithm = "bruck", .bytes_below = 200, .ranks_from = 13},
    {.collective = alltoall, .algorithm = "pairwise"},
};

// "MPI performance improvements on PRIMEHPC FX10" (Fujitsu): broadcasts over a box with shared memory inside its nodes;
// Allreduce as Reduce and that broadcast; Alltoall(v) in double spread for 1 to 4 processes a node and in simple spread
// for 5 to 16; Allgather(v) as Gather and that broadcast below 32 KiB. Alltoall got better at medium and large sizes
// only. Assumed: small sizes of Bcast, Allreduce and Alltoall as they were, the same Reduce, and a Gather in two
// levels.
constexpr Decision new_rows[] = {
    {.collective = bcast, .algorithm = "box-trees", .on_box = true, .ranks_per_node_below = 2, .segment = pipelined},
    {.collective = bcast, .algorithm = "binomial-nearest-first", .bytes_below = 2048},
    {.collective = bcast, .algorithm = "split-binary", .bytes_below = 131072, .segment = kib(1)},
    {.collective = bcast, .algorithm = "box-trees", .on_box = true, .segment = pipelined},

    {.collective = allreduce, .algorithm = "recursive-doubling", .bytes_below = 10000},
    {.collective = allreduce, .algorithm = "reduce-bcast", .on_box = true},

    {.collective = gather, .algorithm = "two-level", .on_nodes = true},
    {.collective = gatherv, .algorithm = "two-level", .on_nodes = true},
    {.collective = allgather, .algorithm = "gather-bcast", .ranks_above_line = {1.0 / 32768, 0}, .on_box = true},
    {.collective = allgatherv, .algorithm = "gather-bcast", .ranks_above_line = {1.0 / 32768, 0}, .on_box = true},

    {.collective = alltoall, .algorithm = "bruck", .bytes_below = 200, .ranks_from = 13},
    {.collective = alltoall, .algorithm = "pairwise", .bytes_below = 3000},
    {.collective = alltoall, .algorithm = "double-spread", .ranks_per_node_below = 5},
    {.collective = alltoall, .algorithm = "simple-spread"},
    {.collective = alltoallv, .algorithm = "double-spread", .ranks_per_node_below = 5},
    {.collective = alltoallv, .algorithm = "simple-spread"},
};

} // namespace

std::span<const Decision> fujitsu_old_decisions() {
  return old_rows;
}
std::span<const Decision> fujitsu_new_decisions() {
  return new_rows;
}

} // namespace kakehashi
