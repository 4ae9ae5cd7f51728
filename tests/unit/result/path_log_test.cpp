#include "result/path_log.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

class Path {
public:
  Path& on(int rank, double time, Phase phase = Phase::compute) { return add({phase, 0, 0, rank, rank}, time); }
  Path& message(int from, int to, std::uint64_t bytes, double time) {
    add({Phase::prepare, 0, 0, from, to, 0, {bytes}}, time / 2);
    return add({Phase::flow, 0, 0, from, to, 0, {bytes}}, time / 2);
  }
  PathLog log;

private:
  Path& add(PathStep step, double time) {
    step.start = now_;
    now_ += {time};
    step.end = now_;
    log.add(step);
    return *this;
  }
  Seconds now_;
};

TEST(PathLog, SaysOnceWhatRepeatsItself) {
  Path path;
  path.on(0, 100).message(0, 1, 7, 2);
  for (int i = 0; i < 1000; ++i)
    path.on(1, 1, Phase::receiver_core).on(1, 2).message(1, 0, 8, 4).on(0, 8).message(0, 1, 8, 16);
  path.on(1, 5);
  const auto& groups = path.log.groups();
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].stretches.size(), 1u);
  EXPECT_EQ(groups[2].times, 1000u);
  ASSERT_EQ(groups[2].stretches.size(), 4u);
  EXPECT_DOUBLE_EQ(groups[2].stretches[0].time.value, 3000);
  EXPECT_DOUBLE_EQ(groups[2].stretches[0].compute.value, 2000);
  EXPECT_TRUE(groups[2].stretches[1].is_message);
  EXPECT_DOUBLE_EQ(groups[2].time().value, 31000);
  EXPECT_DOUBLE_EQ(path.log.time().value, 31000 + 107);
  EXPECT_EQ(path.log.totals().size(), 9u); // two sorts a message, and compute, cores
}

TEST(PathLog, KeepsTheEndsOfALongPath) {
  Path path;
  for (int i = 0; i < 10000; ++i)
    path.message(i, i + 1, 1, 1);
  const auto& groups = path.log.groups();
  EXPECT_LE(groups.size(), 1024u);
  EXPECT_EQ(groups.front().stretches[0].from, 0);
  EXPECT_EQ(groups.back().stretches[0].from, 9999);
  double time = 0;
  std::uint64_t steps = 0;
  for (const auto& group : groups) {
    time += group.time().value;
    steps += group.times * std::max<std::size_t>(1, group.stretches.size());
  }
  EXPECT_DOUBLE_EQ(time, 10000);
  EXPECT_EQ(steps, 10000u);
}

TEST(PathLog, IsJoinedToALaterOne) {
  Path first, second;
  first.on(0, 1).message(0, 1, 1, 1).on(1, 1);
  second.on(1, 2).message(1, 0, 1, 1);
  first.log.add(second.log);
  ASSERT_EQ(first.log.groups().size(), 4u);
  EXPECT_DOUBLE_EQ(first.log.groups()[2].time().value, 3);
  EXPECT_DOUBLE_EQ(first.log.time().value, 6);
}

} // namespace
} // namespace kakehashi
