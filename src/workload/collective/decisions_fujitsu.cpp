// The decision tables of Fujitsu's MPI library for the Tofu network, version by version, from "MPI performance
// improvements on PRIMEHPC FX10" (Fujitsu). Each version has what is new in it before the rows of the one before, so
// where a new row does not hold the old algorithm is kept. Where no row holds, Open MPI's table decides, from which the
// library descends (assumed).
#include "workload/collective/selector.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

using enum Collective;

constexpr Bytes pipelined = kib(32);                    // segments of a broadcast over a box; assumed
constexpr std::uint64_t large_vector = 131072;          // from where on a vector is broadcast in such segments; assumed
constexpr std::uint64_t medium_message = 3000;          // of an Alltoall; assumed: where Open MPI's table changes
constexpr Line without_pipeline{0.6016 / 1024, 1.3496}; // ranks above it: Open MPI has no pipeline in Reduce
constexpr int several = 4;                              // processes a node; assumed
constexpr Line from_1_kib{1 / 1023.5, 0};               // ranks below it: the block of each has 1 KiB or more
constexpr Line below_32_kib{1.0 / 32768, 0};            // ranks above it: the block of each has less

// Before 1.2.1-04 there were topology-aware algorithms for Bcast and Alltoall, for one process a node. Assumed: with
// more, long broadcasts went along the same trees from node to node and by an ordinary Bcast inside each; the Alltoall
// was the spread that later versions use for few processes a node, and like theirs not for small messages; no Alltoall
// had messages to all processes in flight at once; large Allreduces were Reduce and Bcast.
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

// 1.2.1-04: Bcast for several processes a node, with a path of its own through shared memory inside it. Allreduce is
// Reduce and that Bcast. Assumed: small vectors as they were; and a Reduce that adds inside the nodes first, through
// the same shared memory, but where Open MPI's is a pipeline, which is quicker.
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

// 1.2.1-07: Alltoall, better at medium and large sizes, in double spread for 1 to 4 processes a node and in simple
// spread for 5 to 16. Allgather as Gather by RDMA and Bcast for several processes a node, better at medium sizes; from
// 32 KiB on the old one. Assumed: where medium begins, which for an Allgather is also where its vector is one for the
// new Bcast; and that several are four or more.
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

// 1.2.1-08: Alltoallv as Alltoall. Allgatherv as Allgather, but the text has no size at which the old one is better;
// assumed: vectors that are none for the new Bcast.
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
