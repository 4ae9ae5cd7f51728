#include "engine/record/causes.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

PathStep computing(int rank, double start, double end) {
  return {Phase::compute, 0, 0, rank, rank, 0, {}, {}, {start}, {end}};
}

// Two ranks that never meet compute and compute; each has a history of its own.
TEST(Causes, OfALongRunStayFew) {
  constexpr std::size_t most = 1000;
  constexpr int steps = 100000;
  std::array<Cause, 2> last{no_cause, no_cause};
  const auto roots = [&](const std::function<void(Cause)>& visit) {
    visit(last[0]);
    visit(last[1]);
  };
  Causes causes(roots, most);
  for (int i = 0; i < steps; ++i)
    for (int rank = 0; rank < 2; ++rank)
      last[rank] = causes.add(computing(rank, i, i + 1), last[rank]);
  EXPECT_LE(causes.size(), most);
  const auto path = causes.path_to(last[1]);
  EXPECT_TRUE(path.steps.empty()); // they are not all there
  EXPECT_DOUBLE_EQ(path.log.time().value, steps);
  ASSERT_EQ(path.log.totals().size(), 1u);
  const auto& [sort, total] = *path.log.totals().begin();
  EXPECT_EQ(sort.from, 1);
  EXPECT_EQ(total.steps, steps);
}

TEST(Causes, ForgetWhatNothingDependsOn) {
  Cause kept = no_cause;
  Causes causes([&](const auto& visit) { visit(kept); }, 100);
  kept = causes.add(computing(0, 0, 1), no_cause);
  for (int i = 0; i < 10000; ++i)
    causes.add(computing(1, 1, 2), kept); // of none is there anything that goes on
  EXPECT_LE(causes.size(), 100u);
  const auto path = causes.path_to(causes.add(computing(2, 1, 3), kept));
  ASSERT_EQ(path.steps.size(), 2u);
  EXPECT_EQ(path.steps[0].from, 0);
  EXPECT_EQ(path.steps[1].from, 2);
}

TEST(Causes, KeepWhereHistoriesPart) {
  std::vector<Cause> ends(50, no_cause);
  Causes causes(
      [&](const auto& visit) {
        for (const auto end : ends)
          visit(end);
      },
      64);
  Cause trunk = no_cause;
  for (int i = 0; i < 5000; ++i) {
    trunk = causes.add(computing(99, i, i + 1), trunk);
    ends[i % 50] = trunk;
    for (auto& end : ends)
      if (i % 50 == 49)
        end = causes.add(computing(1, i + 1, i + 2), trunk);
  }
  EXPECT_LE(causes.size(), 1000u);
  EXPECT_DOUBLE_EQ(causes.path_to(ends[7]).log.time().value, 5001);
}

} // namespace
} // namespace kakehashi
