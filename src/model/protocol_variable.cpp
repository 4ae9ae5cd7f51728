#include "model/protocol_variable.hpp"

#include <vector>

namespace kakehashi {

// Sources: Open MPI 4.1, opal/mca/btl (btl_*_component.c); UCX 1.12, ucp_context.c; MPICH 4.2, src/util/cvar;
// Intel MPI Library 2018, Developer Reference (2019 and later leave it to libfabric, of which rxm has 16 KiB); MVAPICH2
// 2.3.7, User Guide, where the threshold depends on the adapter: 12 KiB on ConnectX; ARCHER2's documentation for HPE
// Cray MPICH.
std::span<const ProtocolVariable> protocol_variables() {
  using enum ProtocolChange;
  using enum LogScope;
  static const std::vector<ProtocolVariable> rows{
      {short_ends, any, "", "UCX", "", "UCX_BCOPY_THRESH=SIZE", {}},
      {short_ends, between_nodes, "infiniband", "UCX", "", "UCX_RC_MLX5_TX_MIN_INLINE=SIZE", {}},
      {short_ends,
       between_nodes,
       "infiniband",
       "Open MPI without UCX",
       "open-mpi",
       "--mca btl_openib_max_inline_data SIZE",
       {}},
      {short_ends, between_nodes, "infiniband", "MVAPICH2", "mvapich2", "MV2_MAX_INLINE_SIZE=SIZE", {}},
      {eager_ends, any, "", "UCX", "", "UCX_RNDV_THRESH=SIZE", {}},
      {eager_ends, any, "", "UCX", "", "UCX_RNDV_SEND_NBR_THRESH=SIZE", kib(256)}, // the end for blocking sends
      {copies_end, any, "", "UCX", "", "UCX_ZCOPY_THRESH=SIZE", {}},
      {eager_ends, inside_node, "", "Open MPI without UCX", "open-mpi", "--mca btl_vader_eager_limit SIZE", kib(4)},
      {eager_ends, between_nodes, "infiniband", "Open MPI without UCX", "open-mpi", "--mca btl_openib_eager_limit SIZE",
       kib(12)},
      {eager_ends, between_nodes, "ethernet", "Open MPI without UCX", "open-mpi", "--mca btl_tcp_eager_limit SIZE",
       kib(64)},
      {eager_ends, inside_node, "", "Intel MPI to 2018", "intel-mpi", "I_MPI_INTRANODE_EAGER_THRESHOLD=SIZE", kib(256)},
      {eager_ends, between_nodes, "", "Intel MPI to 2018", "intel-mpi", "I_MPI_EAGER_THRESHOLD=SIZE", kib(256)},
      {eager_ends, between_nodes, "", "Intel MPI from 2019", "intel-mpi", "FI_OFI_RXM_BUFFER_SIZE=SIZE", kib(16)},
      {eager_ends, inside_node, "", "HPE Cray MPICH", "cray-mpich", "MPICH_SMP_SINGLE_COPY_SIZE=SIZE", kib(8)},
      {eager_ends, between_nodes, "", "HPE Cray MPICH", "cray-mpich", "FI_OFI_RXM_BUFFER_SIZE=SIZE", kib(16)},
      {eager_ends, any, "", "MPICH, ch3", "mpich", "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE=SIZE", kib(128)},
      {eager_ends, any, "", "MPICH, ch4", "mpich", "MPIR_CVAR_CH4_EAGER_MAX_MSG_SIZE=SIZE", {}},
      {eager_ends, inside_node, "", "MVAPICH2", "mvapich2", "MV2_SMP_EAGERSIZE=SIZE", {}},
      {eager_ends, between_nodes, "infiniband", "MVAPICH2", "mvapich2",
       "MV2_IBA_EAGER_THRESHOLD=SIZE MV2_VBUF_TOTAL_SIZE=SIZE", kib(12)},
      {parts, any, "", "UCX", "", "UCX_RNDV_FRAG_SIZE=host:SIZE", kib(512)},
      {parts, between_nodes, "infiniband", "UCX", "", "UCX_MAX_RNDV_RAILS=NUMBER", {}},
      {parts, inside_node, "", "Open MPI without UCX", "open-mpi", "--mca btl_vader_max_send_size SIZE", kib(32)},
      {parts, between_nodes, "infiniband", "Open MPI without UCX", "open-mpi", "--mca btl_openib_max_send_size SIZE",
       kib(64)},
      {parts, between_nodes, "ethernet", "Open MPI without UCX", "open-mpi", "--mca btl_tcp_max_send_size SIZE",
       kib(128)},
      {parts, between_nodes, "infiniband", "MVAPICH2", "mvapich2", "MV2_RAIL_SHARING_LARGE_MSG_THRESHOLD=SIZE",
       kib(16)},
      {slower, inside_node, "", "Intel MPI to 2018", "intel-mpi", "I_MPI_SHM_CACHE_BYPASS_THRESHOLDS=SIZES", {}},
  };
  return rows;
}

} // namespace kakehashi
