// Text of a user → how messages show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// At most so many bytes (3 or more), cut between two characters of UTF-8.
std::string shortened(std::string text, std::size_t most);

std::string_view trimmed(std::string_view text); // of blanks, tabs and returns
std::string in_lower_case(std::string_view text);
// What is between blanks and tabs.
std::vector<std::string_view> words_in(std::string_view line);

// In quotes, with escapes as in JSON; what is no UTF-8 is replaced, and long text shortened.
std::string in_quotes(std::string_view text);

// Text that may hold anything, such as the name of a file, as one line for a terminal: control characters are escaped
// as in JSON, and what is no UTF-8 is replaced. The others leave line ends as they are, or of one line tabs and a
// return at its end: a document that is printed stays what it is.
std::string printable(std::string_view text);
std::string printable_lines(std::string_view text);
std::string printable_line(std::string_view line);

// Four digits of a number, and all of those before the point: "0.1235", "1.5", "12340". Below 0.0001 with an exponent.
std::string four_digits(double value);

// "1 size", "2 sizes"
std::string counted(std::size_t count, std::string_view noun);

} // namespace kakehashi
