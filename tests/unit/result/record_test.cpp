#include "result/record.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

MeasuredValue value(std::uint64_t size, std::optional<double> error) {
  return {Bytes{size}, 1, error};
}

TEST(ErrorSummaries, HaveTheMeanAndTheWorstOfAbsoluteErrors) {
  const std::vector values{value(1, 0.1), value(2, -0.5), value(3, std::nullopt), value(4, 0.3)};
  const auto all = summarise(values);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->points, 3u);
  EXPECT_DOUBLE_EQ(all->mean, 0.3);
  EXPECT_DOUBLE_EQ(all->worst, 0.5);
  EXPECT_EQ(all->worst_size, Bytes{2});
  const auto large = summarise(values, Bytes{4});
  ASSERT_TRUE(large);
  EXPECT_EQ(large->points, 1u);
  EXPECT_DOUBLE_EQ(large->mean, 0.3);
  EXPECT_FALSE(summarise(values, Bytes{5}));
}

TEST(MeasuredValues, AreComparedWithMeansAndRates) {
  Figures figures;
  figures.size = 8;
  figures.t_avg = microseconds(3);
  figures.t_max = microseconds(5);
  figures.rate = 40;
  EXPECT_DOUBLE_EQ(value_of(figures, Metric::time), 3);
  EXPECT_DOUBLE_EQ(value_of(figures, Metric::bandwidth), 40);
  Curve curve;
  curve.points = {{Bytes{8}, 2}};
  const auto values = compare_with(curve, std::array{figures});
  ASSERT_EQ(values.size(), 1u);
  EXPECT_DOUBLE_EQ(*values[0].error, 0.5);
}

TEST(LikelyRanges, AreOfTheTimeAndOfItsRate) {
  Figures figures;
  figures.t_avg = microseconds(4);
  figures.rate = 40;
  const auto times = range_of(figures, Metric::time, {0.5, 2});
  EXPECT_DOUBLE_EQ(times.low, 2);
  EXPECT_DOUBLE_EQ(times.high, 8);
  const auto rates = range_of(figures, Metric::bandwidth, {0.5, 2});
  EXPECT_DOUBLE_EQ(rates.low, 20);
  EXPECT_DOUBLE_EQ(rates.high, 80);
}

TEST(LikelyRanges, LeaveWhatIsComputed) {
  RunRecord record;
  record.table = table_of_ends("replay", {"cpu0", "cpu1"}, {microseconds(10), microseconds(30)});
  record.likely = {{0.5, 2}};
  EXPECT_DOUBLE_EQ(range_of(record, 0).low, 15);
  EXPECT_DOUBLE_EQ(range_of(record, 0).high, 60);
  record.summary.emplace();
  record.summary->ranks = {{microseconds(10), {}, {}, {}}, {microseconds(20), {}, microseconds(10), {}}};
  EXPECT_DOUBLE_EQ(range_of(record, 0).low, 25);
  EXPECT_DOUBLE_EQ(range_of(record, 0).high, 40);
}

TEST(LikelyRanges, HoldThePredictionForAllTests) {
  for (int group = 0; group <= static_cast<int>(TestGroup::application); ++group)
    for (const auto assumed : {AssumedRules::none, AssumedRules::some, AssumedRules::all})
      for (const auto size : {Bytes{}, Bytes{256}, Bytes{4096}, Bytes{100000}, largest_size}) {
        const auto [low, high] = likely_factors(static_cast<TestGroup>(group), size, assumed);
        EXPECT_GT(low, 0);
        EXPECT_LE(low, 1);
        EXPECT_GE(high, 1);
      }
}

} // namespace
} // namespace kakehashi
