#include "engine/mpi/matching.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

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

// Against plain lists, with senders that are ahead of others, few of them or many, and receives that name some, or
// none.
TEST(Matching, TakesTheFirstThatFits) {
  std::mt19937 random(7);
  const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  for (int round = 0; round < 300; ++round) {
    Matching matching;
    std::vector<Message> messages(300);
    std::vector<Envelope> waiting;
    std::vector<PostedReceive> posted;
    const int sources = round % 2 == 0 ? 3 : 20;
    const int rank = below(sources);
    const int most_posted = round % 3 == 0 ? 1 : 20;
    for (std::uint32_t step = 0; step < messages.size(); ++step) {
      if (below(5) < 3) {
        const Envelope envelope{below(3) > 0 ? below(sources) : rank, below(8) == 0, step};
        const auto expected =
            std::ranges::find_if(posted, [&](const auto& each) { return each.takes(envelope.source, envelope.tag); });
        const auto found = matching.arrive(envelope, messages);
        ASSERT_EQ(found.has_value(), expected != posted.end());
        if (found) {
          EXPECT_EQ(*found, expected->request);
          posted.erase(expected);
        } else {
          waiting.push_back(envelope);
        }
      } else {
        const PostedReceive receive{below(sources + 1) - 1, below(3) - 1, step};
        const auto expected =
            std::ranges::find_if(waiting, [&](const auto& each) { return receive.takes(each.source, each.tag); });
        if (expected == waiting.end() && static_cast<int>(posted.size()) >= most_posted)
          continue;
        const auto found = matching.post(receive, messages);
        ASSERT_EQ(found.has_value(), expected != waiting.end());
        if (found) {
          EXPECT_EQ(*found, expected->message);
          waiting.erase(expected);
        } else {
          posted.push_back(receive);
        }
      }
      ASSERT_EQ(matching.posted().size(), posted.size());
    }
    std::size_t left = 0;
    matching.waiting().for_each(messages, [&](std::uint32_t) { ++left; });
    EXPECT_EQ(left, waiting.size());
  }
}

} // namespace
} // namespace kakehashi
