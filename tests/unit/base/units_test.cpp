#include "base/quantity_form.hpp"
#include "base/units.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Bytes, AreParsedWithBinaryAndDecimalPrefixes) {
  EXPECT_EQ(parse_bytes("64 KiB"), Bytes{65536});
  EXPECT_EQ(parse_bytes("4 B"), Bytes{4});
  EXPECT_EQ(parse_bytes("1.5 MiB"), Bytes{1572864});
  EXPECT_EQ(parse_bytes("2 kB"), Bytes{2000});
  EXPECT_EQ(parse_bytes("0 B"), Bytes{0});
}

TEST(Bytes, AreRefusedWithoutUnitSignOrWholeness) {
  for (const char* text : {"", "64", "KiB", "-1 B", "0.5 B", "1e99 B", "64 kib", "nan B", "inf B", "1 B ", "64 KiB/s"})
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
}

TEST(Bytes, AreShownInTheLargestUnitThatDividesThem) {
  EXPECT_EQ(to_text(Bytes{0}), "0 B");
  EXPECT_EQ(to_text(Bytes{1000}), "1000 B");
  EXPECT_EQ(to_text(Bytes{65536}), "64 KiB");
  EXPECT_EQ(to_text(Bytes{4 << 20}), "4 MiB");
}

TEST(Seconds, AreParsedFromNanosecondsToSeconds) {
  EXPECT_DOUBLE_EQ(parse_seconds("0.65 us")->value, 0.65e-6);
  EXPECT_DOUBLE_EQ(parse_seconds("2 ms")->value, 2e-3);
  EXPECT_DOUBLE_EQ(parse_seconds("30 ns")->value, 30e-9);
  EXPECT_DOUBLE_EQ(parse_seconds("1 s")->value, 1);
  for (const char* text : {"", "0.65", "us", "-1 us", "1 min", "1e300 s", "1 us us"})
    EXPECT_EQ(parse_seconds(text), std::nullopt) << text;
}

TEST(Rates, CountBitsAndBytes) {
  EXPECT_DOUBLE_EQ(parse_rate("3.4 GB/s")->value, 3.4e9);
  EXPECT_DOUBLE_EQ(parse_rate("10 Gbit/s")->value, 1.25e9);
  EXPECT_DOUBLE_EQ(parse_rate("1 GiB/s")->value, 1073741824);
  const char* prefixes[] = {"", "k", "M", "G", "T"}; // each a thousand times the one before
  for (std::size_t i = 1; i < std::size(prefixes); ++i) {
    const auto ratio = [&](const std::string& unit, const std::string& less) {
      return parse_rate("8 " + unit)->value / parse_rate("8 " + less)->value;
    };
    const std::string more = prefixes[i], less = prefixes[i - 1];
    EXPECT_DOUBLE_EQ(ratio(more + "bit/s", less + "bit/s"), 1000);
    EXPECT_DOUBLE_EQ(ratio(more + "B/s", less + "B/s"), 1000);
  }
  for (const char* text : {"", "10 Gb", "10 Gb/s", "0 B/s", "-1 GB/s", "GB/s"})
    EXPECT_EQ(parse_rate(text), std::nullopt) << text;
}

TEST(Units, RefuseRatesAtWhichNothingEnds) {
  EXPECT_EQ(parse_rate("1e-300 B/s"), std::nullopt);
  EXPECT_EQ(parse_rate("0.9 B/s"), std::nullopt);
  EXPECT_DOUBLE_EQ(parse_rate("1 B/s")->value, 1);
}

TEST(Units, DurationsOfTheClockMayBeLong) {
  EXPECT_DOUBLE_EQ(parse_duration("90 s")->value, 90);
  EXPECT_DOUBLE_EQ(parse_duration("10 min")->value, 600);
  EXPECT_DOUBLE_EQ(parse_duration("2 h")->value, 7200);
  EXPECT_EQ(parse_duration("2 days"), std::nullopt);
}

TEST(CostsPerByte, AreParsed) {
  EXPECT_DOUBLE_EQ(parse_per_byte("0.25 ns/B")->value, 0.25e-9);
  EXPECT_DOUBLE_EQ(parse_per_byte("81 ps/B")->value, 81e-12);
  for (const char* text : {"0.25 ns", "2 s/B", "1 B/ns"})
    EXPECT_EQ(parse_per_byte(text), std::nullopt) << text;
}

TEST(TransferRates, AreParsed) {
  EXPECT_DOUBLE_EQ(parse_transfers("8 GT/s")->value, 8e9);
  for (const char* text : {"8 GB/s", "0 GT/s", "8"})
    EXPECT_EQ(parse_transfers(text), std::nullopt) << text;
}

TEST(Speeds, CountOperationsInASecond) {
  EXPECT_DOUBLE_EQ(parse_speed("2.5 Gflop/s")->value, 2.5e9);
  EXPECT_DOUBLE_EQ((Flops{5e9} / *parse_speed("2.5 Gflop/s")).value, 2);
  for (const char* text : {"", "2.5", "2.5 Gflops", "0 Gflop/s", "-1 flop/s", "1 GHz"})
    EXPECT_EQ(parse_speed(text), std::nullopt) << text;
}

TEST(Sizes, AreRefusedForTheirFormOrTheirRange) {
  EXPECT_EQ(parse_bytes("1 PiB"), largest_size);
  for (const char* text : {"2 PiB", "1000 PB", "1e30 B"})
    EXPECT_EQ(expected_bytes(text), bytes_range) << text;
  for (const char* text : {"", "2", "1.5 B", "2 kiB"})
    EXPECT_EQ(expected_bytes(text), bytes_form) << text;
}

TEST(Quantities, MultiplySizesIntoTimes) {
  EXPECT_DOUBLE_EQ((Bytes{1000} / gigabytes_per_second(1)).value, 1e-6);
  EXPECT_DOUBLE_EQ((Bytes{1000} * SecondsPerByte{1e-9}).value, 1e-6);
  EXPECT_DOUBLE_EQ(in_microseconds(microseconds(3.5)), 3.5);
}

TEST(Units, AreNearToWhatUsersWrite) {
  const auto bytes = [](std::string_view text) {
    return near_quantity(text, [](std::string_view other) { return parse_bytes(other).has_value(); });
  };
  const auto rate = [](std::string_view text) {
    return near_quantity(text, [](std::string_view other) { return parse_rate(other).has_value(); });
  };
  EXPECT_EQ(bytes("8 kb"), "8 kB");
  EXPECT_EQ(bytes("8k"), "8 KiB");
  EXPECT_EQ(bytes("4 mib"), "4 MiB");
  EXPECT_EQ(bytes("4 furlongs"), "");
  EXPECT_EQ(bytes("much"), "");
  EXPECT_EQ(rate("100Gb/s"), "100 Gbit/s");
  EXPECT_EQ(rate("25 gbps"), "25 Gbit/s");
  EXPECT_EQ(near_quantity("0.6 µs", [](std::string_view text) { return parse_seconds(text).has_value(); }), "0.6 us");
}

} // namespace
} // namespace kakehashi
