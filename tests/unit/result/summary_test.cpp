#include "result/summary.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

PathShare share(std::string what, Phase phase, int from, int to, double time, std::uint64_t steps) {
  return {std::move(what), phase, 0, from, to, Seconds{time}, {}, steps};
}

TEST(Summary, PutsSharesOfAKindTogether) {
  const auto kinds = kinds_of({share("flow at 1 MB/s, limited by a", Phase::flow, 0, 1, 5, 2),
                               share("core: overheads and copies", Phase::sender_core, 0, 0, 4, 8),
                               share("flow at 2 MB/s, limited by b", Phase::flow, 1, 2, 3, 1),
                               share("core: overheads and copies", Phase::sender_core, 1, 1, 7, 1)});
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].what, "core: overheads and copies");
  EXPECT_EQ(kinds[0].time.value, 11);
  EXPECT_EQ(kinds[0].steps, 9U);
  EXPECT_EQ(kinds[0].places, 2U);
  EXPECT_EQ(kinds[0].largest.from, 1);
  EXPECT_EQ(kinds[1].what, "flow");
  EXPECT_EQ(kinds[1].time.value, 8);
  EXPECT_EQ(kinds[1].largest.what, "flow at 1 MB/s, limited by a");
}

TEST(Summary, AddsUpWhatFlowsLoseToOthers) {
  auto one = share("flow at a", Phase::flow, 0, 1, 5, 2), other = share("flow at b", Phase::flow, 1, 2, 3, 1);
  one.contended = Seconds{2};
  other.contended = Seconds{1};
  EXPECT_EQ(kinds_of({one, other})[0].contended.value, 3);
}

TEST(Summary, TellsOfOthersWhereMostIsOfThem) {
  const auto kinds =
      kinds_of({share("flow", Phase::flow, -1, -1, 5, 20), share("flow at a", Phase::flow, 0, 1, 1, 2),
                share("flow at b", Phase::flow, 1, 2, 3, 2), share("compute", Phase::compute, -1, -1, 1, 9)});
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].time.value, 9);
  EXPECT_EQ(kinds[0].places, 2U);
  EXPECT_TRUE(kinds[0].has_others);
  EXPECT_EQ(kinds[0].largest.what, "flow at b");
  EXPECT_EQ(kinds[1].places, 0U);
  EXPECT_EQ(kinds[1].largest.from, -1);
}

TEST(Summary, SaysWhoseThePathIs) {
  RunSummary summary;
  EXPECT_EQ(place_of_path(summary), "");
  summary.standing_ranks = 1;
  EXPECT_EQ(place_of_path(summary),
            "at rank 0, which stands for all: what others receive goes on at the one that stands for them");
  summary.standing_ranks = 16;
  EXPECT_EQ(place_of_path(summary).substr(0, 37), "at ranks 0 to 15, which stand for all");
}

} // namespace
} // namespace kakehashi
