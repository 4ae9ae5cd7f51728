#include "base/number.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Number, IsTakenFromTheBeginOfText) {
  std::string_view text = "-12x";
  EXPECT_EQ(take_number<int>(text), -12);
  EXPECT_EQ(text, "x");
  EXPECT_FALSE(take_number<int>(text));
  EXPECT_EQ(text, "x");
  text = "2.5e3 B";
  EXPECT_EQ(take_number<double>(text), 2500);
  EXPECT_EQ(text, " B");
}

TEST(Number, IsTheWholeText) {
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"), 18446744073709551615u);
  for (const auto* text : {"", " 1", "1 ", "+1", "0x1", "-1", "18446744073709551616", "1e1", "one"})
    EXPECT_FALSE(number_in<std::uint64_t>(text)) << text;
  EXPECT_EQ(number_in<std::uint32_t>("ff", 16), 255u);
  EXPECT_EQ(number_in<int>("000000007"), 7);
  EXPECT_EQ(number_in<int>("999999999"), 999999999);
  EXPECT_EQ(number_in<int>("2147483647"), 2147483647);
  EXPECT_FALSE(number_in<int>("2147483648"));
  EXPECT_EQ(number_in<int>("-333"), -333);
  EXPECT_FALSE(number_in<int>("12/4"));
}

TEST(Number, OfTheRealKindHasNoOtherForms) {
  EXPECT_EQ(number_in<double>("-.5"), -0.5);
  EXPECT_EQ(number_in<double>("1e-3"), 1e-3);
  EXPECT_TRUE(std::isinf(number_in<double>("inf").value_or(0)));
  for (const auto* text : {"", "-", ".", " 1", "\t1", "1 ", "+1", "-+1", "- 1", "0x1", "-0x1", "1,5", "1e", "1e999"})
    EXPECT_FALSE(number_in<double>(text)) << text;
}

TEST(Number, MayBeHexadecimal) {
  const auto form = std::chars_format::hex;
  EXPECT_EQ(number_in<double>("1.8p+1", form), 3);
  EXPECT_EQ(number_in<double>("-1.8p+1", form), -3);
  for (const auto* text : {"", "-", "0x1", "g", "1.8p+1 "})
    EXPECT_FALSE(number_in<double>(text, form)) << text;
}

} // namespace
} // namespace kakehashi
