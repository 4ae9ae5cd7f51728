#include "study/run/scenario_run.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

RankTimes working(double seconds) {
  RankTimes times;
  times.compute = Seconds{seconds};
  return times;
}

TEST(Efficiencies, MultiplyToTheShareOfWork) {
  const auto found = efficiencies_of({working(3), working(1)}, Seconds{8}, Seconds{4});
  EXPECT_DOUBLE_EQ(found.parallel, 0.25); // mean work of 2 s
  EXPECT_DOUBLE_EQ(found.load_balance, 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.communication, 3.0 / 8);
  EXPECT_DOUBLE_EQ(found.serialisation, 3.0 / 4);
  EXPECT_DOUBLE_EQ(found.transfer, 0.5);
}

TEST(Efficiencies, LackWhatNeedsAnIdealNetwork) {
  EXPECT_FALSE(efficiencies_of({working(3)}, Seconds{8}, std::nullopt).ideal);
}

} // namespace
} // namespace kakehashi
