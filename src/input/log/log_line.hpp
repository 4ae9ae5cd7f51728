// A line of a job log → the benchmark's text, without terminal colours, line ends and the launcher's rank.
#pragma once

#include "base/text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// Turns control characters into spaces and removes white space around the text. Only the first 1000 bytes count; no
// line of a table is longer.
std::string plain_line(std::string_view line);

// `0: text`, `[0] text`, `[1,0]<stdout>:text` → text. Other lines stay as they are.
std::string_view without_rank(std::string_view line);

// The cells between commas: "a,,b" has three.
std::vector<std::string_view> cells_of(std::string_view line);

} // namespace kakehashi
