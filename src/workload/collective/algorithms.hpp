// The algorithms of the table, a file for each collective. A comment at its definition says how it works.
#pragma once

#include "workload/collective/collective.hpp"

namespace kakehashi {

Program barrier_recursive_doubling(Communicator comm, Call call);
Program barrier_linear(Communicator comm, Call call);
Program barrier_double_ring(Communicator comm, Call call);
Program barrier_tree(Communicator comm, Call call);
Program barrier_two_level(Communicator comm, Call call);
Program barrier_shared_memory(Communicator comm, Call call);

Program bcast_linear(Communicator comm, Call call);
Program bcast_binomial(Communicator comm, Call call);
Program bcast_nearest_first(Communicator comm, Call call);
Program bcast_binary(Communicator comm, Call call);
Program bcast_knomial(Communicator comm, Call call);
Program bcast_split_binary(Communicator comm, Call call);
Program bcast_chain(Communicator comm, Call call);
Program bcast_scatter_doubling(Communicator comm, Call call);
Program bcast_scatter_ring(Communicator comm, Call call);
Program bcast_bine(Communicator comm, Call call);
Program bcast_bine_nearest_first(Communicator comm, Call call);
Program bcast_bine_scatter(Communicator comm, Call call);
Program bcast_two_level(Communicator comm, Call call);
Program bcast_shared_memory(Communicator comm, Call call);
Program bcast_box_trees(Communicator comm, Call call);
Program bcast_box_six_trees(Communicator comm, Call call);
Program bcast_box_trees_shared(Communicator comm, Call call);
Program bcast_box_trees_by_node(Communicator comm, Call call);

Program reduce_linear(Communicator comm, Call call);
Program reduce_binomial(Communicator comm, Call call);
Program reduce_binary(Communicator comm, Call call);
Program reduce_binary_in_order(Communicator comm, Call call);
Program reduce_chain(Communicator comm, Call call);
Program reduce_rabenseifner(Communicator comm, Call call);
Program reduce_bine(Communicator comm, Call call);
Program reduce_bine_rabenseifner(Communicator comm, Call call);
Program reduce_two_level(Communicator comm, Call call);
Program reduce_shared_memory(Communicator comm, Call call);
Program reduce_box_trees(Communicator comm, Call call);
Program reduce_box_six_trees(Communicator comm, Call call);

Program allreduce_recursive_doubling(Communicator comm, Call call);
Program allreduce_rabenseifner(Communicator comm, Call call);
Program allreduce_ring(Communicator comm, Call call);
Program allreduce_segmented_ring(Communicator comm, Call call);
Program allreduce_reduce_bcast(Communicator comm, Call call);
Program allreduce_reduce_bcast_by_node(Communicator comm, Call call);
Program allreduce_linear(Communicator comm, Call call);
Program allreduce_bine(Communicator comm, Call call);
Program allreduce_bine_rabenseifner(Communicator comm, Call call);
Program allreduce_circulant(Communicator comm, Call call);
Program allreduce_box_trees(Communicator comm, Call call);
Program allreduce_box_six_trees(Communicator comm, Call call);
Program allreduce_two_level(Communicator comm, Call call);
Program allreduce_shared_memory(Communicator comm, Call call);

Program gather_linear(Communicator comm, Call call);
Program gather_linear_synchronised(Communicator comm, Call call);
Program gather_binomial(Communicator comm, Call call);
Program gather_bine(Communicator comm, Call call);
Program gather_two_level(Communicator comm, Call call);

Program scatter_linear(Communicator comm, Call call);
Program scatter_binomial(Communicator comm, Call call);
Program scatter_bine(Communicator comm, Call call);
Program scatter_linear_at_once(Communicator comm, Call call);
Program scatter_two_level(Communicator comm, Call call);

Program allgather_ring(Communicator comm, Call call);
Program allgather_recursive_doubling(Communicator comm, Call call);
Program allgather_bruck(Communicator comm, Call call);
Program allgather_neighbour_exchange(Communicator comm, Call call);
Program allgather_sparbit(Communicator comm, Call call);
Program allgather_bine_two_blocks(Communicator comm, Call call);
Program allgather_bine_send(Communicator comm, Call call);
Program allgather_bine_permute(Communicator comm, Call call);
Program allgather_bine_blocks(Communicator comm, Call call);
Program allgather_circulant(Communicator comm, Call call);
Program allgather_linear(Communicator comm, Call call);
Program allgather_gather_bcast(Communicator comm, Call call);
Program allgather_rdma_gather_bcast(Communicator comm, Call call);
Program allgather_two_level(Communicator comm, Call call);
Program allgather_two_level_bruck(Communicator comm, Call call);

Program alltoall_linear(Communicator comm, Call call);
Program alltoall_linear_strided(Communicator comm, Call call);
Program alltoall_pairwise(Communicator comm, Call call);
Program alltoall_exclusive_or(Communicator comm, Call call);
Program alltoall_bruck(Communicator comm, Call call);
Program alltoall_bine(Communicator comm, Call call);
Program alltoall_simple_spread(Communicator comm, Call call);
Program alltoall_double_spread(Communicator comm, Call call);
Program alltoall_two_level(Communicator comm, Call call);

Program reduce_scatter_halving(Communicator comm, Call call);
Program reduce_scatter_butterfly(Communicator comm, Call call);
Program reduce_scatter_ring(Communicator comm, Call call);
Program reduce_scatter_pairwise(Communicator comm, Call call);
Program reduce_scatter_by_reduce(Communicator comm, Call call);
Program reduce_scatter_bine_send(Communicator comm, Call call);
Program reduce_scatter_bine_permute(Communicator comm, Call call);
Program reduce_scatter_bine_blocks(Communicator comm, Call call);
Program reduce_scatter_circulant(Communicator comm, Call call);

Program scan_linear(Communicator comm, Call call);
Program scan_recursive_doubling(Communicator comm, Call call);
Program scan_two_level(Communicator comm, Call call);
Program exscan_linear(Communicator comm, Call call);
Program exscan_recursive_doubling(Communicator comm, Call call);

} // namespace kakehashi
