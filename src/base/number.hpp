// Text → numbers, in any locale: digits after an optional minus, no blanks.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kakehashi {

// Returns the number at the beginning of `text` and removes it from `text`. Returns nothing and leaves `text` as it is
// if no number is there, or one that is too large.
template <std::integral T> std::optional<T> take_number(std::string_view& text, int base = 10) {
  T value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (fault != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}
template <std::same_as<double> T>
std::optional<T> take_number(std::string_view& text, std::chars_format form = std::chars_format::general);

// Returns the number that one to nine digits form; nothing for any other text.
inline std::optional<std::uint32_t> small_number_in(std::string_view text) {
  if (text.empty() || text.size() > 9)
    return std::nullopt;
  std::uint32_t number = 0;
  for (const char c : text) {
    const auto digit = static_cast<unsigned char>(c - '0');
    if (digit > 9)
      return std::nullopt;
    number = 10 * number + digit;
  }
  return number;
}

// Returns the number that the whole text forms.
template <class T, class... Form> std::optional<T> number_in(std::string_view text, Form... form) {
  // Most numbers in traces.
  if constexpr (std::integral<T> && sizeof(T) >= sizeof(std::uint32_t) && sizeof...(Form) == 0)
    if (const auto small = small_number_in(text))
      return static_cast<T>(*small);
  const auto value = take_number<T>(text, form...);
  return text.empty() ? value : std::nullopt;
}

} // namespace kakehashi
