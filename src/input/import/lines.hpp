// The output of a tool → its lines and words.
#pragma once

#include "base/text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// The lines without their ends, and without the escapes with which terminals underline text.
std::vector<std::string> plain_lines(std::string_view text);
// The parts between separators; one empty part of an empty text.
std::vector<std::string> split(std::string_view text, char separator);
// Replaces each byte that is no UTF-8 by '?', so that names may go into messages and platforms.
std::string valid_text(std::string text);
// The text between the first two quotes after a place; empty if there are none.
std::string_view quoted(std::string_view line, std::size_t from = 0);

} // namespace kakehashi
