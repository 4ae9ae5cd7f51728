#include "result/tuning.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TunedSize of(std::uint64_t size, const char* taken, double usual, double time) {
  TunedSize each;
  each.size = size;
  each.usual = {"usual", Seconds{usual}};
  each.chosen = {taken, Seconds{time}};
  each.is_changed = std::string(taken) != "usual";
  return each;
}

TEST(Tuning, TakesNeighboursWithOneChoiceTogether) {
  TunedOperation operation{Collective::bcast, 0, 4, 0.1, {}};
  operation.sizes = {of(8, "usual", 1, 1), of(16, "usual", 2, 2), of(32, "ring", 6, 4), of(64, "ring", 6, 3),
                     of(128, "chain", 6, 3)};
  const auto ranges = ranges_of(operation);
  ASSERT_EQ(ranges.size(), 3U);
  EXPECT_EQ(ranges[0].first->size, 8U);
  EXPECT_EQ(ranges[1].first->size, 32U);
  EXPECT_DOUBLE_EQ(ranges[1].least, 0.5);
  EXPECT_DOUBLE_EQ(ranges[1].most, 1);
  EXPECT_EQ(ranges[2].first->chosen.name, "chain");
}

// ln 1.34 is 0.2927, so the deviation 0.3668, that of a difference 0.5188: a gain of 34 % is 0.5641 of it.
TEST(Tuning, KnowsHowSureAGainIs) {
  EXPECT_NEAR(certainty(Collective::bcast, 0.34), 0.7137, 1e-4);
  EXPECT_DOUBLE_EQ(certainty(Collective::allreduce, 0), 0.5);
  EXPECT_LT(certainty(Collective::alltoall, 0.5), certainty(Collective::allreduce, 0.5));
}

} // namespace
} // namespace kakehashi
