// The tables in which the simulation keeps what is on its way.
#include "base/ring.hpp"
#include "engine/mpi/connections.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

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
