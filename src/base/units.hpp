// Quantities with units, and the texts that people write for them ("3.4 GB/s", "0.65 us", "64 KiB").
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kakehashi {

// A real number with a unit. Quantities of one unit add and compare; their ratio is a plain number.
template <class Unit> struct Quantity {
  double value = 0;

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return {factor * a.value}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Seconds = Quantity<struct SecondsUnit>;
using SecondsPerByte = Quantity<struct SecondsPerByteUnit>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;
using TransfersPerSecond = Quantity<struct TransfersPerSecondUnit>;
using Flops = Quantity<struct FlopsUnit>; // a number of operations, not their rate
using FlopsPerSecond = Quantity<struct FlopsPerSecondUnit>;

// What people read rates in: MB/s of 10^6 or of 2^20 B.
struct RateUnit {
  double megabyte = 1e6; // in bytes
  constexpr std::string_view name() const { return megabyte == 1e6 ? "MB/s" : "MiB/s"; }
  constexpr double of(BytesPerSecond rate) const { return rate.value / megabyte; }
  constexpr double of_decimal(double rate) const { return rate * 1e6 / megabyte; } // from MB/s of 10^6 B
};

struct Bytes {
  std::uint64_t count = 0;
  constexpr auto operator<=>(const Bytes&) const = default;
};

// Far below 2^53, so a double still counts single bytes.
inline constexpr Bytes largest_size{std::uint64_t{1} << 50};

constexpr Bytes operator+(Bytes a, Bytes b) {
  return {a.count + b.count};
}
constexpr BytesPerSecond operator/(Bytes n, Seconds time) {
  return {static_cast<double>(n.count) / time.value};
}
constexpr Seconds operator/(Bytes n, BytesPerSecond rate) {
  return {static_cast<double>(n.count) / rate.value};
}
constexpr Seconds operator/(Flops work, FlopsPerSecond speed) {
  return {work.value / speed.value};
}
constexpr Seconds operator*(Bytes n, SecondsPerByte cost) {
  return {static_cast<double>(n.count) * cost.value};
}

constexpr Bytes kib(std::uint64_t n) {
  return {n * 1024};
}
constexpr Seconds microseconds(double us) {
  return {us * 1e-6};
}
constexpr double in_microseconds(Seconds time) {
  return time.value * 1e6;
}
constexpr BytesPerSecond gigabytes_per_second(double rate) {
  return {rate * 1e9};
}

// Each parser takes a number, optional white space and a unit. It returns nothing if the text has another form, or the
// number is negative, not finite or too large. Prefixes: k M G T are powers of 1000, Ki Mi Gi Ti powers of 1024.
std::optional<Bytes> parse_bytes(std::string_view text);                  // "64 KiB", "4 B"; whole bytes only
std::optional<Seconds> parse_seconds(std::string_view text);              // "0.65 us", "2 ms"; s ms us ns
std::optional<Seconds> parse_duration(std::string_view text);             // time of a clock: also minutes and hours
std::optional<BytesPerSecond> parse_rate(std::string_view text);          // "3.4 GB/s", "10 Gbit/s"; above zero
std::optional<SecondsPerByte> parse_per_byte(std::string_view text);      // "0.25 ns/B"; s ms us ns ps
std::optional<TransfersPerSecond> parse_transfers(std::string_view text); // "8 GT/s"; above zero

std::optional<FlopsPerSecond> parse_speed(std::string_view text); // "2.5 Gflop/s"; above zero
// Returns what parse_bytes expects instead of a text that it refused: another form, or a smaller size.
std::string_view expected_bytes(std::string_view text);

// The forms that the parsers expect, for messages.
inline constexpr std::string_view bytes_form = "a size such as \"64 KiB\" or \"4 B\"";
inline constexpr std::string_view bytes_range = "at most 1 PiB";
inline constexpr std::string_view seconds_form = "a time such as \"0.65 us\" or \"2 ms\"";
inline constexpr std::string_view rate_form = "a rate such as \"10 Gbit/s\" or \"1.25 GB/s\"";
inline constexpr std::string_view per_byte_form = "a cost per byte such as \"0.25 ns/B\"";
inline constexpr std::string_view speed_form = "a speed such as \"2.5 Gflop/s\"";
inline constexpr std::string_view transfers_form = "a transfer rate such as \"8 GT/s\"";

// Writes a size in the largest binary unit that divides it: "64 KiB", "1000 B".
std::string to_text(Bytes size);

} // namespace kakehashi
