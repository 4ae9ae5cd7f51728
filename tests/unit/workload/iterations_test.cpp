#include "workload/iterations.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// One rank whose iterations take these times; how many are run.
int run(Iterations& iterations, const std::vector<double>& times) {
  double now = 10;
  int done = 0;
  while (iterations.again(0, 0, Seconds{now}))
    now += times[static_cast<std::size_t>(done++) % times.size()];
  return done;
}

TEST(Iterations, StopWhenThreeInARowAreAlike) {
  Iterations steady(1, {Bytes{8}}, {1000});
  EXPECT_EQ(run(steady, {2}), 4); // the first warms up
  EXPECT_EQ(steady.timings()[0].average[0], Seconds{2});
  EXPECT_EQ(steady.timings()[0].simulated, 4);
  EXPECT_EQ(steady.timings()[0].repetitions, 1000);
}

TEST(Iterations, AreMeanOfAllThatCountIfTheyNeverAreAlike) {
  Iterations changing(1, {Bytes{8}}, {4});
  EXPECT_EQ(run(changing, {1, 2}), 5);
  EXPECT_EQ(changing.timings()[0].average[0], Seconds{1.5}); // 2 1 2 1
}

TEST(Iterations, WarmUpAsOftenAsTheyAreTold) {
  Iterations cold(1, {Bytes{8}}, {2}, 1, 0, 0);
  EXPECT_EQ(run(cold, {1, 2}), 2);
  EXPECT_EQ(cold.timings()[0].average[0], Seconds{1.5});
  Iterations warm(1, {Bytes{8}}, {2}, 1, 0, 3);
  EXPECT_EQ(warm.number(0, 0), -4); // before the first call
  EXPECT_EQ(run(warm, {9, 8, 7, 2, 1}), 5);
  EXPECT_EQ(warm.timings()[0].average[0], Seconds{1.5});
}

// Means 1, 2, 3, 2.5 of 1, 1, 2, 4 iterations, then 2.5 of the last 8. All 16 take 39; the others would take 2.5 each.
TEST(Iterations, EndWhenTheirMeanHasSettled) {
  const std::vector<double> times{0, 1, 2, 4, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2};
  Iterations settling(1, {Bytes{8}}, {1000}, 1, 0.01);
  EXPECT_EQ(run(settling, times), 17);
  EXPECT_DOUBLE_EQ(settling.timings()[0].average[0].value, (39 + 984 * 2.5) / 1000);
  Iterations strict(1, {Bytes{8}}, {100}, 1, 0);
  EXPECT_EQ(run(strict, times), 101);
}

// Means 10.4 of four, then 10.2 of eight: too far apart. But all 16 have a mean of 10.2, and squares of what they
// differ from it by that add up to 0.48, so its standard error is the root of 0.48 / 15 / 16.
TEST(Iterations, EndWhenEnoughOfThemTellTheMean) {
  const std::vector<double> times{0,    9.9,  10.1, 9.9,  10.1, 10.3, 10.5, 10.3, 10.5,
                                  10.1, 10.3, 10.1, 10.3, 10.1, 10.3, 10.1, 10.3};
  Iterations known(1, {Bytes{8}}, {1000}, 1, 0.01);
  EXPECT_EQ(run(known, times), 17);
  EXPECT_NEAR(known.timings()[0].average[0].value, 10.2, 1e-12);
  EXPECT_NEAR(known.timings()[0].error, std::sqrt(0.002) / 10.2, 1e-9);
}

// As before, but the last eight take 5 % longer than those before, and those that follow as long as the first.
TEST(Iterations, GoOnWhileTheyGetLonger) {
  const std::vector<double> times{0,    9.9,  10.1, 9.9,  10.1, 10.3, 10.5, 10.3, 10.5,
                                  10.6, 10.8, 10.6, 10.8, 10.6, 10.8, 10.6, 10.8};
  Iterations longer(1, {Bytes{8}}, {20}, 1, 0.01);
  EXPECT_EQ(run(longer, times), 21);
  EXPECT_EQ(longer.timings()[0].error, 0);
}

// The first takes longer, as where data flows through the ranks one after the other.
TEST(Iterations, CountThoseBeforeTheyWereAlike) {
  Iterations filling(1, {Bytes{8}}, {10});
  EXPECT_EQ(run(filling, {2, 12, 2, 2, 2}), 5);
  EXPECT_DOUBLE_EQ(filling.timings()[0].average[0].value, 3);
}

// Two rounds of three roots after the one that warms up.
TEST(Iterations, CompareWholeRoundsIfTheRootGoesRound) {
  Iterations rooted(1, {Bytes{8}}, {1000}, 3);
  EXPECT_EQ(run(rooted, {1, 2, 6}), 7);
  EXPECT_EQ(rooted.timings()[0].average[0], Seconds{3});
}

TEST(Iterations, LeaveOutWhatIsBetweenThem) {
  Iterations paused(1, {Bytes{8}}, {1000});
  double now = 0;
  while (paused.again(0, 0, Seconds{now})) {
    paused.pause(0, 0, Seconds{now + 2});
    now += 5;
  }
  EXPECT_EQ(paused.timings()[0].average[0], Seconds{2});
}

TEST(Iterations, GoOnUntilAllRanksAreSteady) {
  Iterations two(2, {Bytes{8}}, {10});
  int done = 0;
  for (bool more = true; more; ++done) { // the second rank takes longer each time
    more = two.again(0, 0, Seconds{1.0 * done});
    EXPECT_EQ(two.again(1, 0, Seconds{1.0 * done * done}), more);
  }
  EXPECT_EQ(done - 1, 11);
  EXPECT_EQ(two.timings()[0].average[0], Seconds{1});
  EXPECT_EQ(two.timings()[0].average[1], Seconds{12}); // (121 - 1) / 10
}

TEST(Iterations, AreCountedFromTheFirstThatCounts) {
  Iterations counted(1, {Bytes{8}}, {2});
  std::vector<int> numbers;
  double now = 0;
  while (counted.again(0, 0, Seconds{now += now + 1}))
    numbers.push_back(counted.number(0, 0));
  EXPECT_EQ(numbers, (std::vector{-1, 0, 1}));
}

TEST(Iterations, TellHowFarTheyAre) {
  Iterations iterations(2, {Bytes{8}, Bytes{16}}, {1000, 2});
  EXPECT_EQ(iterations.least(), 4); // one that warms up, and three that are alike
  Seconds now;
  for (const std::size_t size : {0, 1}) {
    EXPECT_EQ(iterations.ended(), size);
    bool goes_on = true;
    for (int done = 0; goes_on; ++done) {
      goes_on = iterations.again(0, size, now);
      EXPECT_EQ(iterations.timings().size(), size); // the other rank is still at it
      EXPECT_EQ(iterations.done(), done);
      EXPECT_EQ(iterations.again(1, size, now), goes_on);
      now += Seconds{1};
    }
    EXPECT_EQ(iterations.least(), size == 0 ? 3 : 0); // only two repetitions are wanted of the second
  }
  EXPECT_EQ(iterations.ended(), iterations.sizes());
  EXPECT_EQ(iterations.done(), 0);
}

} // namespace
} // namespace kakehashi
