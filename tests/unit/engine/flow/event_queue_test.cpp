#include "engine/flow/event_queue.hpp"

#include <gtest/gtest.h>
#include <queue>
#include <random>

namespace kakehashi {
namespace {

TEST(EventQueue, KeepsTheOrderOfEqualTimes) {
  EventQueue queue;
  for (std::uint32_t i = 0; i < 1000; ++i)
    queue.push({i % 2 == 0 ? 1.0 : 2.0}, {0, i});
  for (std::uint32_t i = 0; i < 500; ++i)
    EXPECT_EQ(queue.pop().id, 2 * i);
  for (std::uint32_t i = 0; i < 500; ++i)
    EXPECT_EQ(queue.pop().id, 2 * i + 1);
  EXPECT_TRUE(queue.empty());
}

// Against a plain priority queue, with delays of very different lengths, from few events to many and back.
TEST(EventQueue, AgreesWithAPriorityQueue) {
  using Entry = std::pair<double, std::uint32_t>;
  std::mt19937 random(3);
  EventQueue queue;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> expected;
  double now = 0;
  std::uint32_t id = 0;
  for (int step = 0; step < 200000; ++step) {
    const bool grows = (step / 20000) % 2 == 0;
    if (expected.empty() || random() % 16 < (grows ? 9u : 7u)) {
      const double scales[] = {0, 1e-7, 1e-6, 1e-3};
      const double time = now + scales[random() % 4] * static_cast<double>(random() % 1000);
      queue.push({time}, {0, id});
      expected.push({time, id++});
    } else {
      const auto [time, first] = expected.top();
      expected.pop();
      ASSERT_EQ(queue.next().value, time);
      ASSERT_EQ(queue.pop().id, first);
      now = time;
    }
    ASSERT_EQ(queue.size(), expected.size());
  }
}

} // namespace
} // namespace kakehashi
