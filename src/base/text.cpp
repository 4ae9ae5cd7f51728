#include "base/text.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace kakehashi {
namespace {

// Returns the number of bytes of the UTF-8 character at the start of the text; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto first = byte(0);
  if (first < 0x80)
    return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : (first & 0xF0) == 0xE0        ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length)
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
  const auto second = byte(1); // an overlong form, a surrogate, or beyond the last character
  const bool is_wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return is_wrong ? 0 : length;
}

std::string escaped(char c) {
  switch (c) {
  case '"': return "\\\"";
  case '\\': return "\\\\";
  case '\b': return "\\b";
  case '\f': return "\\f";
  case '\n': return "\\n";
  case '\r': return "\\r";
  case '\t': return "\\t";
  default:
    return static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\u{:04x}", static_cast<int>(c)) : std::string(1, c);
  }
}

// Returns the code of a control character, or of one that turns the direction of text or ends a line.
std::optional<unsigned> control_at(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  const unsigned code = character.size() == 1   ? byte(0)
                        : character.size() == 2 ? (byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU)
                        : character.size() == 3 ? (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU)
                                                : 0x10000U;
  const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool is_turn = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
                       (code >= 0x2066 && code <= 0x2069);
  return is_control || is_turn ? std::optional(code) : std::nullopt;
}

std::string without_controls(std::string_view text, std::string_view kept) {
  std::string shown;
  while (!text.empty()) {
    const auto length = character_length(text);
    const auto c = text.front();
    const auto control = length > 0 ? control_at(text.substr(0, length)) : std::nullopt;
    if (length == 0)
      shown += "\xEF\xBF\xBD"; // U+FFFD
    else if (control && kept.find(c) == std::string_view::npos)
      shown += *control < 0x20 ? escaped(c) : fmt::format("\\u{:04x}", *control);
    else
      shown += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return shown;
}

} // namespace

std::string shortened(std::string text, std::size_t most) {
  assert(most >= 3);
  if (text.size() <= most)
    return text;
  std::size_t end = most - 3;
  while (end > 0 && (text[end] & 0xC0) == 0x80)
    --end;
  return text.substr(0, end) + "...";
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words;
  for (auto word = take_word(line); !word.empty(); word = take_word(line))
    words.push_back(word);
  return words;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::string in_shell_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,@%+=-";
  const bool is_plain = !text.empty() && text.find_first_not_of(plain) == std::string_view::npos;
  return is_plain ? std::string(text) : in_shell_quotes(text);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string quoted = "\"";
  while (!text.empty() && quoted.size() <= most) {
    const auto length = character_length(text);
    if (length == 0)
      quoted += "\xEF\xBF\xBD"; // U+FFFD
    else if (length == 1)
      quoted += escaped(text.front());
    else
      quoted += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return shortened(quoted + '"', most);
}

std::string printable(std::string_view text) {
  return without_controls(text, "");
}

std::string printable_lines(std::string_view text) {
  return without_controls(text, "\n");
}

std::string printable_line(std::string_view line) {
  const bool has_return = line.ends_with('\r');
  return without_controls(line.substr(0, line.size() - has_return), "\t") + (has_return ? "\r" : "");
}

std::string four_digits(double value) {
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace kakehashi
