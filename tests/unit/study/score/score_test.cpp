#include "study/score/score.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Score, TakesTheGeometricMeanOverSizes) {
  RunRecord record;
  const auto add = [&](Seconds time, double rate) {
    auto& figures = record.table.figures.emplace_back();
    figures.t_avg = time;
    figures.rate = rate;
  };
  add(microseconds(0.1), 300);
  EXPECT_DOUBLE_EQ(number_of(record, Claim::Number::time), 0.1);
  EXPECT_EQ(number_of(record, Claim::Number::bandwidth), 300);
  add(microseconds(10), 1200);
  EXPECT_DOUBLE_EQ(number_of(record, Claim::Number::time), 1);
  EXPECT_DOUBLE_EQ(number_of(record, Claim::Number::bandwidth), 600);
}

} // namespace
} // namespace kakehashi
