// The text form of each quantity, in files, messages and output.
#pragma once

#include "base/units.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace kakehashi {

// A text that is no quantity → the quantity that it may mean.

// Returns "100 Gbit/s" for "100Gb/s"; empty if `is_one` takes no variant of the text.
std::string near_quantity(std::string_view text, const std::function<bool(std::string_view)>& is_one);

template <class T> struct QuantityForm {
  std::optional<T> (*parse)(std::string_view);
  std::string_view expected; // the expectation that messages state
  std::string_view format;   // in the schemas
  std::string_view unit;     // the unit in which the program writes it
  double scale;              // factor from the quantity's value to a number in that unit
};

// form_of<T> is the form of quantity T.
template <class T> inline constexpr QuantityForm<T> form_of;
template <> inline constexpr QuantityForm<Bytes> form_of<Bytes>{parse_bytes, bytes_form, "quantity-bytes", "B", 1};
template <>
inline constexpr QuantityForm<Seconds> form_of<Seconds>{parse_seconds, seconds_form, "quantity-time", "us", 1e6};
template <>
inline constexpr QuantityForm<BytesPerSecond> form_of<BytesPerSecond>{parse_rate, rate_form, "quantity-rate", "MB/s",
                                                                      1e-6};
template <>
inline constexpr QuantityForm<SecondsPerByte> form_of<SecondsPerByte>{parse_per_byte, per_byte_form,
                                                                      "quantity-per-byte", "ns/B", 1e9};
template <>
inline constexpr QuantityForm<TransfersPerSecond> form_of<TransfersPerSecond>{parse_transfers, transfers_form,
                                                                              "quantity-transfers", "GT/s", 1e-9};
template <>
inline constexpr QuantityForm<FlopsPerSecond> form_of<FlopsPerSecond>{parse_speed, speed_form, "quantity-speed",
                                                                      "Gflop/s", 1e-9};

} // namespace kakehashi
