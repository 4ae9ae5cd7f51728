// A line of a job log → what the benchmark printed, without terminal colours, line ends and the launcher's rank.
#pragma once

#include "base/text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// Control characters become spaces; white space around the text goes. Only the first 1000 bytes count: no line of a
// table is that long.
std::string plain_line(std::string_view line);

// `0: text`, `[0] text`, `[1,0]<stdout>:text` → text. Anything else stays as it is.
std::string_view without_rank(std::string_view line);

// Cells between commas; "a,,b" has three.
std::vector<std::string_view> cells_of(std::string_view line);

} // namespace kakehashi
