#include "result/path_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

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
  const auto groups = path.log.groups();
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

TEST(PathLog, HasWorkThatWaitsForMemoryOnItsRank) {
  Path path;
  path.on(3, 100).on(3, 20, Phase::memory).message(3, 0, 8, 4);
  const auto groups = path.log.groups();
  std::vector<PathStretch> all;
  for (const auto& group : groups)
    all.insert(all.end(), group.stretches.begin(), group.stretches.end());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_FALSE(all[0].is_message);
  EXPECT_DOUBLE_EQ(all[0].time.value, 120);
  EXPECT_DOUBLE_EQ(all[0].compute.value, 100);
  EXPECT_TRUE(all[1].is_message);
}

TEST(PathLog, KeepsTheEndsOfALongPath) {
  Path path;
  for (int i = 0; i < 10000; ++i)
    path.message(i, i + 1, 1, 1);
  const auto groups = path.log.groups();
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

TEST(PathLog, CountsWhatItHidesOfRepetitions) {
  Path path;
  for (int i = 0; i < 2000; ++i)
    path.message(i, i + 1, 1, 1);
  for (int i = 0; i < 50; ++i)
    path.message(7, 8, 9, 1).message(8, 7, 9, 1);
  for (int i = 0; i < 8000; ++i)
    path.message(i, i + 1, 2, 1);
  std::uint64_t stretches = 0;
  for (const auto& group : path.log.groups())
    stretches += group.times * std::max<std::size_t>(1, group.stretches.size());
  EXPECT_EQ(stretches, 10100u);
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

// Whatever repeats itself, the groups hold all stretches in their order, and the totals all time, also if the path is
// of two parts.
TEST(PathLog, LosesNothing) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 dice(seed);
    const auto below = [&](unsigned end) { return static_cast<int>(dice() % end); };
    const int length = 20 + below(880);
    const int ranks = 2 + below(5);
    std::vector<int> receivers; // the same ones again and again, but for some
    while (std::ssize(receivers) < length) {
      std::vector<int> pattern(static_cast<std::size_t>(1 + below(80)));
      std::ranges::generate(pattern, [&] { return below(static_cast<unsigned>(ranks)); });
      for (int times = 1 + below(6); times > 0; --times)
        receivers.insert(receivers.end(), pattern.begin(), pattern.end());
    }
    receivers.resize(static_cast<std::size_t>(length));
    Path all, first, second;
    std::vector<int> sent; // to whom, one after the other
    for (int i = 0; i < length; ++i) {
      const auto to = receivers[static_cast<std::size_t>(i)];
      all.message(9, to, 5, 1);
      (i < length / 3 ? first : second).message(9, to, 5, 1);
      if (sent.empty() || sent.back() != to)
        sent.push_back(to);
    }
    first.log.add(second.log);
    for (const auto* log : {&all.log, &first.log}) {
      std::vector<int> told;
      double time = 0;
      for (const auto& group : log->groups()) {
        for (std::uint64_t i = 0; i < group.times; ++i)
          for (const auto& stretch : group.stretches)
            told.push_back(stretch.to);
        time += group.time().value;
      }
      if (log == &first.log) // where the parts meet, one stretch may be told as two
        told.erase(std::unique(told.begin(), told.end()), told.end());
      EXPECT_EQ(told, sent);
      EXPECT_NEAR(time, length, 1e-9);
      EXPECT_NEAR(log->time().value, length, 1e-9);
    }
    EXPECT_EQ(all.log.totals().size(), first.log.totals().size());
    for (const auto& [sort, total] : all.log.totals())
      EXPECT_EQ(first.log.totals().at(sort).steps, total.steps);
  }
}

// What has no room by itself is told of all ranks together, with a way that is like its own.
TEST(PathLog, PutsTogetherWhatHasNoRoom) {
  PathLog log({4, 8});
  double now = 0;
  const auto add = [&](Phase phase, int from, int to, std::uint32_t way, std::uint64_t bytes) {
    log.add({phase, 1, 0, from, to, way, {bytes}, {bytes}, {now}, {now + 1}, 1, way % 2});
    now += 1;
  };
  for (int i = 0; i < 1000; ++i) {
    add(Phase::flow, i, i + 1, static_cast<std::uint32_t>(i), 10);
    add(Phase::compute, i + 1, i + 1, 0, 0);
  }
  const auto totals = log.totals();
  EXPECT_EQ(totals.size(), 4U + 3U);
  EXPECT_EQ(totals.at({Phase::flow, 1, 0, 0, 1, 0, {10}, {10}}).steps, 1U);
  EXPECT_EQ(totals.at({Phase::flow, 1, 0, -1, -1, 0, {10}, {10}}).steps, 499U);
  EXPECT_EQ(totals.at({Phase::flow, 1, 0, -1, -1, 1, {10}, {10}}).steps, 499U);
  EXPECT_EQ(totals.at({Phase::compute, 0, 0, -1, -1, 0, {}, {}}).time.value, 998);

  for (std::uint64_t bytes = 1; bytes <= 100; ++bytes) // of sizes there are too many, too
    add(Phase::flow, 5, 6, 0, 10 + bytes);
  EXPECT_EQ(log.totals().size(), 4U + 4U + 1U);
  EXPECT_EQ(log.totals().at({Phase::flow, 0, 0, -1, -1, 0, {}, {}}).steps, 99U);
  double time = 0;
  for (const auto& [sort, total] : log.totals())
    time += total.time.value;
  EXPECT_EQ(time, 2100);
}

// The first stretches and the last ones stay, whichever of the groups between are hidden.
TEST(PathLog, KeepsItsEndsInAnyRoom) {
  for (const std::size_t room : {1, 8, 32, 200}) {
    SCOPED_TRACE(room);
    Path path;
    path.log = PathLog({100, room});
    constexpr int length = 5000;
    for (int i = 0; i < length; ++i)
      path.message(i, i % 500 < 40 ? 0 : i + 1, 1, 1); // some repeat themselves
    const auto groups = path.log.groups();
    EXPECT_LE(groups.size(), 4 * room + 256);
    EXPECT_GE(groups.size(), 2 * room);
    double time = 0;
    std::uint64_t stretches = 0;
    for (const auto& group : groups) {
      time += group.time().value;
      stretches += group.times * std::max<std::size_t>(1, group.stretches.size());
    }
    EXPECT_NEAR(time, length, 1e-6);
    EXPECT_EQ(stretches, static_cast<std::uint64_t>(length));
    for (std::size_t i = 0; i < room; ++i) {
      ASSERT_FALSE(groups[i].stretches.empty());
      EXPECT_EQ(groups[i].stretches[0].from, static_cast<int>(i));
      const auto& late = groups[groups.size() - 1 - i].stretches;
      ASSERT_FALSE(late.empty());
      EXPECT_EQ(late.back().from, length - 1 - static_cast<int>(i));
    }
  }
}

} // namespace
} // namespace kakehashi
