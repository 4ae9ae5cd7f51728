#include "command/shell/terminal.hpp"

#include "command/command_parts.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Progress, TellsRateAndTimeLeft) {
  EXPECT_EQ(progress_text("sweep: candidate", 0, 80, Seconds{0.2}), "sweep: candidate 0 of 80");
  EXPECT_EQ(progress_text("sweep: candidate", 0, 80, Seconds{12}), "sweep: candidate 0 of 80, for 12 s");
  EXPECT_EQ(progress_text("sweep: candidate", 20, 80, Seconds{5}), "sweep: candidate 20 of 80, 4/s, 15 s left");
  EXPECT_EQ(progress_text("validate: run", 2, 12, Seconds{120}), "validate: run 2 of 12, 60 s each, 10 min left");
}

TEST(Progress, TellsTheTimeOfTheBudget) {
  const Seconds budget{12};
  EXPECT_EQ(progress_text("sweep: candidate", 0, 0, Seconds{2}, budget), "sweep: candidate 0, 10 s left");
  EXPECT_EQ(progress_text("sweep: candidate", 20, 0, Seconds{5}, budget), "sweep: candidate 20, 4/s, 7.0 s left");
  EXPECT_EQ(progress_text("sweep: candidate", 20, 80, Seconds{5}, budget),
            "sweep: candidate 20 of 80, 4/s, 7.0 s left");
  EXPECT_EQ(progress_text("sweep: candidate", 20, 24, Seconds{5}, budget),
            "sweep: candidate 20 of 24, 4/s, 1.0 s left");
}

TEST(Progress, OfARunPromisesNoMoreThanItKnows) {
  EXPECT_EQ(run_progress_text({}, 500, Seconds{4}, 0), "simulate: 500 messages, 125/s, for 4.0 s");
  EXPECT_EQ(run_progress_text({0, 24, 0, 4}, 500, Seconds{4}, 1500),
            "simulate: row 1 of 24, 500 messages, 125/s, at least 8.0 s left");
  EXPECT_EQ(run_progress_text({1, 2, 2, 4}, 500, Seconds{4}, 1000),
            "simulate: row 2 of 2, iteration 3 of at least 4, 500 messages, 125/s, at least 4.0 s left");
  EXPECT_EQ(run_progress_text({1, 2, 5, 4}, 1500, Seconds{4}, 1000),
            "simulate: row 2 of 2, iteration 6, 1500 messages, 375/s, for 4.0 s");
}

TEST(Progress, IsPromisedBeforeALongRun) {
  EXPECT_EQ(long_run_text(Seconds{9}), "");
  EXPECT_EQ(long_run_text(Seconds{40}),
            "about 40 s or more; fewer --sizes, ranks or --set workload.repetitions=1 take less");
}

TEST(Progress, RoundsTimes) {
  EXPECT_EQ(rough_text(Seconds{-1}), "0.0 s");
  EXPECT_EQ(rough_text(Seconds{100}), "100 s");
  EXPECT_EQ(rough_text(Seconds{3000}), "50 min");
  EXPECT_EQ(rough_text(Seconds{9000}), "2.5 h");
  EXPECT_EQ(rough_text(Seconds{864000}), "10 days");
}

} // namespace
} // namespace kakehashi
