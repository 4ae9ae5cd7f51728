#include "workload/call_times.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(CallTimes, AddsUpCallsByKindAndCommunicator) {
  CollectiveEvent reduction;
  reduction.collective = Collective::allreduce;
  reduction.size = Bytes{8};
  const auto in_world = profiled({1, {}, {}, {}, reduction});
  reduction.communicator = 1;
  reduction.blocking = false;
  const auto in_row = profiled({1, {}, {}, {}, reduction});
  CallTimes times(2);
  times.add(0, in_world, Seconds{1e-6});
  times.add(0, in_world, Seconds{2e-6});
  times.add(1, in_world, Seconds{9e-6});
  times.add(1, in_row, Seconds{20e-6});
  times.add(0, profiled({1, {}, {}, {}, SendEvent{1, 0, Bytes{100}, true}}), Seconds{5e-6});
  times.add(0, profiled({1, {}, {}, {}, ComputeEvent{}}), Seconds{30e-6});
  times.add(1, profiled({1, {}, {}, {}, ElapseEvent{}}), Seconds{10e-6});
  const auto profile = times.profile({"world", "row 0"});
  ASSERT_EQ(profile.lines.size(), 3u); // the longest first
  EXPECT_EQ(profile.lines[0].call, "iallreduce");
  EXPECT_EQ(profile.lines[0].communicator, "row 0");
  EXPECT_EQ(profile.lines[0].ranks, 1u);
  EXPECT_EQ(profile.lines[1].call, "allreduce");
  EXPECT_EQ(profile.lines[1].communicator, "world");
  EXPECT_EQ(profile.lines[1].calls, 3u);
  EXPECT_DOUBLE_EQ(profile.lines[1].bytes, 24);
  EXPECT_DOUBLE_EQ(profile.lines[1].time.value, 12e-6);
  EXPECT_DOUBLE_EQ(profile.lines[1].most.value, 9e-6);
  EXPECT_EQ(profile.lines[1].slowest, 1);
  EXPECT_EQ(profile.lines[2].call, "send");
  EXPECT_EQ(profile.lines[2].communicator, "");
  EXPECT_DOUBLE_EQ(imbalance_of(profile.working), 0.5);
  EXPECT_DOUBLE_EQ(profile.in_mpi[0].value, 8e-6);
  EXPECT_EQ(imbalance_of({}), 0);
  EXPECT_TRUE(profile.sites.empty());
  EXPECT_TRUE(profile.regions.empty());
}

TEST(CallTimes, KnowTheSlowestRankAndAllBytes) {
  CollectiveEvent exchange;
  exchange.collective = Collective::alltoallv;
  exchange.sizes = {1, 20, 300};
  CallTimes times(3);
  for (int rank = 0; rank < 3; ++rank)
    times.add(rank, profiled({1, {}, {}, {}, exchange}), Seconds{rank == 1 ? 5e-6 : 2e-6});
  const auto line = times.profile({"world"}).lines.at(0);
  EXPECT_EQ(line.slowest, 1);
  EXPECT_DOUBLE_EQ(line.most.value, 5e-6);
  EXPECT_DOUBLE_EQ(line.bytes, 3 * 321);
}

} // namespace
} // namespace kakehashi
