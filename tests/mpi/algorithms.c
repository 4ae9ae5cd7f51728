/* Loaded before the libraries of an MPI program, it writes which of Open MPI's algorithms each rank runs, and counts
   what MPICH sends through UCX. Arguments of functions are handed on as they are: they are all integers or pointers. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const char* rank(void) {
  return getenv("OMPI_COMM_WORLD_RANK");
}

#define FIRST(type) type a, type b, type c, type d, type e, type f, type g, type h, type i, type j, type k, type l
typedef long (*function)(FIRST(long));
#define WATCHED(name)                                                                                                  \
  long name(FIRST(long)) {                                                                                             \
    static function next;                                                                                              \
    if (!next)                                                                                                         \
      next = (function)dlsym(RTLD_NEXT, #name);                                                                        \
    fprintf(stderr, "%s%s runs %s\n", rank() ? "rank " : "", rank() ? rank() : "", #name);                             \
    return next(a, b, c, d, e, f, g, h, i, j, k, l);                                                                   \
  }

WATCHED(ompi_coll_base_allgather_intra_basic_linear)
WATCHED(ompi_coll_base_allgather_intra_bruck)
WATCHED(ompi_coll_base_allgather_intra_neighborexchange)
WATCHED(ompi_coll_base_allgather_intra_recursivedoubling)
WATCHED(ompi_coll_base_allgather_intra_ring)
WATCHED(ompi_coll_base_allreduce_intra_basic_linear)
WATCHED(ompi_coll_base_allreduce_intra_nonoverlapping)
WATCHED(ompi_coll_base_allreduce_intra_recursivedoubling)
WATCHED(ompi_coll_base_allreduce_intra_redscat_allgather)
WATCHED(ompi_coll_base_allreduce_intra_ring)
WATCHED(ompi_coll_base_alltoall_intra_basic_linear)
WATCHED(ompi_coll_base_alltoall_intra_bruck)
WATCHED(ompi_coll_base_alltoall_intra_linear_sync)
WATCHED(ompi_coll_base_alltoall_intra_pairwise)
WATCHED(ompi_coll_base_bcast_intra_basic_linear)
WATCHED(ompi_coll_base_bcast_intra_bintree)
WATCHED(ompi_coll_base_bcast_intra_binomial)
WATCHED(ompi_coll_base_bcast_intra_chain)
WATCHED(ompi_coll_base_bcast_intra_knomial)
WATCHED(ompi_coll_base_bcast_intra_pipeline)
WATCHED(ompi_coll_base_bcast_intra_scatter_allgather)
WATCHED(ompi_coll_base_bcast_intra_scatter_allgather_ring)
WATCHED(ompi_coll_base_bcast_intra_split_bintree)
WATCHED(ompi_coll_base_allreduce_intra_ring_segmented)
WATCHED(ompi_coll_base_reduce_intra_basic_linear)
WATCHED(ompi_coll_base_reduce_intra_binary)
WATCHED(ompi_coll_base_reduce_intra_binomial)
WATCHED(ompi_coll_base_reduce_intra_chain)
WATCHED(ompi_coll_base_reduce_intra_in_order_binary)
WATCHED(ompi_coll_base_reduce_intra_pipeline)
WATCHED(ompi_coll_base_reduce_intra_redscat_gather)
WATCHED(ompi_coll_base_reduce_scatter_intra_basic_recursivehalving)
WATCHED(ompi_coll_base_reduce_scatter_intra_butterfly)
WATCHED(ompi_coll_base_reduce_scatter_intra_nonoverlapping)
WATCHED(ompi_coll_base_reduce_scatter_intra_ring)
WATCHED(ompi_coll_base_gather_intra_basic_linear)
WATCHED(ompi_coll_base_gather_intra_binomial)
WATCHED(ompi_coll_base_gather_intra_linear_sync)
WATCHED(ompi_coll_base_scatter_intra_basic_linear)
WATCHED(ompi_coll_base_scatter_intra_binomial)
WATCHED(ompi_coll_base_scatter_intra_linear_nb)
WATCHED(ucp_tag_send_nbx)
WATCHED(ucp_tag_send_nb)
