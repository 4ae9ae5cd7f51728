// The decision tables of MPI libraries. Operations are assumed to commute, as sums do.
#include "workload/collective/libraries.hpp"

namespace kakehashi {
namespace {

using enum Collective;

// Open MPI 1.3 to 4.0: coll_tuned_decision_fixed.c, and coll_basic for the operations that this module leaves out. It
// ignores nodes. If the number of elements matters, they are assumed to have 4 bytes.
constexpr Decision open_mpi[] = {
    {.collective = barrier, .algorithm = "recursive-doubling", .ranks = Ranks::power_of_two},
    {.collective = barrier, .algorithm = "dissemination"},

    {.collective = bcast, .algorithm = "binomial-nearest-first", .bytes_below = 2048},
    {.collective = bcast, .algorithm = "split-binary", .bytes_below = 370728, .segment = kib(1)},
    {.collective = bcast, .algorithm = "chain", .ranks_below_line = {1.6134e-6, 2.1102}, .segment = kib(128)},
    {.collective = bcast, .algorithm = "split-binary", .ranks_below = 13, .segment = kib(8)},
    {.collective = bcast, .algorithm = "chain", .ranks_below_line = {2.3679e-6, 1.1787}, .segment = kib(64)},
    {.collective = bcast, .algorithm = "chain", .ranks_below_line = {3.2118e-6, 8.7936}, .segment = kib(16)},
    {.collective = bcast, .algorithm = "chain", .segment = kib(8)},

    {.collective = reduce, .algorithm = "linear", .bytes_below = 512, .ranks_below = 8},
    {.collective = reduce, .algorithm = "binomial", .bytes_below = 20480, .ranks_below = 8},
    {.collective = reduce, .algorithm = "binomial", .bytes_below = 2048},
    {.collective = reduce, .algorithm = "binomial", .ranks_above_line = {0.6016 / 1024, 1.3496}, .segment = kib(1)},
    {.collective = reduce, .algorithm = "chain", .ranks_above_line = {0.0410 / 1024, 9.7128}, .segment = kib(1)},
    {.collective = reduce, .algorithm = "binary", .ranks_above_line = {0.0422 / 1024, 1.1614}, .segment = kib(32)},
    {.collective = reduce, .algorithm = "chain", .ranks_above_line = {0.0033 / 1024, 1.6761}, .segment = kib(32)},
    {.collective = reduce, .algorithm = "chain", .segment = kib(64)},

    // Vectors of more than 1 MiB per rank are cut in segments. With fewer elements than ranks there is no ring.
    {.collective = allreduce, .algorithm = "recursive-doubling", .bytes_below = 10000},
    {.collective = allreduce,
     .algorithm = "segmented-ring",
     .ranks_below_line = {1.0 / 1048576, 0},
     .segment = kib(1024)},
    {.collective = allreduce, .algorithm = "ring", .ranks_below_line = {0.25, 0}},
    {.collective = allreduce, .algorithm = "reduce-bcast"},

    {.collective = gather, .algorithm = "binomial", .bytes_below = 6001, .ranks_from = 61},
    {.collective = gather, .algorithm = "binomial", .bytes_below = 1024, .ranks_from = 11},
    {.collective = gather, .algorithm = "linear", .bytes_below = 6001},
    {.collective = gather, .algorithm = "linear-synchronised", .bytes_below = 92161, .segment = kib(1)},
    {.collective = gather, .algorithm = "linear-synchronised", .segment = kib(32)},
    {.collective = gatherv, .algorithm = "linear"},

    {.collective = scatter, .algorithm = "binomial", .bytes_below = 300, .ranks_from = 11},
    {.collective = scatter, .algorithm = "linear"},
    {.collective = scatterv, .algorithm = "linear"},

    {.collective = allgather, .algorithm = "recursive-doubling", .ranks_below = 3},
    {.collective = allgather, .algorithm = "recursive-doubling", .bytes_below = 50000, .ranks = Ranks::power_of_two},
    {.collective = allgather, .algorithm = "bruck", .bytes_below = 50000},
    {.collective = allgather, .algorithm = "ring", .ranks = Ranks::odd},
    {.collective = allgather, .algorithm = "neighbour-exchange"},
    {.collective = allgatherv, .algorithm = "recursive-doubling", .ranks_below = 3},
    {.collective = allgatherv, .algorithm = "bruck", .bytes_below = 50000},
    {.collective = allgatherv, .algorithm = "ring", .ranks = Ranks::odd},
    {.collective = allgatherv, .algorithm = "neighbour-exchange"},

    {.collective = alltoall, .algorithm = "bruck", .bytes_below = 200, .ranks_from = 13},
    {.collective = alltoall, .algorithm = "linear", .bytes_below = 3000},
    {.collective = alltoall, .algorithm = "pairwise"},
    {.collective = alltoallv, .algorithm = "pairwise"},

    {.collective = reduce_scatter, .algorithm = "recursive-halving", .bytes_below = 12289},
    {.collective = reduce_scatter,
     .algorithm = "recursive-halving",
     .bytes_below = 262145,
     .ranks = Ranks::power_of_two},
    {.collective = reduce_scatter, .algorithm = "ring", .ranks_below_line = {0.0012, 8}},
    {.collective = reduce_scatter, .algorithm = "recursive-halving"},

    {.collective = scan, .algorithm = "linear"},
    {.collective = exscan, .algorithm = "linear"},
};

// MPICH 3.0 to 3.2, on which MVAPICH2 is built: src/mpi/coll, with the default values of its control variables
// (MPIR_CVAR_BCAST_SHORT_MSG_SIZE and so on). Left out: the flag that a two-level scan sends around each node.
constexpr Decision mpich[] = {
    {.collective = barrier, .algorithm = "two-level", .on_nodes = true},
    {.collective = barrier, .algorithm = "dissemination"},

    {.collective = bcast, .algorithm = "two-level", .bytes_below = 12288, .on_nodes = true},
    {.collective = bcast, .algorithm = "two-level", .ranks_below = 8, .on_nodes = true},
    {.collective = bcast,
     .algorithm = "two-level",
     .bytes_below = 524288,
     .ranks = Ranks::power_of_two,
     .on_nodes = true},
    {.collective = bcast, .algorithm = "binomial", .bytes_below = 12288},
    {.collective = bcast, .algorithm = "binomial", .ranks_below = 8},
    {.collective = bcast,
     .algorithm = "scatter-doubling-allgather",
     .bytes_below = 524288,
     .ranks = Ranks::power_of_two},
    {.collective = bcast, .algorithm = "scatter-ring-allgather"},

    {.collective = reduce, .algorithm = "two-level", .on_nodes = true},
    {.collective = reduce, .algorithm = "binomial", .bytes_below = 2049},
    {.collective = reduce, .algorithm = "rabenseifner"},

    {.collective = allreduce, .algorithm = "two-level", .on_nodes = true},
    {.collective = allreduce, .algorithm = "recursive-doubling", .bytes_below = 2049},
    {.collective = allreduce, .algorithm = "rabenseifner"},

    {.collective = gather, .algorithm = "binomial"},
    {.collective = gatherv, .algorithm = "linear"},
    {.collective = scatter, .algorithm = "binomial"},
    {.collective = scatterv, .algorithm = "linear"},

    {.collective = allgather, .algorithm = "recursive-doubling", .bytes_below = 524288, .ranks = Ranks::power_of_two},
    {.collective = allgather, .algorithm = "bruck", .bytes_below = 81920},
    {.collective = allgather, .algorithm = "ring"},
    {.collective = allgatherv, .algorithm = "recursive-doubling", .bytes_below = 524288, .ranks = Ranks::power_of_two},
    {.collective = allgatherv, .algorithm = "bruck", .bytes_below = 81920},
    {.collective = allgatherv, .algorithm = "ring"},

    {.collective = alltoall, .algorithm = "bruck", .bytes_below = 257, .ranks_from = 8},
    {.collective = alltoall, .algorithm = "linear", .bytes_below = 32769, .width = 32},
    {.collective = alltoall, .algorithm = "pairwise-exclusive-or", .ranks = Ranks::power_of_two},
    {.collective = alltoall, .algorithm = "pairwise"},
    {.collective = alltoallv, .algorithm = "linear", .width = 32},

    {.collective = reduce_scatter, .algorithm = "recursive-halving", .bytes_below = 524288},
    {.collective = reduce_scatter, .algorithm = "pairwise"},

    {.collective = scan, .algorithm = "two-level", .on_nodes = true},
    {.collective = scan, .algorithm = "recursive-doubling"},
    {.collective = exscan, .algorithm = "recursive-doubling"},
};

// Intel MPI's tables are not public. Its reference names the algorithms (I_MPI_ADJUST_…: among them topology-aware
// forms, Bruck, isend/irecv, pairwise, Rabenseifner, ring), but not the sizes where they change. Assumed: two-level
// forms on nodes at all sizes, because it descends from MPICH and prefers shared memory; MPICH's thresholds inside them
// and elsewhere; a ring for vectors from 512 KiB.
constexpr Decision intel_mpi[] = {
    {.collective = barrier, .algorithm = "two-level", .on_nodes = true},
    {.collective = barrier, .algorithm = "dissemination"},

    {.collective = bcast, .algorithm = "two-level", .on_nodes = true},
    {.collective = bcast, .algorithm = "binomial", .bytes_below = 12288},
    {.collective = bcast, .algorithm = "binomial", .ranks_below = 8},
    {.collective = bcast,
     .algorithm = "scatter-doubling-allgather",
     .bytes_below = 524288,
     .ranks = Ranks::power_of_two},
    {.collective = bcast, .algorithm = "scatter-ring-allgather"},

    {.collective = reduce, .algorithm = "two-level", .on_nodes = true},
    {.collective = reduce, .algorithm = "binomial", .bytes_below = 2049},
    {.collective = reduce, .algorithm = "rabenseifner"},

    {.collective = allreduce, .algorithm = "two-level", .on_nodes = true},
    {.collective = allreduce, .algorithm = "recursive-doubling", .bytes_below = 2049},
    {.collective = allreduce, .algorithm = "rabenseifner", .bytes_below = 524288},
    {.collective = allreduce, .algorithm = "ring"},

    {.collective = gather, .algorithm = "binomial"},
    {.collective = gatherv, .algorithm = "linear"},
    {.collective = scatter, .algorithm = "binomial"},
    {.collective = scatterv, .algorithm = "linear"},

    {.collective = allgather, .algorithm = "recursive-doubling", .bytes_below = 524288, .ranks = Ranks::power_of_two},
    {.collective = allgather, .algorithm = "bruck", .bytes_below = 81920},
    {.collective = allgather, .algorithm = "ring"},
    {.collective = allgatherv, .algorithm = "recursive-doubling", .bytes_below = 524288, .ranks = Ranks::power_of_two},
    {.collective = allgatherv, .algorithm = "bruck", .bytes_below = 81920},
    {.collective = allgatherv, .algorithm = "ring"},

    {.collective = alltoall, .algorithm = "bruck", .bytes_below = 257, .ranks_from = 8},
    {.collective = alltoall, .algorithm = "linear", .bytes_below = 32769, .width = 32},
    {.collective = alltoall, .algorithm = "pairwise"},
    {.collective = alltoallv, .algorithm = "linear", .width = 32},

    {.collective = reduce_scatter, .algorithm = "recursive-halving", .bytes_below = 524288},
    {.collective = reduce_scatter, .algorithm = "pairwise"},

    {.collective = scan, .algorithm = "two-level", .on_nodes = true},
    {.collective = scan, .algorithm = "recursive-doubling"},
    {.collective = exscan, .algorithm = "recursive-doubling"},
};

// The rows of 5.0, which come before the table of 4.1: coll/han, whose default priority (35) is above that of
// coll/tuned (30).
constexpr Decision open_mpi_50[] = {
    {.collective = barrier, .algorithm = "two-level", .on_nodes = true},
    {.collective = bcast, .algorithm = "two-level", .on_nodes = true},
    {.collective = reduce, .algorithm = "two-level", .on_nodes = true},
    {.collective = allreduce, .algorithm = "two-level", .on_nodes = true},
    {.collective = gather, .algorithm = "two-level", .on_nodes = true},
    {.collective = scatter, .algorithm = "two-level", .on_nodes = true},
    {.collective = allgather, .algorithm = "two-level", .on_nodes = true},
};

// The rows of MPICH 4.2, which come before the table of 3.2. Its selection has "comm_size<8" for Alltoall below a
// condition on calls, where src/mpi/coll/src/csel.c of 4.0 to 5.0 takes that for 8 ranks, too; with 4.0.2, Alltoalls of
// 200 B among 8 ranks send as many messages as the scattered form.
constexpr Decision mpich_4[] = {
    {.collective = alltoall, .algorithm = "linear", .bytes_below = 32769, .ranks_below = 9, .width = 32},
    {.collective = allreduce, .algorithm = "two-level", .on_nodes = true},
    {.collective = allreduce, .algorithm = "recursive-doubling", .bytes_below = 9},
    {.collective = allreduce, .algorithm = "rabenseifner"},
};

// The rows of Cray MPICH, which come before those of MPICH 4: the defaults that MPICH_ENV_DISPLAY prints in 8.1.17.
// Broadcasts are trees of radix 4 at all sizes (MPICH_BCAST_ONLY_TREE and its radices). Allreduces above
// MPICH_ALLREDUCE_MAX_SMP_SIZE, 256 KiB, ignore nodes. Up to there all ranks of a node add in shared memory; flat forms
// are closer to this than a tree of messages to one of the ranks (on a machine with 128 ranks per node; the threshold
// between the flat forms is MPICH's). MPICH_ALLTOALL_SHORT_MSG is 512 to 64 bytes, by the number of ranks.
// MPICH_ALLTOALL_SYNC_FREQ allows a rank at most 24 messages in flight, MPICH_ALLTOALLV_THROTTLE 8. Assumed: the
// numbers of ranks at which the former falls, and the order in which ranks send: with two adapters per node both are
// busy all the time, which windows of neighbours would not achieve.
constexpr Decision cray_mpich[] = {
    {.collective = bcast, .algorithm = "two-level", .on_nodes = true},
    {.collective = bcast, .algorithm = "knomial", .width = 4},
    {.collective = allreduce, .algorithm = "recursive-doubling", .bytes_below = 2049},
    {.collective = allreduce, .algorithm = "rabenseifner"},
    {.collective = alltoall, .algorithm = "bruck", .bytes_below = 513, .ranks_from = 8, .ranks_below = 1025},
    {.collective = alltoall, .algorithm = "bruck", .bytes_below = 257, .ranks_from = 1025, .ranks_below = 65537},
    {.collective = alltoall, .algorithm = "bruck", .bytes_below = 65, .ranks_from = 65537},
    {.collective = alltoall, .algorithm = "linear-strided", .width = 24},
    {.collective = alltoallv, .algorithm = "linear-strided", .width = 8},
};

// The rows that Intel MPI 2019 and 2021 and MPT are assumed to have on nodes, before MPICH's thresholds. I_MPI_ADJUST
// names a topology-aware Gatherv and Bcast for Allgather, and forms through shared memory for Allreduce. Assumed: they
// hold up to the size at which MPICH's blocks or vectors become long (512 KiB in all).
constexpr Decision intel_mpi_2019[] = {
    {.collective = allreduce, .algorithm = "two-level", .bytes_below = 524288, .on_nodes = true},
    {.collective = allreduce, .algorithm = "ring", .bytes_from = 524288, .on_nodes = true},
    {.collective = allgather, .algorithm = "two-level", .bytes_below = 524288, .on_nodes = true},
    {.collective = allgatherv, .algorithm = "two-level", .bytes_below = 524288, .on_nodes = true},
    {.collective = gather, .algorithm = "two-level", .bytes_below = 32769, .on_nodes = true},
    {.collective = scatter, .algorithm = "two-level", .bytes_below = 32769, .on_nodes = true},
};

// One textbook algorithm for each operation, whatever the size and the number of ranks.
constexpr Decision fixed[] = {
    {.collective = barrier, .algorithm = "dissemination"},
    {.collective = bcast, .algorithm = "binomial"},
    {.collective = reduce, .algorithm = "binomial"},
    {.collective = allreduce, .algorithm = "recursive-doubling"},
    {.collective = gather, .algorithm = "binomial"},
    {.collective = gatherv, .algorithm = "linear"},
    {.collective = scatter, .algorithm = "binomial"},
    {.collective = scatterv, .algorithm = "linear"},
    {.collective = allgather, .algorithm = "ring"},
    {.collective = allgatherv, .algorithm = "ring"},
    {.collective = alltoall, .algorithm = "pairwise"},
    {.collective = alltoallv, .algorithm = "pairwise"},
    {.collective = reduce_scatter, .algorithm = "recursive-halving"},
    {.collective = scan, .algorithm = "recursive-doubling"},
    {.collective = exscan, .algorithm = "recursive-doubling"},
};

} // namespace

std::span<const Decision> decisions_of(Selector selector) {
  switch (selector) {
  case Selector::open_mpi: return open_mpi;
  case Selector::open_mpi_41: return open_mpi_41_decisions();
  case Selector::open_mpi_50: return open_mpi_50;
  case Selector::mpich: return mpich;
  case Selector::mpich_4: return mpich_4;
  case Selector::cray_mpich: return cray_mpich;
  case Selector::intel_mpi: return intel_mpi;
  case Selector::intel_mpi_2019: return intel_mpi_2019;
  case Selector::mvapich2: return mvapich2_decisions();
  case Selector::intel_mpi_2021:
  case Selector::mpt: return {};
  case Selector::fujitsu_old:
  case Selector::fujitsu_04:
  case Selector::fujitsu_07:
  case Selector::fujitsu_08:
  case Selector::fujitsu_new: return fujitsu_decisions(selector);
  case Selector::fixed: return fixed;
  }
  return {};
}

} // namespace kakehashi
