// How simulated times move with a field, from a few values of it.
#include "study/fit/fit_parts.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace kakehashi {
namespace response_test {

constexpr auto all = [](std::size_t, std::size_t) { return true; };

// Of two scenarios the first one's points move with the value, the first of them is right at 0.5 and the second at 1;
// the other scenario's point stays 0.2 too slow.
Response response() {
  std::map<double, Misses> misses;
  for (const double at : {-2.0, 0.0, 2.0})
    misses[at] = {{at - 0.5, at - 1}, {0.2}};
  return Response(std::move(misses));
}

TEST(Response, IsOnALineBetweenTwoValuesAndEndsWithThem) {
  EXPECT_EQ(response().at(0), (Misses{{-0.5, -1}, {0.2}}));
  EXPECT_NEAR(response().at(0.5)[0][0], 0, 1e-12);
  EXPECT_NEAR(response().at(2)[0][0], 1.5, 1e-12);
  EXPECT_NEAR(response().at(5)[0][0], 1.5, 1e-12);
  EXPECT_NEAR(response().at(-5)[0][1], -3, 1e-12);
}

TEST(Response, IsBestWhereTheChosenPointsMissLeast) {
  const auto only = [](std::size_t point) {
    return [=](std::size_t s, std::size_t i) { return s == 0 && i == point; };
  };
  const Misses nothing{{0, 0}, {0}};
  EXPECT_NEAR(response().best(only(0), nothing), 0.5, 0.011);
  EXPECT_NEAR(response().best(only(1), nothing), 1, 0.011);
  EXPECT_NEAR(response().best(only(1), Misses{{0, 0.4}, {0}}), 0.6, 0.011);
}

TEST(Response, ReachesAsFarAsItMovesAPoint) {
  EXPECT_NEAR(response().reach(0), 4, 1e-12);
  EXPECT_NEAR(response().reach(1), 0, 1e-12);
}

// Three points that lie within half a percent of a line are met no worse 0.5 % off, and clearly worse 5 % off; what
// moves nothing has no bound.
TEST(Response, IsBoundedWhereThePointsAreMetClearlyWorse) {
  std::map<double, Misses> misses;
  for (const double at : {-2.0, 2.0})
    misses[at] = {{at - 0.005, at, at + 0.005}, {0.2}};
  const Response moved(std::move(misses));
  const auto of = [](std::size_t scenario) { return [=](std::size_t s, std::size_t) { return s == scenario; }; };
  const auto high = moved.bound(0, 1, of(0));
  ASSERT_TRUE(high);
  EXPECT_GT(*high, 0.004);
  EXPECT_LT(*high, 0.05);
  EXPECT_FALSE(moved.bound(0, 1, of(1)));
}

// Each scenario counts alike, however many points it has; those without chosen points do not count.
TEST(MeanError, IsThatOfScenarios) {
  const Misses misses{{std::log(1.1), std::log(0.7), std::log(1.2)}, {std::log(1.4)}};
  EXPECT_NEAR(mean_error(misses, all), 0.3, 1e-9);
  EXPECT_NEAR(mean_error(misses, [](std::size_t s, std::size_t) { return s == 0; }), 0.2, 1e-9);
}

} // namespace response_test
} // namespace kakehashi
