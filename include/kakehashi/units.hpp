// Sizes, times and rates with their units.
//
//   using namespace kakehashi::api;
//   co_await rank.send(1, 64 * KiB);
//   co_await rank.compute(microseconds(2.5));
#pragma once

#include <compare>
#include <cstdint>

namespace kakehashi::api {

struct Bytes {
  std::uint64_t count = 0;

  constexpr auto operator<=>(const Bytes&) const = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
  friend constexpr Bytes operator*(std::uint64_t times, Bytes size) { return {times * size.count}; }
};
inline constexpr Bytes B{1};
inline constexpr Bytes KiB{1024};
inline constexpr Bytes MiB{1024 * 1024};

struct Seconds {
  double value = 0;

  constexpr auto operator<=>(const Seconds&) const = default;
  friend constexpr Seconds operator+(Seconds a, Seconds b) { return {a.value + b.value}; }
  friend constexpr Seconds operator-(Seconds a, Seconds b) { return {a.value - b.value}; }
  friend constexpr Seconds operator*(double times, Seconds time) { return {times * time.value}; }
};
constexpr Seconds microseconds(double us) {
  return {us * 1e-6};
}
constexpr double in_microseconds(Seconds time) {
  return time.value * 1e6;
}

struct BytesPerSecond {
  double value = 0;
};
constexpr BytesPerSecond gigabytes_per_second(double rate) {
  return {rate * 1e9};
}
constexpr BytesPerSecond gigabits_per_second(double rate) {
  return {rate * 1e9 / 8};
}

} // namespace kakehashi::api
