#include "result/comparison.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

ComparisonRow row(std::vector<double> times, std::size_t winner, double tolerance) {
  ComparisonRow row;
  for (const double time : times)
    row.times.push_back({Seconds{time}});
  row.winner = winner;
  row.tolerance = tolerance;
  return row;
}

TEST(Comparison, HoldsThoseWithinTheToleranceForAsFast) {
  EXPECT_EQ(as_fast(row({2, 1, 1.02, 1.03}, 1, 0.02)), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(as_fast(row({1, 1, 1.001}, 0, 0)), (std::vector<std::size_t>{0, 1}));
}

TEST(Comparison, MarksHypotheticalWinners) {
  Comparison all;
  all.contenders = {"dapl", "direct"};
  all.places = {{"p", "dapl"}, {"p", "direct", true}};
  EXPECT_EQ(winner_text(all, row({2, 1}, 1, 0)), "direct (hypothetical)");
  EXPECT_EQ(winner_text(all, row({1, 1.01}, 0, 0.02)), "tie: dapl, direct (hypothetical)");
  EXPECT_EQ(winner_text(all, row({1, 2}, 0, 0)), "dapl");
}

TEST(Comparison, HasTies) {
  Comparison all;
  all.rows = {row({1, 2}, 0, 0)};
  EXPECT_FALSE(has_ties(all));
  all.rows.push_back(row({1, 1.01}, 0, 0.02));
  EXPECT_TRUE(has_ties(all));
}

} // namespace
} // namespace kakehashi
