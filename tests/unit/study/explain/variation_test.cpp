#include "study/explain/explanations.hpp"

#include "input/scenario/scenario_reader.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// A shipped scenario of the FX10 at one size.
Scenario fx10(const std::string& name, std::uint64_t size) {
  static std::shared_ptr<const Platform> platform;
  auto scenario = read_scenario(KAKEHASHI_SOURCE_DIR "/scenarios/fx10-tofu/" + name + ".json");
  EXPECT_TRUE(scenario);
  if (!platform)
    platform = scenario->platform;
  scenario->platform = platform;
  std::get<Benchmark>(scenario->workload).sizes = {Bytes{size}};
  return std::move(*scenario);
}

TEST(SameRun, KnowsTheFormWithListsAndLibrariesThatChooseAlike) {
  EXPECT_TRUE(is_same_run(fx10("alltoall-old", 4096), fx10("alltoallv-old", 4096)));
  EXPECT_TRUE(is_same_run(fx10("allgather-new", 4096), fx10("allgatherv-new", 4096))); // asks for a Bcast
  EXPECT_TRUE(is_same_run(fx10("allgather-old", 32768), fx10("allgather-new", 32768)));
}

TEST(SameRun, TellsOtherAlgorithmsSizesAndSettingsApart) {
  EXPECT_FALSE(is_same_run(fx10("alltoall-old", 4096), fx10("alltoall-new", 4096)));
  EXPECT_FALSE(is_same_run(fx10("allgather-old", 4096), fx10("allgather-new", 4096)));
  EXPECT_FALSE(is_same_run(fx10("alltoall-old", 4096), fx10("alltoall-old", 8192)));
  EXPECT_FALSE(is_same_run(fx10("alltoall-old", 4096), fx10("allgather-old", 4096)));
  EXPECT_FALSE(is_same_run(fx10("allreduce-old", 1048576), fx10("allreduce-new", 1048576))); // their Bcasts differ
  auto copies_slowly = fx10("alltoall-old", 4096);
  copies_slowly.mpi.copy_start = microseconds(9);
  EXPECT_FALSE(is_same_run(fx10("alltoallv-old", 4096), copies_slowly));
}

} // namespace
} // namespace kakehashi
