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

} // namespace
} // namespace kakehashi
