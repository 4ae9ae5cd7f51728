#include "engine/mpi/matching.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Matching, WildcardsTakeNoMessagesOfCollectives) {
  Matching matching;
  EXPECT_EQ(matching.arrive({1, -2, 7}), std::nullopt);
  EXPECT_EQ(matching.arrive({1, 5, 8}), std::nullopt);
  EXPECT_EQ(matching.post({any_source, any_tag, 0}), 8U);
  EXPECT_EQ(matching.post({any_source, any_tag, 1}), std::nullopt);
  EXPECT_EQ(matching.arrive({2, -2, 9}), std::nullopt);
  EXPECT_EQ(matching.post({1, -2, 2}), 7U);
}

} // namespace
} // namespace kakehashi
