#include "engine/record/causes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

namespace kakehashi {
namespace {

PathSort on_rank(int rank, Phase phase = Phase::compute) {
  return {phase, 0, 0, rank, rank, 0, {}, {}};
}

PathSort flow(int from, int to, std::uint64_t bytes) {
  return {Phase::flow, 0, 0, from, to, 7, Bytes{bytes}, Bytes{bytes}};
}

// Adds, and collects when it is time to.
template <typename Roots> Cause add(Causes& causes, Roots& roots, const PathSort& sort, double end, Cause before) {
  if (causes.is_full())
    causes.collect([&](const auto& visit) {
      visit(before);
      std::ranges::for_each(roots, visit);
    });
  return causes.add(sort, {end}, before);
}

// Two ranks that never meet compute and compute; each has a history of its own.
TEST(Causes, OfALongRunStayFew) {
  constexpr std::size_t few = 1000;
  constexpr int steps = 100000;
  Causes causes(few, few);
  std::array<Cause, 2> last{no_cause, no_cause};
  for (int i = 0; i < steps; ++i)
    for (int rank = 0; rank < 2; ++rank)
      last[rank] = add(causes, last, on_rank(rank), i + 1, last[rank]);
  EXPECT_LE(causes.size(), few);
  const auto path = causes.path_to(last[1]);
  EXPECT_TRUE(path.steps.empty()); // they are not all there
  EXPECT_DOUBLE_EQ(path.log.time().value, steps);
  EXPECT_EQ(path.log.totals().size(), 1u);
  EXPECT_EQ(path.log.totals().at(on_rank(1)).steps, static_cast<std::uint64_t>(steps));
}

// What a core does for messages and for itself is joined by sorts, whatever their order.
TEST(Causes, AreJoinedOnARank) {
  constexpr std::array phases{Phase::compute, Phase::sender_core, Phase::compute, Phase::receiver_core};
  Causes causes(1000, 100000);
  std::array<Cause, 2> last{no_cause, no_cause};
  for (int i = 0; i < 40000; ++i)
    for (int rank = 0; rank < 2; ++rank)
      last[rank] = add(causes, last, on_rank(rank, phases[i % 4]), 3 * (i + 1) + rank, last[rank]);
  causes.collect([&](const auto& visit) { std::ranges::for_each(last, visit); });
  EXPECT_LT(causes.size(), 1000u);
  const auto path = causes.path_to(last[1]);
  ASSERT_EQ(path.log.totals().size(), 3u);
  EXPECT_EQ(path.log.totals().at(on_rank(1)).steps, 20000u);
  EXPECT_NEAR(path.log.totals().at(on_rank(1)).time.value, 60001, 1e-6); // its first step is longer
  EXPECT_EQ(path.log.totals().at(on_rank(1, Phase::sender_core)).steps, 10000u);
  EXPECT_NEAR(path.log.totals().at(on_rank(1, Phase::receiver_core)).time.value, 30000, 1e-6);
}

// One that something else waited for keeps its end.
TEST(Causes, AreNotJoinedWhereHistoriesPart) {
  Causes causes(10, 1000);
  std::array<Cause, 2> last{no_cause, no_cause};
  for (int i = 0; i < 8; ++i)
    last[0] = add(causes, last, on_rank(0), i + 1, last[0]);
  last[1] = add(causes, last, flow(0, 1, 5), 9, last[0]);
  last[0] = add(causes, last, on_rank(0), 11, last[0]);
  causes.collect([&](const auto& visit) { std::ranges::for_each(last, visit); });
  EXPECT_EQ(causes.size(), 2u); // all else is settled
  EXPECT_DOUBLE_EQ(causes.end_of(last[0]).value, 11);
  EXPECT_DOUBLE_EQ(causes.path_to(last[0]).log.totals().at(on_rank(0)).time.value, 11);
  const auto other = causes.path_to(last[1]);
  EXPECT_DOUBLE_EQ(other.log.totals().at(on_rank(0)).time.value, 8);
  EXPECT_DOUBLE_EQ(other.log.totals().at(flow(0, 1, 5)).time.value, 1);
}

// Two pairs of ranks that never meet send to and fro.
TEST(Causes, OfLongRowsBecomeLogs) {
  constexpr std::size_t few = 1000;
  Causes causes(few, few);
  std::array<Cause, 2> last{no_cause, no_cause};
  for (int i = 0; i < 30000; ++i)
    for (int pair = 0; pair < 2; ++pair)
      last[pair] = add(causes, last, flow(2 * pair + i % 2, 2 * pair + 1 - i % 2, 8 + i % 3), i + 1, last[pair]);
  EXPECT_LE(causes.size(), 8 * few); // of 60 000
  const auto path = causes.path_to(last[1]);
  EXPECT_DOUBLE_EQ(path.log.time().value, 30000);
  EXPECT_EQ(path.log.totals().size(), 6u);
  EXPECT_EQ(path.log.totals().at(flow(2, 3, 8)).steps, 5000u);
}

// A rank alone: all that it did is settled.
TEST(Causes, ThatAllDependsOnAreSettled) {
  Causes causes(100, 100);
  std::array<Cause, 1> last{no_cause};
  for (int i = 0; i < 5000; ++i)
    last[0] = add(causes, last, flow(0, 1, static_cast<std::uint64_t>(i % 10)), i + 1, last[0]);
  EXPECT_LE(causes.size(), 100u);
  causes.collect([&](const auto& visit) { std::ranges::for_each(last, visit); });
  const auto path = causes.path_to(last[0]);
  EXPECT_DOUBLE_EQ(path.log.time().value, 5000);
  EXPECT_EQ(path.log.totals().size(), 10u);
  EXPECT_TRUE(path.steps.empty());
}

TEST(Causes, ForgetWhatNothingDependsOn) {
  Causes causes(100, 100);
  std::array<Cause, 1> kept{no_cause};
  kept[0] = causes.add(on_rank(0), {1}, no_cause);
  for (int i = 0; i < 10000; ++i)
    add(causes, kept, on_rank(1), 2, kept[0]); // of none is there anything that goes on
  EXPECT_LE(causes.size(), 100u);
  const auto path = causes.path_to(add(causes, kept, on_rank(2), 3, kept[0]));
  ASSERT_EQ(path.steps.size(), 2u);
  EXPECT_EQ(path.steps[0].from, 0);
  EXPECT_EQ(path.steps[1].from, 2);
  EXPECT_DOUBLE_EQ(path.steps[1].start.value, 1);
}

TEST(Causes, KeepWhereHistoriesPart) {
  std::vector<Cause> roots(51, no_cause); // the last is the trunk
  Causes causes(64, 64);
  auto& trunk = roots.back();
  for (int i = 0; i < 5000; ++i) {
    trunk = add(causes, roots, on_rank(99), i + 1, trunk);
    roots[i % 50] = trunk;
    if (i % 50 == 49)
      for (int end = 0; end < 50; ++end)
        roots[end] = add(causes, roots, on_rank(1), i + 2, trunk);
  }
  EXPECT_LE(causes.size(), 1000u);
  EXPECT_DOUBLE_EQ(causes.path_to(roots[7]).log.time().value, 5001);
}

// Against a tree that forgets nothing: of everything that goes on, the path has the same steps of each sort.
TEST(Causes, LeadToWhatWasBefore) {
  struct Step {
    PathSort sort;
    double time;
    int before; // -1: the start
  };
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 dice(seed);
    const auto below = [&](std::size_t end) { return dice() % end; };
    const auto most_alike = 1 + below(200); // steps that one goes on before it meets others
    std::vector<Step> steps;
    std::vector<Cause> roots(1 + below(12), no_cause);
    std::vector<int> lasts(roots.size(), -1);
    std::vector<double> ends(roots.size(), 0);
    Causes causes(20 + below(100), 20 + below(400));
    for (int round = 0; round < 300; ++round) {
      const auto one = below(roots.size());
      const auto other = below(roots.size());
      roots[one] = roots[other];
      lasts[one] = lasts[other];
      ends[one] = ends[other];
      for (auto i = below(most_alike); i > 0; --i) {
        constexpr std::array phases{Phase::compute, Phase::sender_core, Phase::receiver_core};
        const auto from = static_cast<int>(one);
        auto sort =
            below(3) > 0 ? on_rank(from, phases[below(3)]) : flow(from, static_cast<int>(below(3)), 1 + below(2));
        sort.place = static_cast<std::uint32_t>(below(3));
        const auto time = static_cast<double>(1 + below(5));
        steps.push_back({sort, time, lasts[one]});
        lasts[one] = static_cast<int>(steps.size() - 1);
        ends[one] += time;
        roots[one] = add(causes, roots, sort, ends[one], roots[one]);
      }
    }
    for (std::size_t root = 0; root < roots.size(); ++root) {
      std::map<PathSort, PathTotal> expected;
      for (auto step = lasts[root]; step >= 0; step = steps[static_cast<std::size_t>(step)].before) {
        auto& total = expected[steps[static_cast<std::size_t>(step)].sort];
        total.time += Seconds{steps[static_cast<std::size_t>(step)].time};
        ++total.steps;
      }
      const auto totals = causes.path_to(roots[root]).log.totals();
      ASSERT_EQ(totals.size(), expected.size());
      for (const auto& [sort, total] : expected) {
        EXPECT_EQ(totals.at(sort).steps, total.steps);
        EXPECT_DOUBLE_EQ(totals.at(sort).time.value, total.time.value);
      }
    }
  }
}

} // namespace
} // namespace kakehashi
