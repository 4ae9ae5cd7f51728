// Lines of a table → the same in colour, for a terminal.
#pragma once

#include <string>

namespace kakehashi {

// Comments are dim; an error at the end of a line is green up to 10 %, yellow up to 25 %, else red; verdicts likewise.
std::string coloured(const std::string& line);

} // namespace kakehashi
