// The tables in which the simulation keeps what is on its way.
#include "engine/mpi/connections.hpp"
#include "engine/mpi/matching.hpp"
#include "engine/mpi/ring.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace kakehashi {
namespace {

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

TEST(Ring, KeepsTheOrderWhileItGrows) {
  Ring<int> ring;
  int pushed = 0, popped = 0;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 3; ++i)
      ring.push_back(pushed++);
    EXPECT_EQ(ring.front(), popped++);
    ring.pop_front();
    EXPECT_EQ(ring[ring.size() - 1], pushed - 1);
  }
  EXPECT_EQ(ring.size(), 100u);
}

TEST(Connections, LiveAsLongAsTheyHaveMessages) {
  Connections connections;
  std::vector<std::uint32_t> numbers;
  for (int to = 0; to < 1000; ++to) {
    numbers.push_back(connections.find(7, to, {}));
    ++connections[numbers.back()].messages;
  }
  for (int to = 0; to < 1000; ++to)
    EXPECT_EQ(connections.find(7, to, {}), numbers[static_cast<std::size_t>(to)]);
  for (int to = 0; to < 1000; to += 2) {
    connections[numbers[static_cast<std::size_t>(to)]].messages = 0;
    connections.release(numbers[static_cast<std::size_t>(to)], {});
  }
  EXPECT_EQ(connections.size(), 500u);
  for (int to = 1; to < 1000; to += 2)
    EXPECT_EQ(connections.find(7, to, {}), numbers[static_cast<std::size_t>(to)]);
}

TEST(Connections, KeepTheirGapsUntilTheyEnd) {
  Connections connections;
  const auto number = connections.find(0, 1, {});
  connections[number].free_at = microseconds(5);
  connections.release(number, microseconds(1));
  EXPECT_EQ(connections.find(0, 1, microseconds(2)), number);
  EXPECT_EQ(connections[number].free_at, microseconds(5));
  for (int to = 2; to < 1000; ++to) // they make the table look for room
    ++connections[connections.find(0, to, microseconds(6))].messages;
  EXPECT_EQ(connections.size(), 998u);
}

} // namespace
} // namespace kakehashi
