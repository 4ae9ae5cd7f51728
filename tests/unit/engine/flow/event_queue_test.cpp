#include "engine/flow/event_queue.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <queue>
#include <random>

namespace kakehashi {
namespace {

constexpr Seconds tick{1e-9};

TEST(EventQueue, KeepsTheOrderOfEqualTimes) {
  EventQueue queue(tick);
  for (std::uint32_t i = 0; i < 1000; ++i)
    queue.push(i % 2 == 0 ? 1 : 2, {0, i});
  for (std::uint32_t i = 0; i < 500; ++i)
    EXPECT_EQ(queue.pop().id, 2 * i);
  for (std::uint32_t i = 0; i < 500; ++i)
    EXPECT_EQ(queue.pop().id, 2 * i + 1);
  EXPECT_TRUE(queue.empty());
}

// Into this turn of the first wheel, the next, beyond both wheels, and before what was looked at.
TEST(EventQueue, KeepsTheOrderOfEqualTimesWhereverTheyWait) {
  EventQueue queue(tick);
  const std::int64_t late = 3 * 4096 * 4096;
  for (std::uint32_t i = 0; i < 8; ++i) // more than a few
    queue.push(0, {0, 100 + i});
  queue.push(0, {0, 0});
  queue.push(late, {0, 1}); // in the heap
  queue.push(5000, {0, 2}); // in the second wheel
  for (std::uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(queue.pop().id, 100 + i);
  EXPECT_EQ(queue.pop().id, 0u);
  EXPECT_EQ(queue.next(), 5000 * tick.value); // which begins its turn
  queue.push(4000, {0, 3});                   // too late for the turn before
  EXPECT_EQ(queue.pop().id, 3u);
  queue.push(5000, {0, 4}); // straight into the first wheel
  EXPECT_EQ(queue.pop().id, 2u);
  queue.push(late - 5000, {0, 5});
  EXPECT_EQ(queue.pop().id, 4u);
  EXPECT_EQ(queue.pop().id, 5u);
  queue.push(late, {0, 6});
  EXPECT_EQ(queue.pop().id, 1u);
  EXPECT_EQ(queue.pop().id, 6u);
  EXPECT_TRUE(queue.empty());
}

// Against a plain priority queue, with delays of very different lengths, from few events to many and back.
TEST(EventQueue, AgreesWithAPriorityQueue) {
  using Entry = std::pair<double, std::uint32_t>;
  std::mt19937 random(3);
  EventQueue queue(tick);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> expected;
  std::int64_t now = 0;
  std::uint32_t id = 0;
  for (int step = 0; step < 200000; ++step) {
    const bool grows = (step / 20000) % 2 == 0;
    if (expected.empty() || random() % 16 < (grows ? 9u : 7u)) {
      const std::int64_t scales[] = {0, 1, 10, 1000, 1000000};
      const auto at = now + scales[random() % 5] * static_cast<std::int64_t>(random() % 1000);
      expected.push({queue.push(at, {0, id}).value, id});
      ++id;
    } else {
      const auto [time, first] = expected.top();
      expected.pop();
      // Looking at what is next opens its turn, but something else may still come before.
      ASSERT_EQ(queue.next(), time);
      ASSERT_EQ(queue.pop().id, first);
      now = std::llround(time / tick.value);
      if (random() % 2 == 0 && !queue.empty())
        ASSERT_EQ(queue.next(), expected.top().first);
    }
    ASSERT_EQ(queue.size(), expected.size());
  }
}

TEST(EventQueue, ShufflesEqualTimesBySeed) {
  EventQueue queue(tick, 7);
  for (std::uint32_t i = 0; i < 100; ++i)
    queue.push(i % 2, {0, i});
  std::vector<std::uint32_t> ids;
  while (!queue.empty())
    ids.push_back(queue.pop().id);
  EXPECT_TRUE(std::all_of(ids.begin(), ids.begin() + 50, [](std::uint32_t id) { return id % 2 == 0; }));
  EXPECT_FALSE(std::is_sorted(ids.begin(), ids.begin() + 50));
}

} // namespace
} // namespace kakehashi
