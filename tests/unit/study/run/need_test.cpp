#include "study/run/scenario_run.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

Scenario alltoall(std::size_t ranks) {
  Scenario scenario;
  scenario.file = "s.json";
  auto platform = std::make_shared<Platform>();
  platform->devices.emplace_back();
  scenario.platform = platform;
  scenario.ranks.assign(ranks, 0);
  Benchmark benchmark;
  benchmark.name = "imb-alltoall";
  benchmark.sizes = {Bytes{8}};
  scenario.workload = benchmark;
  return scenario;
}

TEST(Need, GrowsWithRanksAndMessages) {
  EXPECT_LT(need_of(alltoall(8)).memory, Bytes{100000000});
  EXPECT_GT(need_of(alltoall(100000)).memory, Bytes{1000000000});
  EXPECT_EQ(need_of(alltoall(1000)).messages, 4 * 2 * 10 * 1000); // iterations of ten rounds, and as many of a barrier
}

TEST(Need, IsRefusedBeyondTheLimit) {
  EXPECT_TRUE(check_need(alltoall(1000), need_of(alltoall(1000)), Bytes{1000000000}).empty());
  const auto errors = check_need(alltoall(1000), need_of(alltoall(1000)), Bytes{50000000});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(to_text(errors.front()), "s.json: /ranks: 1000 ranks need about 81 MB of memory, more than the "
                                     "50 MB that --max-memory allows");
}

} // namespace
} // namespace kakehashi
