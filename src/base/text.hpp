// Text from a user → a form fit for messages.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// Cuts the text to `most` bytes (3 or more), between two characters of UTF-8.
std::string shortened(std::string text, std::size_t most);

std::string_view trimmed(std::string_view text); // without blanks, tabs and returns at both ends
std::string in_lower_case(std::string_view text);

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

// Whether the character parts words: a blank, a tab or a return.
inline bool is_blank(char c) {
  static constexpr auto blanks = [] {
    std::array<bool, 256> table{};
    for (const char each : {' ', '\t', '\r'})
      table[static_cast<unsigned char>(each)] = true;
    return table;
  }();
  return blanks[static_cast<unsigned char>(c)];
}
// Removes the next word and the blanks before it from the line; empty: there is none.
inline std::string_view take_word(std::string_view& line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at != end && is_blank(*at))
    ++at;
  const char* const begin = at;
  while (at != end && !is_blank(*at))
    ++at;
  line = {at, static_cast<std::size_t>(end - at)};
  return {begin, static_cast<std::size_t>(at - begin)};
}
std::vector<std::string_view> words_in(std::string_view line);

// The parts between separators, which may be empty: "8," has two, and an empty text has one.
std::vector<std::string> split(std::string_view text, char separator);

// Puts the text in quotes, with escapes as in JSON. Replaces bytes that are no UTF-8, and shortens long text.
std::string in_quotes(std::string_view text);

// Quotes text as one word for a shell. shell_word() does so only if a shell would read it otherwise.
std::string in_shell_quotes(std::string_view text);
std::string shell_word(std::string_view text);

// Make any text, such as the name of a file, safe for a terminal: they escape control characters as in JSON and replace
// bytes that are no UTF-8. printable() gives one line. printable_lines() keeps line ends, and printable_line() keeps
// the tabs of a line and a return at its end, so that a printed document stays as it is.
std::string printable(std::string_view text);
std::string printable_lines(std::string_view text);
std::string printable_line(std::string_view line);

// Writes four significant digits, and all digits before the point: "0.1235", "1.5", "12340". Below 0.0001 it uses an
// exponent.
std::string four_digits(double value);

// "1 size", "2 sizes".
std::string counted(std::size_t count, std::string_view noun);

} // namespace kakehashi
