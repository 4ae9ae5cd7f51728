// The decision tables of Fujitsu's MPI library for the Tofu network, version by version, from "MPI performance
// improvements on PRIMEHPC FX10" (Fujitsu). The new rows of each version come before those of the previous one, so the
// old algorithm is kept where no new row holds. If no row holds, Open MPI's table decides, from which the library
// descends (assumed).
#include "workload/collective/selector.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

using enum Collective;

constexpr Bytes pipelined = kib(32);           // segments of a broadcast over a box; assumed
constexpr std::uint64_t large_vector = 131072; // a vector of this size or more is broadcast in such segments; assumed
constexpr std::uint64_t medium_message = 3000; // of an Alltoall; assumed to be where Open MPI's table changes
constexpr Line without_pipeline{0.6016 / 1024, 1.3496}; // with more ranks, Open MPI has no pipeline in Reduce
constexpr int several = 4;                              // processes on a node; assumed
constexpr Line from_1_kib{1 / 1023.5, 0};               // with fewer ranks, each rank's block has at least 1 KiB
constexpr Line below_32_kib{1.0 / 32768, 0};            // with more ranks, each rank's block has less

// Before 1.2.1-04 there were topology-aware algorithms for Bcast and Alltoall with one process per node. Assumed: with
// more processes, long broadcasts used the same trees between nodes and an ordinary Bcast inside each node; the
// Alltoall was the spread that later versions use for few processes per node, and like theirs not for small messages;
// no Alltoall had messages to all processes in flight at once; large Allreduces were Reduce and Bcast.
constexpr std::array old_rows{
    Decision{
        .collective = bcast, .algorithm = "box-trees", .on_box = true, .ranks_per_node_below = 2, .segment = pipelined},
    Decision{.collective = bcast,
             .algorithm = "box-trees-by-node",
             .bytes_from = large_vector,
             .on_box = true,
             .segment = pipelined},

    Decision{.collective = allreduce, .algorithm = "recursive-doubling", .bytes_below = 10000},
    Decision{.collective = allreduce, .algorithm = "reduce-bcast"},

    Decision{.collective = alltoall, .algorithm = "bruck", .bytes_below = 200, .ranks_from = 13},
    Decision{
        .collective = alltoall, .algorithm = "double-spread", .bytes_from = medium_message, .ranks_per_node_below = 2},
    Decision{.collective = alltoall, .algorithm = "pairwise"},
};

// 1.2.1-04: Bcast for several processes per node, with its own path through shared memory inside the node. Allreduce is
// Reduce and that Bcast. Assumed: small vectors stayed as they were; and Reduce adds inside the nodes first, through
// the same shared memory, except where Open MPI's is a pipeline, which is faster.
constexpr std::array new_in_04{
    Decision{.collective = bcast,
             .algorithm = "box-trees-shared",
             .bytes_from = large_vector,
             .on_nodes = true,
             .on_box = true,
             .segment = pipelined},
    Decision{.collective = allreduce,
             .algorithm = "reduce-bcast-by-node",
             .bytes_from = large_vector,
             .ranks_above_line = without_pipeline,
             .on_nodes = true,
             .on_box = true},
};

// 1.2.1-07: Alltoall, better at medium and large sizes, in double spread for 1 to 4 processes per node and in simple
// spread for 5 to 16. Allgather as Gather by RDMA and Bcast for several processes per node, better at medium sizes;
// from 32 KiB on the old one. Assumed: the size at which medium begins, which for an Allgather is also the size at
// which the new Bcast takes its vector; and that several are four or more.
constexpr std::array new_in_07{
    Decision{
        .collective = alltoall, .algorithm = "double-spread", .bytes_from = medium_message, .ranks_per_node_below = 5},
    Decision{.collective = alltoall, .algorithm = "simple-spread", .bytes_from = medium_message},

    Decision{.collective = allgather,
             .algorithm = "rdma-gather-bcast",
             .bytes_from = large_vector,
             .ranks_below_line = from_1_kib,
             .ranks_above_line = below_32_kib,
             .on_nodes = true,
             .on_box = true,
             .ranks_per_node_from = several,
             .claim = "allgather-large-48x4"},
};

// 1.2.1-08: Alltoallv as Alltoall. Allgatherv as Allgather, but the text names no size from which the old one is
// better; assumed: for vectors that the new Bcast does not take.
constexpr std::array new_in_08{
    Decision{
        .collective = alltoallv, .algorithm = "double-spread", .bytes_from = medium_message, .ranks_per_node_below = 5},
    Decision{.collective = alltoallv, .algorithm = "simple-spread", .bytes_from = medium_message},

    Decision{.collective = allgatherv,
             .algorithm = "rdma-gather-bcast",
             .bytes_from = large_vector,
             .on_nodes = true,
             .on_box = true,
             .ranks_per_node_from = several},
};

template <std::size_t newer_rows, std::size_t older_rows>
constexpr auto on_top(const std::array<Decision, newer_rows>& newer, const std::array<Decision, older_rows>& older) {
  std::array<Decision, newer_rows + older_rows> all{};
  std::copy(older.begin(), older.end(), std::copy(newer.begin(), newer.end(), all.begin()));
  return all;
}
constexpr auto rows_of_04 = on_top(new_in_04, old_rows);
constexpr auto rows_of_07 = on_top(new_in_07, rows_of_04);
constexpr auto rows_of_08 = on_top(new_in_08, rows_of_07);

} // namespace

std::span<const Decision> fujitsu_decisions(Selector selector) {
  switch (selector) {
  case Selector::fujitsu_old: return old_rows;
  case Selector::fujitsu_04: return rows_of_04;
  case Selector::fujitsu_07: return rows_of_07;
  default: return rows_of_08;
  }
}

} // namespace kakehashi
