#include "base/text.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Digits, AreFourAndAllOfThoseBeforeThePoint) {
  EXPECT_EQ(four_digits(0.123456), "0.1235");
  EXPECT_EQ(four_digits(1.5), "1.5");
  EXPECT_EQ(four_digits(999.96), "1000");
  EXPECT_EQ(four_digits(12345.6), "12346");
  EXPECT_EQ(four_digits(-16000), "-16000");
}

} // namespace
} // namespace kakehashi
