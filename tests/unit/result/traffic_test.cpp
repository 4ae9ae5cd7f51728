#include "result/traffic.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Traffic, CountsEachPair) {
  Traffic traffic(3);
  traffic.add(0, 2, Bytes{100});
  traffic.add(0, 2, Bytes{50});
  traffic.add(2, 0, Bytes{0});
  EXPECT_EQ(traffic.at(0, 2).bytes, 150);
  EXPECT_EQ(traffic.at(0, 2).messages, 2u);
  EXPECT_EQ(traffic.at(2, 0).messages, 1u);
  EXPECT_EQ(traffic.at(1, 2).messages, 0u);
  EXPECT_EQ(traffic.name_of(1), "1");
}

TEST(Traffic, TakesManyRanksTogether) {
  Traffic traffic(150); // three in each block
  EXPECT_EQ(traffic.blocks(), 50u);
  traffic.add(2, 149, Bytes{8});
  EXPECT_EQ(traffic.at(0, 49).bytes, 8);
  EXPECT_EQ(traffic.name_of(49), "147-149");
  traffic.clear();
  EXPECT_EQ(traffic.at(0, 49).messages, 0u);
}

TEST(Traffic, TheLastBlockMayBeSmaller) {
  const Traffic traffic(65);
  EXPECT_EQ(traffic.blocks(), 33u);
  EXPECT_EQ(traffic.name_of(32), "64");
}

TEST(Traffic, IsTheSameInFewerBlocks) {
  Traffic traffic(150);
  traffic.add(2, 149, Bytes{8});
  traffic.add(8, 148, Bytes{4});
  traffic.add(9, 0, Bytes{2});
  const auto coarse = traffic.coarser(20); // nine ranks in each block, not seven or eight: blocks are not cut
  EXPECT_EQ(coarse.block(), 9u);
  EXPECT_EQ(coarse.blocks(), 17u);
  const auto pairs = coarse.pairs();
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].to, 16u);
  EXPECT_EQ(pairs[0].field.bytes, 12);
  EXPECT_EQ(pairs[0].field.messages, 2u);
  EXPECT_EQ(pairs[1].from, 1u);
  EXPECT_EQ(pairs[1].field.bytes, 2);
}

} // namespace
} // namespace kakehashi
