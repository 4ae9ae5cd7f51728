#include "engine/mpi/matching.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Matching, WildcardsTakeNoMessagesOfCollectives) {
  Matching matching;
  std::vector<Message> messages(10);
  EXPECT_EQ(matching.arrive({1, -2, 7}, messages), std::nullopt);
  EXPECT_EQ(matching.arrive({1, 5, 8}, messages), std::nullopt);
  EXPECT_EQ(matching.post({any_source, any_tag, 0}, messages), 8U);
  EXPECT_EQ(matching.post({any_source, any_tag, 1}, messages), std::nullopt);
  EXPECT_EQ(matching.arrive({2, -2, 9}, messages), std::nullopt);
  EXPECT_EQ(matching.post({1, -2, 2}, messages), 7U);
}

} // namespace
} // namespace kakehashi
