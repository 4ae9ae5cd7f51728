#include "base/wire.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace kakehashi {
namespace {

struct Inner {
  Seconds time;
  std::optional<Bytes> size;
  bool operator==(const Inner&) const = default;
  static constexpr auto fields(auto& self) {
    auto& [time, size] = self;
    return std::tie(time, size);
  }
};

struct Outer {
  int count = 0;
  std::string name;
  std::vector<Inner> inner;
  std::optional<std::vector<std::string>> words;
  bool is_set = false;
  bool operator==(const Outer&) const = default;
  static constexpr auto fields(auto& self) {
    auto& [count, name, inner, words, is_set] = self;
    return std::tie(count, name, inner, words, is_set);
  }
};

TEST(Wire, HasAFieldForEachNumberAndString) {
  EXPECT_EQ(encode(Outer{-3, "a", {{Seconds{1.5}, Bytes{7}}, {Seconds{0.25}, {}}}, {}, true}),
            "-3\ta\t2\t0x1.8p+0\t1\t7\t0x1p-2\t0\t0\t1");
}

TEST(Wire, GivesBackWhatWasEncoded) {
  const Outer values[] = {
      {},
      {-1, "", {{}}, std::vector<std::string>{}, true},
      {7, "a\tb\\n\n\r\\", {{Seconds{0.1}, Bytes{1}}, {Seconds{-1}, {}}}, std::vector<std::string>{"", "\t"}, false},
      {std::numeric_limits<int>::min(), std::string("\0é", 3), {}, {}, false}};
  for (const auto& value : values) {
    const auto line = encode(value);
    EXPECT_EQ(line.find_first_of(std::string_view("\n\r\0", 3)), std::string::npos) << line;
    const auto again = decode<Outer>(line);
    ASSERT_TRUE(again) << line;
    EXPECT_EQ(*again, value) << line;
  }
}

TEST(Wire, KeepsEachBitOfANumber) {
  using Limits = std::numeric_limits<double>;
  for (const double number : {0.0, -0.0, 0.1, -1.0 / 3, 1e300, Limits::max(), Limits::min(), Limits::denorm_min(),
                              Limits::epsilon(), Limits::infinity(), -Limits::infinity()}) {
    const auto again = decode<double>(encode(number));
    ASSERT_TRUE(again) << number;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*again), std::bit_cast<std::uint64_t>(number)) << number;
  }
  EXPECT_TRUE(std::isnan(*decode<double>(encode(Limits::quiet_NaN()))));
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(decode<std::uint64_t>(encode(largest)), largest);
}

TEST(Wire, PassesPlainTextAsItIs) {
  EXPECT_EQ(encode(std::string("why not? \"é\"")), "why not? \"é\"");
  EXPECT_EQ(decode<std::string>(""), "");
}

TEST(Wire, GivesNothingForATextOfAnotherForm) {
  for (const auto* wrong : {"", "1", "0.5", "0x", "0xg", "--0x1p+0", "0x-1p+0", " 0x1p+0", "0x1p+0 ", "0x1p+0\t",
                            "0x1p+0\t0x1p+0", "infinity"})
    EXPECT_FALSE(decode<double>(wrong)) << wrong;
  for (const auto* wrong : {"", "x", "1x", "-1", " 1", "0x1", "18446744073709551616", "1.0", "1\t"})
    EXPECT_FALSE(decode<std::uint64_t>(wrong)) << wrong;
  for (const auto* wrong : {"", "2", "true", "-1"})
    EXPECT_FALSE(decode<bool>(wrong)) << wrong;
  for (const auto* wrong : {"\\", "a\\", "\\x", "a\tb"})
    EXPECT_FALSE(decode<std::string>(wrong)) << wrong;
  for (const auto* wrong : {"", "1", "2\ta", "0\ta", "99999999999999\ta", "-1\ta"})
    EXPECT_FALSE(decode<std::vector<std::string>>(wrong)) << wrong;
  for (const auto* wrong : {"", "1", "0\ta", "2\ta"})
    EXPECT_FALSE(decode<std::optional<std::string>>(wrong)) << wrong;
}

TEST(Wire, GivesNothingForALineThatIsCutAnywhere) {
  const auto line = encode(Outer{7, "name", {{Seconds{0.1}, Bytes{12}}}, {}, true});
  for (std::size_t length = 0; length < line.size(); ++length)
    EXPECT_FALSE(decode<Outer>(std::string_view(line).substr(0, length))) << length;
}

} // namespace
} // namespace kakehashi
