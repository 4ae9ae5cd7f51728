#include "base/units.hpp"

#include "base/quantity_form.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace kakehashi {
namespace {

struct UnitName {
  std::string_view name;
  double factor;
};

std::optional<double> parse_quantity(std::string_view text, std::span<const UnitName> units) {
  const auto number = take_number<double>(text);
  if (!number || !std::isfinite(*number) || std::signbit(*number))
    return std::nullopt;
  while (text.starts_with(' '))
    text.remove_prefix(1);
  for (const auto& [name, factor] : units)
    if (text == name)
      return *number * factor;
  return std::nullopt;
}

template <class Q> std::optional<Q> positive(std::optional<double> value) {
  if (!value || *value <= 0 || !std::isfinite(*value))
    return std::nullopt;
  return Q{*value};
}

constexpr std::array byte_units{UnitName{"B", 1},
                                UnitName{"kB", 1e3},
                                UnitName{"MB", 1e6},
                                UnitName{"GB", 1e9},
                                UnitName{"TB", 1e12},
                                UnitName{"KiB", 1024.0},
                                UnitName{"MiB", 1048576.0},
                                UnitName{"GiB", 1073741824.0},
                                UnitName{"TiB", 1099511627776.0},
                                UnitName{"PB", 1e15},
                                UnitName{"PiB", 1125899906842624.0}};
constexpr std::array time_units{UnitName{"s", 1}, UnitName{"ms", 1e-3}, UnitName{"us", 1e-6}, UnitName{"ns", 1e-9}};
constexpr std::array duration_units{UnitName{"s", 1},     UnitName{"ms", 1e-3}, UnitName{"us", 1e-6},
                                    UnitName{"ns", 1e-9}, UnitName{"min", 60},  UnitName{"h", 3600}};
constexpr std::array rate_units{
    UnitName{"B/s", 1},       UnitName{"kB/s", 1e3},     UnitName{"MB/s", 1e6},        UnitName{"GB/s", 1e9},
    UnitName{"TB/s", 1e12},   UnitName{"KiB/s", 1024.0}, UnitName{"MiB/s", 1048576.0}, UnitName{"GiB/s", 1073741824.0},
    UnitName{"bit/s", 0.125}, UnitName{"kbit/s", 125},   UnitName{"Mbit/s", 125e3},    UnitName{"Gbit/s", 125e6},
    UnitName{"Tbit/s", 125e9}};
constexpr std::array per_byte_units{UnitName{"s/B", 1}, UnitName{"ms/B", 1e-3}, UnitName{"us/B", 1e-6},
                                    UnitName{"ns/B", 1e-9}, UnitName{"ps/B", 1e-12}};
constexpr std::array speed_units{UnitName{"flop/s", 1}, UnitName{"kflop/s", 1e3}, UnitName{"Mflop/s", 1e6},
                                 UnitName{"Gflop/s", 1e9}, UnitName{"Tflop/s", 1e12}};
constexpr std::array transfer_units{UnitName{"MT/s", 1e6}, UnitName{"GT/s", 1e9}};

constexpr double longest_time = 1e9;
constexpr double least_rate = 1; // B/s, so that no byte takes more than a second

} // namespace

std::optional<Bytes> parse_bytes(std::string_view text) {
  const auto count = parse_quantity(text, byte_units);
  if (!count || *count > static_cast<double>(largest_size.count) || *count != std::floor(*count))
    return std::nullopt;
  return Bytes{static_cast<std::uint64_t>(*count)};
}

std::string_view expected_bytes(std::string_view text) {
  const auto count = parse_quantity(text, byte_units);
  return count && *count > static_cast<double>(largest_size.count) ? bytes_range : bytes_form;
}

std::optional<Seconds> parse_seconds(std::string_view text) {
  const auto value = parse_quantity(text, time_units);
  if (!value || *value > longest_time)
    return std::nullopt;
  return Seconds{*value};
}

std::optional<Seconds> parse_duration(std::string_view text) {
  const auto value = parse_quantity(text, duration_units);
  if (!value || *value > longest_time)
    return std::nullopt;
  return Seconds{*value};
}

std::optional<BytesPerSecond> parse_rate(std::string_view text) {
  const auto value = parse_quantity(text, rate_units);
  return value && *value < least_rate ? std::nullopt : positive<BytesPerSecond>(value);
}

std::optional<SecondsPerByte> parse_per_byte(std::string_view text) {
  const auto value = parse_quantity(text, per_byte_units);
  if (!value || *value > 1)
    return std::nullopt;
  return SecondsPerByte{*value};
}

std::optional<TransfersPerSecond> parse_transfers(std::string_view text) {
  return positive<TransfersPerSecond>(parse_quantity(text, transfer_units));
}

std::optional<FlopsPerSecond> parse_speed(std::string_view text) {
  return positive<FlopsPerSecond>(parse_quantity(text, speed_units));
}

std::string near_quantity(std::string_view text, const std::function<bool(std::string_view)>& is_one) {
  struct Alias {
    std::string_view written, meant;
  };
  // Networks write "Gb" for gigabits; benchmarks write "K" for 1024 bytes.
  constexpr std::array aliases{
      Alias{"kb", "kB"},          Alias{"b", "B"},         Alias{"byte", "B"},      Alias{"bytes", "B"},
      Alias{"k", "KiB"},          Alias{"m", "MiB"},       Alias{"g", "GiB"},       Alias{"kb/s", "kbit/s"},
      Alias{"mb/s", "Mbit/s"},    Alias{"gb/s", "Gbit/s"}, Alias{"tb/s", "Tbit/s"}, Alias{"kbps", "kbit/s"},
      Alias{"mbps", "Mbit/s"},    Alias{"gbps", "Gbit/s"}, Alias{"tbps", "Tbit/s"}, Alias{"mbits/s", "Mbit/s"},
      Alias{"gbits/s", "Gbit/s"}, Alias{"µs", "us"},       Alias{"μs", "us"},       Alias{"usec", "us"},
      Alias{"msec", "ms"},        Alias{"nsec", "ns"},     Alias{"sec", "s"}};
  auto unit = text;
  if (!take_number<double>(unit))
    return "";
  const std::string number(text.substr(0, text.size() - unit.size()));
  std::string lower;
  for (const char c : unit)
    if (c != ' ')
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto fits = [&](std::string_view name) { return is_one(number + " " + std::string(name)); };
  for (const auto& [written, meant] : aliases)
    if (lower == written && fits(meant))
      return fmt::format("{} {}", number, meant);
  const auto same = [&](std::string_view name) {
    return std::ranges::equal(name, lower, {}, [](char c) { return std::tolower(static_cast<unsigned char>(c)); });
  };
  for (const auto units : {std::span<const UnitName>(byte_units), std::span<const UnitName>(time_units),
                           std::span<const UnitName>(rate_units), std::span<const UnitName>(per_byte_units),
                           std::span<const UnitName>(transfer_units), std::span<const UnitName>(speed_units)})
    for (const auto& [name, factor] : units)
      if (same(name) && fits(name))
        return fmt::format("{} {}", number, name);
  return "";
}

std::string to_text(Bytes size) {
  static constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  auto count = size.count;
  while (count != 0 && count % 1024 == 0 && unit + 1 < names.size()) {
    count /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", count, names[unit]);
}

} // namespace kakehashi
