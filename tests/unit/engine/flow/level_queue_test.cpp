#include "engine/flow/level_queue.hpp"

#include <gtest/gtest.h>
#include <queue>
#include <random>

namespace kakehashi {
namespace {

// Against a plain priority queue: levels rise from the one that was popped by nothing, by a little or by a lot.
TEST(LevelQueue, AgreesWithAPriorityQueue) {
  std::mt19937 random(5);
  LevelQueue queue;
  for (int round = 0; round < 50; ++round) {
    std::priority_queue<double, std::vector<double>, std::greater<>> expected;
    const auto push = [&](double level) {
      queue.push(level, static_cast<std::uint32_t>(expected.size()));
      expected.push(level);
    };
    for (int i = 0; i < 200; ++i)
      push(1e9 / (1 + random() % 40));
    for (int step = 0; step < 1000 && !expected.empty(); ++step) {
      ASSERT_EQ(queue.least(), expected.top());
      const double level = queue.pop().level;
      ASSERT_EQ(level, expected.top());
      expected.pop();
      const double factors[] = {1, 1 + 1e-9, 1.005, 3};
      if (random() % 3 > 0)
        push(level * factors[random() % 4]);
    }
    EXPECT_EQ(queue.empty(), expected.empty());
    queue.clear(); // and begins anew, from lower levels
    EXPECT_TRUE(queue.empty());
  }
}

TEST(LevelQueue, KeepsTheOrderOfLevelsBeyondItsBins) {
  LevelQueue queue;
  const double levels[] = {1e30, 0.25, 1e25, 0.5, 1e-300, 1e300};
  for (std::uint32_t id = 0; id < 6; ++id)
    queue.push(levels[id], id);
  for (const auto id : {4u, 1u, 3u, 2u, 0u, 5u})
    EXPECT_EQ(queue.pop().id, id);
  EXPECT_TRUE(queue.empty());
}

} // namespace
} // namespace kakehashi
