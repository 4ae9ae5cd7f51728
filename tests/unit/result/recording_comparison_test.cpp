#include "result/comparison.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

CallLine calls_in(const char* call, const char* communicator, std::uint64_t calls, double bytes, double seconds) {
  CallLine line;
  line.call = call;
  line.communicator = communicator;
  line.calls = calls;
  line.bytes = bytes;
  line.time = Seconds{seconds};
  return line;
}

RecordedRun run_with(std::size_t ranks, std::vector<CallLine> lines) {
  RecordedRun run;
  run.ranks = ranks;
  run.profile.lines = std::move(lines);
  return run;
}

TEST(RecordingComparison, PairsCallsByCommunicatorAndSortsByTheMeansChange) {
  const auto all =
      compare(run_with(2, {calls_in("allreduce", "world", 4, 32, 2), calls_in("allreduce", "row", 4, 32, 8)}),
              run_with(8, {calls_in("allreduce", "row", 16, 128, 32), calls_in("send", "", 3, 9, 4),
                           calls_in("allreduce", "world", 4, 32, 2)}));
  ASSERT_EQ(all.calls.size(), 3u);
  EXPECT_EQ(all.calls[0].runs[0].communicator, "world"); // 1 and 0.25 s of a rank
  EXPECT_EQ(all.calls[1].runs[1].call, "send");          // nothing and 0.5 s
  EXPECT_EQ(all.calls[1].runs[0].calls, 0u);
  EXPECT_EQ(all.calls[2].runs[1].communicator, "row"); // 4 s both
  EXPECT_FALSE(differ(all.calls[0]));
  EXPECT_TRUE(differ(all.calls[1]));
  EXPECT_FALSE(all.has_same_ranks());
}

TEST(RecordingComparison, AddsUpSitesOfARegion) {
  auto run = run_with(2, {calls_in("send", "", 5, 50, 3)});
  run.profile.sites = {{"solve", "a+0x1", calls_in("send", "", 2, 20, 1)},
                       {"solve", "b+0x1", calls_in("send", "", 2, 20, 1)},
                       {"", "a+0x2", calls_in("send", "", 1, 10, 1)}};
  auto without = run_with(2, {});
  EXPECT_TRUE(compare(run, without).in_region.empty()); // nobody names regions
  run.profile.regions = {{"solve", Seconds{2}, Seconds{5}, Seconds{2}}, {"", Seconds{1}, Seconds{0}, Seconds{1}}};
  run.profile.in_mpi = {Seconds{1}, Seconds{2}};
  run.profile.working = {Seconds{5}, Seconds{0}};
  const auto all = compare(without, run);
  ASSERT_EQ(all.in_region.size(), 2u);
  EXPECT_EQ(all.in_region[0].region, "solve");
  EXPECT_EQ(all.in_region[0].runs[1].calls, 4u);
  EXPECT_EQ(all.in_region[0].runs[0].calls, 0u);
  ASSERT_EQ(all.regions.size(), 2u);
  EXPECT_EQ(all.regions[0].runs[0].region, "solve");
  EXPECT_EQ(all.regions[0].runs[0].working, Seconds{});
  EXPECT_EQ(longest_of(run.profile), Seconds{6});
  EXPECT_EQ(mean_of(run.profile.in_mpi), Seconds{1.5});
}

} // namespace
} // namespace kakehashi
