// The tables in which the simulation keeps what is on its way.
#include "engine/mpi/connections.hpp"
#include "engine/mpi/matching.hpp"
#include "engine/mpi/ring.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace kakehashi {
namespace {

// Against a plain list, with senders that are ahead of others and receives that name some, or none.
TEST(MatchQueue, TakesTheFirstThatFits) {
  std::mt19937 random(7);
  const auto below = [&](unsigned end) { return static_cast<int>(random() % end); };
  for (int round = 0; round < 200; ++round) {
    MatchQueue<Envelope> queue;
    std::vector<Envelope> list;
    const int rank = below(3);
    for (int step = 0; step < 300; ++step) {
      if (below(5) < 3) {
        const Envelope envelope{below(4) == 0 ? below(3) : rank, below(8) == 0, static_cast<std::uint32_t>(step)};
        queue.push(envelope);
        list.push_back(envelope);
      } else {
        const int source = below(4) - 1;
        const int tag = below(3) - 1;
        const auto fits = [=](const Envelope& each) {
          return (source < 0 || source == each.source) && (tag < 0 || tag == each.tag);
        };
        const auto expected = std::ranges::find_if(list, fits);
        const auto found = queue.take_first(fits);
        ASSERT_EQ(found.has_value(), expected != list.end());
        if (found) {
          EXPECT_EQ(found->message, expected->message);
          list.erase(expected);
        }
      }
      ASSERT_EQ(queue.entries().size(), list.size());
    }
    for (std::size_t i = 0; i < list.size(); ++i)
      EXPECT_EQ(queue.entries()[i].message, list[i].message);
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
