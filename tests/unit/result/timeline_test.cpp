#include "result/recording.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

RankSlice slice(int rank, double start, double end) {
  return {rank, Activity::compute, -1, 0, {}, {start}, {end}};
}

TEST(Timeline, AboveItsLimitKeepsTheBusiestRanksAndLinks) {
  Timeline timeline(400);
  for (int i = 0; i < 10; ++i)
    for (std::size_t row = 0; row < 64; ++row) {
      timeline.add(slice(static_cast<int>(row), i, i + 0.01 * static_cast<double>(row)));
      const std::size_t channels[] = {row};
      timeline.transfer_starts(channels, Bytes{100}, {static_cast<double>(i)});
      timeline.transfer_ends(channels, {i + 0.01 * static_cast<double>(row)});
    }
  timeline.finish();
  EXPECT_LE(timeline.ranks().size() + timeline.links().size() + timeline.loads().size(), 401u);
  EXPECT_EQ(timeline.rank_coverage().all, 64u);
  EXPECT_EQ(timeline.rank_coverage().shown, 16u);
  EXPECT_EQ(timeline.link_coverage().shown, 16u);
  EXPECT_TRUE(timeline.shows_rank(63));
  EXPECT_FALSE(timeline.shows_rank(3));
  EXPECT_TRUE(timeline.shows_link(63));
  EXPECT_FALSE(timeline.shows_link(3));
  ASSERT_TRUE(timeline.details_end()); // 16 rows of each are too many after a while
  for (const auto& each : timeline.ranks())
    EXPECT_TRUE(timeline.shows_rank(each.rank));
}

TEST(Timeline, ShowsAnIdleRankIfItShowsAllOthers) {
  Timeline whole(100);
  Timeline halved(100);
  for (int i = 0; i < 102; ++i) {
    whole.add(slice(5, i / 2, i / 2 + 0.5));
    halved.add(slice(1 + i % 50, i, i + 1));
  }
  EXPECT_TRUE(whole.shows_rank(0));
  EXPECT_TRUE(whole.shows_rank(7));
  EXPECT_FALSE(halved.shows_rank(0));
  EXPECT_FALSE(halved.shows_rank(70));
}

TEST(Timeline, OfFewRanksEndsInTime) {
  Timeline timeline(100);
  for (int i = 0; i < 1000; ++i)
    timeline.add(slice(i % 2, i, i + 1));
  EXPECT_EQ(timeline.ranks().size(), 101u);
  EXPECT_EQ(timeline.details_end(), Seconds{101});
  EXPECT_EQ(timeline.rank_coverage().shown, 2u);
}

TEST(Timeline, OfALinkHasASliceForEachTimeWithTransfers) {
  Timeline timeline;
  const std::size_t both[] = {3, 5}, one[] = {5};
  timeline.transfer_starts(both, Bytes{100}, {1});
  timeline.transfer_starts(one, Bytes{50}, {2});
  timeline.transfer_ends(both, {3});
  timeline.transfer_ends(one, {4});
  timeline.transfer_starts(one, Bytes{7}, {5});
  timeline.transfer_ends(one, {6});
  ASSERT_EQ(timeline.links().size(), 3u);
  EXPECT_EQ(timeline.links()[0].channel, 3u);
  EXPECT_EQ(timeline.links()[1].transfers, 2u);
  EXPECT_EQ(timeline.links()[1].bytes, 150);
  EXPECT_EQ(timeline.links()[1].start, Seconds{1});
  EXPECT_EQ(timeline.links()[1].end, Seconds{4});
  EXPECT_EQ(timeline.links()[2].bytes, 7);
  EXPECT_EQ(timeline.loads().size(), 8u);
}

} // namespace
} // namespace kakehashi
