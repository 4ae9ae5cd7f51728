#include "workload/call_times.hpp"

#include <array>
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

TEST(CallTimes, GiveWhatBecameOfTimeToItsLines) {
  CallTimes times(2);
  const auto send = profiled({1, {}, {}, {}, SendEvent{1, 0, Bytes{100}, true}});
  const auto receive = profiled({1, {}, {}, {}, ReceiveEvent{}});
  const auto work = profiled({1, {}, {}, {}, ComputeEvent{}});
  const std::string_view here = "a+0x1", there = "b+0x1", solve = "solve", outside = "";
  const auto add = [&](int rank, const ProfiledCall& call, std::string_view site, std::string_view region) {
    const auto place = times.place_of(rank, call, site, region);
    times.add(rank, 10, Seconds{place == 3 ? 9.0 : 1.0}, {});
    return place;
  };
  const std::array places{add(0, send, here, solve), add(1, receive, here, solve), add(1, receive, there, outside),
                          add(0, work, here, solve)};
  EXPECT_EQ(places, (std::array{1u, 2u, 3u, 4u}));
  EXPECT_EQ(times.place_of(0, work, there, solve), 4u); // work has no site
  auto profile = times.profile({"world"});
  Recording recording;
  recording.places.resize(5);
  for (std::size_t place = 1; place < 5; ++place) {
    recording.places[place].waiting = Seconds{static_cast<double>(place)};
    PathStep step;
    step.place = static_cast<std::uint32_t>(place);
    step.end = Seconds{static_cast<double>(10 * place)};
    recording.path.log.add(step);
  }
  add_places(recording, profile);
  ASSERT_EQ(profile.lines.size(), 2u);
  EXPECT_EQ(profile.lines[0].call, "recv");
  EXPECT_EQ(profile.lines[0].places.ranks.waiting, Seconds{2 + 3});
  EXPECT_EQ(profile.lines[0].places.on_path, Seconds{20 + 30});
  EXPECT_EQ(profile.lines[1].places.on_path, Seconds{10});
  EXPECT_EQ(profile.work->on_path, Seconds{40});
  ASSERT_EQ(profile.sites.size(), 3u);
  EXPECT_EQ(profile.sites[0].site, "b+0x1");
  EXPECT_EQ(profile.sites[0].calls.places.ranks.waiting, Seconds{3});
  ASSERT_EQ(profile.regions.size(), 2u);
  EXPECT_EQ(profile.regions[0].region, "");
  EXPECT_EQ(profile.regions[0].places.on_path, Seconds{30});
  EXPECT_EQ(profile.regions[1].places.on_path, Seconds{10 + 20 + 40});
}

} // namespace
} // namespace kakehashi
