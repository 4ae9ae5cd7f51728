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

TEST(Tuning, MovesToAnotherPlacementForMoreThanTheMargin) {
  EXPECT_EQ(proposed_placement({{"block", 1, 0.899}, {"cyclic", 1.1, 0.75}}, 0.2), 0U);
  EXPECT_EQ(proposed_placement({{"block", 1, 0.901}, {"cyclic", 1.1, 0.75}}, 0.2), 1U);
  EXPECT_EQ(proposed_placement({{"block", 1, 0.7}, {"cyclic", 1.1, 0.75}}, 0), 0U);
}

TunedSize with_rival(std::uint64_t size, const char* rival, double gain) {
  auto each = of(size, "usual", 1, 1);
  each.rival = TunedRival{{rival, Seconds{1 / gain}}, "SET=" + std::string(rival)};
  return each;
}

// Ring competes at 8 to 32 B, where it gains most at 16 B, and again at 128 B.
TEST(Tuning, ProposesEachContestOnceBeforeASecondSize) {
  Tuning tuning;
  tuning.placements = {{"block"}};
  tuning.operations = {{Collective::reduce_scatter, 0, 4, 0.1, {}}};
  auto& sizes = tuning.operations[0].sizes;
  sizes = {with_rival(8, "ring", 1.5), with_rival(16, "ring", 1.7), with_rival(32, "ring", 1.6),
           with_rival(64, "chain", 1.2), with_rival(128, "ring", 1.3)};
  std::string files;
  for (const auto& run : confirming_runs(tuning))
    files += run.file + "\n";
  EXPECT_EQ(files, "reduce-scatter-block-4-16-default.log\nreduce-scatter-block-4-16-ring.log\n"
                   "reduce-scatter-block-4-128-default.log\nreduce-scatter-block-4-128-ring.log\n"
                   "reduce-scatter-block-4-64-default.log\nreduce-scatter-block-4-64-chain.log\n"
                   "reduce-scatter-block-4-32-default.log\nreduce-scatter-block-4-32-ring.log\n"
                   "reduce-scatter-block-4-8-default.log\nreduce-scatter-block-4-8-ring.log\n");
  EXPECT_EQ(confirming_runs(tuning)[1].command, "SET=ring mpirun -n 4 osu_reduce_scatter -m 16:16");
}

} // namespace
} // namespace kakehashi
