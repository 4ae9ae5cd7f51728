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

TEST(Score, ExpectsACurvesMissAsAClaims) {
  Target target;
  target.mean = 0.5;
  target.missed = "the documents disagree";
  const auto judged = [&](double mean) {
    ValidationRow row;
    judge(row, target, {3, mean, mean, Bytes{8}, mean});
    return row;
  };
  EXPECT_EQ(judged(0.6).verdict, Verdict::miss);
  EXPECT_EQ(judged(0.6).reason, "the documents disagree");
  EXPECT_EQ(judged(0.4).verdict, Verdict::fail); // so that the list cannot grow old
}

TEST(Score, CountsRepeatsApart) {
  Validation validation;
  for (const auto* repeats : {"", "first", "first"}) {
    auto& row = validation.rows.emplace_back();
    row.role = Role::prediction;
    row.verdict = Verdict::pass;
    row.repeats = repeats;
  }
  validation.rows.back().verdict = Verdict::fail;
  EXPECT_EQ(validation.count(Verdict::pass, Role::prediction), 1U);
  EXPECT_EQ(validation.count(Verdict::fail, Role::prediction), 0U);
  EXPECT_EQ(validation.count_repeats(Verdict::pass), 1U);
  EXPECT_EQ(validation.count(Verdict::pass), 2U);
}

} // namespace
} // namespace kakehashi
