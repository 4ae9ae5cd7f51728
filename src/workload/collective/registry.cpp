#include "model/decision.hpp"
#include "workload/collective/algorithms.hpp"
#include "workload/collective/own_algorithm.hpp"

#include <cassert>

namespace kakehashi {
namespace {

constexpr std::array table{
    AlgorithmRow{Collective::barrier, "dissemination", barrier_dissemination, {.shifts_by = 1}},
    AlgorithmRow{Collective::barrier, "recursive-doubling", barrier_recursive_doubling},
    AlgorithmRow{Collective::barrier, "linear", barrier_linear},
    AlgorithmRow{Collective::barrier, "double-ring", barrier_double_ring},
    AlgorithmRow{Collective::barrier, "tree", barrier_tree},
    AlgorithmRow{Collective::barrier, "two-level", barrier_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::barrier, shared_memory_form, barrier_shared_memory, {.needs_memory = true}},
    AlgorithmRow{Collective::bcast, "linear", bcast_linear, {.takes_segment = true, .sends_own = true}},
    AlgorithmRow{Collective::bcast, "binomial", bcast_binomial, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "binomial-nearest-first", bcast_nearest_first, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "binary", bcast_binary, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "knomial", bcast_knomial, {.takes_segment = true, .takes_width = true}},
    AlgorithmRow{Collective::bcast, "split-binary", bcast_split_binary, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "chain", bcast_chain, {.takes_segment = true, .takes_width = true}},
    AlgorithmRow{Collective::bcast, "scatter-doubling-allgather", bcast_scatter_doubling},
    AlgorithmRow{Collective::bcast, "scatter-ring-allgather", bcast_scatter_ring},
    AlgorithmRow{Collective::bcast, "bine", bcast_bine, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "bine-nearest-first", bcast_bine_nearest_first, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "bine-scatter-allgather", bcast_bine_scatter},
    AlgorithmRow{Collective::bcast, "two-level", bcast_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::bcast, shared_memory_form, bcast_shared_memory, {.needs_memory = true, .sends_own = true}},
    AlgorithmRow{Collective::bcast, "box-trees", bcast_box_trees, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "box-six-trees", bcast_box_six_trees, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "box-trees-shared", bcast_box_trees_shared, {.takes_segment = true}},
    AlgorithmRow{Collective::bcast, "box-trees-by-node", bcast_box_trees_by_node, {.takes_segment = true}},
    AlgorithmRow{Collective::reduce, "linear", reduce_linear, {.takes_segment = true, .sends_own = true}},
    AlgorithmRow{Collective::reduce, "binomial", reduce_binomial, {.takes_segment = true}},
    AlgorithmRow{Collective::reduce, "binary", reduce_binary, {.takes_segment = true}},
    AlgorithmRow{Collective::reduce, "binary-in-order", reduce_binary_in_order, {.takes_segment = true}},
    AlgorithmRow{Collective::reduce, "chain", reduce_chain, {.takes_segment = true, .takes_width = true}},
    AlgorithmRow{Collective::reduce, "rabenseifner", reduce_rabenseifner},
    AlgorithmRow{Collective::reduce, "bine", reduce_bine, {.takes_segment = true}},
    AlgorithmRow{Collective::reduce, "bine-rabenseifner", reduce_bine_rabenseifner},
    AlgorithmRow{Collective::reduce, "two-level", reduce_two_level, {.has_two_levels = true}},
    AlgorithmRow{
        Collective::reduce, shared_memory_form, reduce_shared_memory, {.needs_memory = true, .sends_own = true}},
    AlgorithmRow{Collective::reduce, "box-trees", reduce_box_trees, {.takes_segment = true}},
    AlgorithmRow{Collective::reduce, "box-six-trees", reduce_box_six_trees, {.takes_segment = true}},
    AlgorithmRow{Collective::allreduce, "recursive-doubling", allreduce_recursive_doubling},
    AlgorithmRow{Collective::allreduce, "rabenseifner", allreduce_rabenseifner},
    AlgorithmRow{Collective::allreduce, "ring", allreduce_ring},
    AlgorithmRow{Collective::allreduce, "segmented-ring", allreduce_segmented_ring, {.takes_segment = true}},
    AlgorithmRow{Collective::allreduce, "reduce-bcast", allreduce_reduce_bcast},
    AlgorithmRow{
        Collective::allreduce, "reduce-bcast-by-node", allreduce_reduce_bcast_by_node, {.has_two_levels = true}},
    AlgorithmRow{Collective::allreduce, "linear", allreduce_linear},
    AlgorithmRow{Collective::allreduce, "bine", allreduce_bine},
    AlgorithmRow{Collective::allreduce, "bine-rabenseifner", allreduce_bine_rabenseifner, {.takes_segment = true}},
    AlgorithmRow{Collective::allreduce, "circulant", allreduce_circulant},
    AlgorithmRow{Collective::allreduce, "two-level", allreduce_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::allreduce, shared_memory_form, allreduce_shared_memory, {.needs_memory = true}},
    AlgorithmRow{Collective::allreduce, "box-trees", allreduce_box_trees, {.takes_segment = true}},
    AlgorithmRow{Collective::allreduce, "box-six-trees", allreduce_box_six_trees, {.takes_segment = true}},
    AlgorithmRow{Collective::gather, "linear", gather_linear, {.sends_own = true}},
    AlgorithmRow{Collective::gather,
                 "linear-synchronised",
                 gather_linear_synchronised,
                 {.takes_segment = true, .sends_own = true}},
    AlgorithmRow{Collective::gather, "binomial", gather_binomial},
    AlgorithmRow{Collective::gather, "bine", gather_bine},
    AlgorithmRow{Collective::gather, "two-level", gather_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::gatherv, "linear", gather_linear, {.sends_own = true}},
    AlgorithmRow{Collective::gatherv, "binomial", gather_binomial},
    AlgorithmRow{Collective::gatherv, "two-level", gather_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::scatter, "linear", scatter_linear, {.sends_own = true}},
    AlgorithmRow{Collective::scatter, "binomial", scatter_binomial},
    AlgorithmRow{Collective::scatter, "bine", scatter_bine},
    AlgorithmRow{Collective::scatter, "linear-at-once", scatter_linear_at_once, {.sends_own = true}},
    AlgorithmRow{Collective::scatter, "two-level", scatter_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::scatterv, "linear", scatter_linear, {.sends_own = true}},
    AlgorithmRow{Collective::scatterv, "binomial", scatter_binomial},
    AlgorithmRow{Collective::allgather, "ring", allgather_ring, {.shifts_by = 1}},
    AlgorithmRow{Collective::allgather, "recursive-doubling", allgather_recursive_doubling},
    AlgorithmRow{Collective::allgather, "bruck", allgather_bruck, {.takes_width = true}},
    AlgorithmRow{Collective::allgather, "neighbour-exchange", allgather_neighbour_exchange, {.shifts_by = 2}},
    AlgorithmRow{Collective::allgather, "sparbit", allgather_sparbit},
    AlgorithmRow{Collective::allgather, "bine-two-blocks", allgather_bine_two_blocks},
    AlgorithmRow{Collective::allgather, "bine-send", allgather_bine_send},
    AlgorithmRow{Collective::allgather, "bine-permute", allgather_bine_permute},
    AlgorithmRow{Collective::allgather, "bine-blocks", allgather_bine_blocks},
    AlgorithmRow{Collective::allgather, "circulant", allgather_circulant},
    AlgorithmRow{Collective::allgather, "linear", allgather_linear, {.shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::allgather, "gather-bcast", allgather_gather_bcast},
    AlgorithmRow{Collective::allgather, "rdma-gather-bcast", allgather_rdma_gather_bcast},
    AlgorithmRow{Collective::allgather, "two-level", allgather_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::allgather, "two-level-bruck", allgather_two_level_bruck, {.has_two_levels = true}},
    AlgorithmRow{Collective::allgatherv, "ring", allgather_ring, {.shifts_by = 1}},
    AlgorithmRow{Collective::allgatherv, "recursive-doubling", allgather_recursive_doubling},
    AlgorithmRow{Collective::allgatherv, "bruck", allgather_bruck, {.takes_width = true}},
    AlgorithmRow{Collective::allgatherv, "neighbour-exchange", allgather_neighbour_exchange, {.shifts_by = 2}},
    AlgorithmRow{Collective::allgatherv, "sparbit", allgather_sparbit},
    AlgorithmRow{Collective::allgatherv, "bine-two-blocks", allgather_bine_two_blocks},
    AlgorithmRow{Collective::allgatherv, "bine-send", allgather_bine_send},
    AlgorithmRow{Collective::allgatherv, "bine-permute", allgather_bine_permute},
    AlgorithmRow{Collective::allgatherv, "bine-blocks", allgather_bine_blocks},
    AlgorithmRow{Collective::allgatherv, "circulant", allgather_circulant},
    AlgorithmRow{Collective::allgatherv, "linear", allgather_linear, {.shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::allgatherv, "gather-bcast", allgather_gather_bcast},
    AlgorithmRow{Collective::allgatherv, "rdma-gather-bcast", allgather_rdma_gather_bcast},
    AlgorithmRow{Collective::allgatherv, "two-level", allgather_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::allgatherv, "two-level-bruck", allgather_two_level_bruck, {.has_two_levels = true}},
    AlgorithmRow{
        Collective::alltoall, "linear", alltoall_linear, {.takes_width = true, .shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::alltoall,
                 "linear-strided",
                 alltoall_linear_strided,
                 {.takes_width = true, .shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::alltoall, "pairwise", alltoall_pairwise, {.shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::alltoall, "pairwise-exclusive-or", alltoall_exclusive_or, {.sends_own = true}},
    AlgorithmRow{Collective::alltoall, "bruck", alltoall_bruck, {.shifts_by = 1}},
    AlgorithmRow{Collective::alltoall, "bine", alltoall_bine},
    AlgorithmRow{Collective::alltoall,
                 "simple-spread",
                 alltoall_simple_spread,
                 {.shifts_by = 2, .is_mirrored = true, .sends_own = true}},
    AlgorithmRow{Collective::alltoall, "double-spread", alltoall_double_spread, {.shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::alltoall, "two-level", alltoall_two_level, {.has_two_levels = true}},
    AlgorithmRow{
        Collective::alltoallv, "linear", alltoall_linear, {.takes_width = true, .shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::alltoallv,
                 "linear-strided",
                 alltoall_linear_strided,
                 {.takes_width = true, .shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::alltoallv, "pairwise", alltoall_pairwise, {.shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::alltoallv,
                 "simple-spread",
                 alltoall_simple_spread,
                 {.shifts_by = 2, .is_mirrored = true, .sends_own = true}},
    AlgorithmRow{Collective::alltoallv, "double-spread", alltoall_double_spread, {.shifts_by = 1, .sends_own = true}},
    AlgorithmRow{Collective::reduce_scatter, "recursive-halving", reduce_scatter_halving},
    AlgorithmRow{Collective::reduce_scatter, "butterfly", reduce_scatter_butterfly},
    AlgorithmRow{Collective::reduce_scatter, "ring", reduce_scatter_ring},
    AlgorithmRow{Collective::reduce_scatter, "pairwise", reduce_scatter_pairwise, {.sends_own = true}},
    AlgorithmRow{Collective::reduce_scatter, "reduce-scatterv", reduce_scatter_by_reduce},
    AlgorithmRow{Collective::reduce_scatter, "bine-send", reduce_scatter_bine_send},
    AlgorithmRow{Collective::reduce_scatter, "bine-permute", reduce_scatter_bine_permute},
    AlgorithmRow{Collective::reduce_scatter, "bine-blocks", reduce_scatter_bine_blocks},
    AlgorithmRow{Collective::reduce_scatter, "circulant", reduce_scatter_circulant},
    AlgorithmRow{Collective::scan, "linear", scan_linear},
    AlgorithmRow{Collective::scan, "recursive-doubling", scan_recursive_doubling},
    AlgorithmRow{Collective::scan, "two-level", scan_two_level, {.has_two_levels = true}},
    AlgorithmRow{Collective::exscan, "linear", exscan_linear},
    AlgorithmRow{Collective::exscan, "recursive-doubling", exscan_recursive_doubling},
};

} // namespace

std::span<const AlgorithmRow> algorithm_table() {
  return table;
}

AlgorithmRow row_of(const AlgorithmChoice& choice) {
  return choice.own ? AlgorithmRow{choice.own->collective, choice.own->name, run_own} : table[choice.algorithm];
}

std::optional<std::size_t> find_algorithm(Collective collective, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].collective == collective && table[i].name == name)
      return i;
  return std::nullopt;
}

std::size_t index_of_algorithm(Collective collective, std::string_view name) {
  const auto index = find_algorithm(collective, name);
  assert(index);
  return *index;
}

} // namespace kakehashi
