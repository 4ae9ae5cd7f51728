#include "workload/iterations.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

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
  EXPECT_EQ(steady.timings()[0].simulated, 3);
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

// At the first look that counts, after 16. Twelve batches of one differ from their mean by 0.1, so its standard error
// is the root of 0.12 / 11 / 12, and half of its interval 2.2 times that; the first four iterations are known.
TEST(Iterations, EndWhenTheirMeanIsKnown) {
  const std::vector<double> times{0,   19.9, 10.1, 9.9,  10.1, 9.9,  10.1, 9.9, 10.1,
                                  9.9, 10.1, 9.9,  10.1, 9.9,  10.1, 9.9,  10.1};
  Iterations known(1, {Bytes{8}}, {1000}, 1, 0.01);
  EXPECT_EQ(run(known, times), 17);
  EXPECT_NEAR(known.timings()[0].average[0].value, 10.01, 1e-12); // the first takes 10 longer
  EXPECT_NEAR(known.timings()[0].error, 0.984 * 2.2 * std::sqrt(0.12 / 11 / 12) / 10, 1e-9);
  Iterations strict(1, {Bytes{8}}, {100}, 1, 0);
  EXPECT_EQ(run(strict, times), 101);
}

// They get longer without end. What a few that are left could change may be little.
TEST(Iterations, WaitForATrendWhileItMatters) {
  std::vector<double> times{0};
  for (int i = 0; i < 100; ++i)
    times.push_back(10 + 0.2 * i);
  Iterations many(1, {Bytes{8}}, {100}, 1, 0.01);
  EXPECT_GT(run(many, times), 90);
  Iterations few(1, {Bytes{8}}, {17}, 1, 0.01);
  EXPECT_EQ(run(few, times), 17);
  EXPECT_NEAR(few.timings()[0].average[0].value, 11.6, 0.116);
}

// One is enough if it is like the one that warms up, on each rank.
TEST(Iterations, AreFewWhereRanksAreMany) {
  constexpr int ranks = 512;
  for (const double change : {0.001, 0.1}) {
    Iterations many(ranks, {Bytes{8}}, {1000}, 1, 0.01, 1, 1);
    int done = 0;
    for (bool more = true; more; ++done)
      for (int rank = 0; rank < ranks; ++rank)
        more = many.again(rank, 0, Seconds{10.0 * done + change * ((rank + done) % 2)});
    if (change < 0.01)
      EXPECT_EQ(done - 1, 3); // the first one warms up; while the last rank ends the second, the first begins another
    else
      EXPECT_GT(done - 1, 4);
    EXPECT_NEAR(many.timings()[0].average[0].value, 10, 0.01);
  }
}

// Twice the tolerance will do after very many operations.
TEST(Iterations, AreFewerWhereTheyCostMuch) {
  std::vector<double> times{0};
  std::minstd_rand random;
  for (int i = 0; i < 1000; ++i)
    times.push_back(10 + 0.001 * static_cast<double>(random() % 1000));
  const auto simulated = [&](std::uint64_t operations) {
    Iterations noisy(1, {Bytes{8}}, {1000}, 1, 0.004);
    double now = 0;
    std::uint64_t done = 0;
    while (noisy.again(0, 0, Seconds{now}, 5 + operations * done))
      now += times[static_cast<std::size_t>(done++)];
    EXPECT_LE(noisy.timings()[0].error, operations > 1000 ? 0.008 : 0.004);
    return noisy.timings()[0].simulated;
  };
  EXPECT_EQ(simulated(1000), simulated(0));
  EXPECT_LT(simulated(1000000), simulated(1000));
}

// A round of 60 roots, six on each node. The iterations of one node, but for the first ones, tell all.
TEST(Iterations, KnowACycleOfRoots) {
  std::vector<double> times{0};
  for (int i = 0; i < 60; ++i)
    times.push_back(i < 2 ? 12 - 3 * i : 1 + i % 6);
  Iterations rooted(1, {Bytes{8}}, {600}, 60, 0.01, 1, 16, 6);
  EXPECT_EQ(run(rooted, times), 17); // six before those that are compared with the last ones of six
  EXPECT_NEAR(rooted.timings()[0].average[0].value, 3.5 + 18.0 / 600, 1e-12);
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
