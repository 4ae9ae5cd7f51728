#include "workload/collective/libraries.hpp"
#include "workload/collective/registry.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::string setting(Selector library, Collective collective, std::string_view name, Bytes segment = {}) {
  return setting_of(library, collective, {index_of_algorithm(collective, name), segment, 0});
}

TEST(Settings, MakeALibraryTakeAnAlgorithm) {
  EXPECT_EQ(setting(Selector::open_mpi_41, Collective::allreduce, "ring"),
            "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm 4");
  EXPECT_EQ(setting(Selector::open_mpi, Collective::allreduce, "segmented-ring", Bytes{1 << 20}),
            "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm 5 "
            "--mca coll_tuned_allreduce_algorithm_segmentsize 1048576");
  EXPECT_EQ(setting(Selector::mpich_4, Collective::allreduce, "rabenseifner"),
            "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=reduce_scatter_allgather");
  EXPECT_EQ(setting(Selector::intel_mpi_2021, Collective::alltoall, "pairwise"), "I_MPI_ADJUST_ALLTOALL=3");
  EXPECT_EQ(setting(Selector::fujitsu_4, Collective::bcast, "box-six-trees", Bytes{16 << 10}),
            "-mca coll_select_bcast_algorithm trinaryx6 -mca coll_select_bcast_algorithm_segmentsize 16384");
  EXPECT_EQ(setting(Selector::fujitsu_4, Collective::alltoall, "double-spread"),
            "-mca coll_select_alltoall_algorithm doublespread");
}

TEST(Settings, AreEmptyForWhatALibraryDoesNotHave) {
  EXPECT_EQ(setting(Selector::mpich, Collective::allreduce, "reduce-bcast"), "");
  EXPECT_EQ(setting(Selector::intel_mpi, Collective::barrier, "tree"), "");
  EXPECT_EQ(setting(Selector::fixed, Collective::allreduce, "ring"), "");
}

} // namespace
} // namespace kakehashi
