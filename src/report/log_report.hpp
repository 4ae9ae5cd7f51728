// What a log shows → text and JSON.
#pragma once

#include "result/log_explanation.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const LogExplanation& explanation, std::ostream& out);
void write_json(const LogExplanation& explanation, std::ostream& out);

} // namespace kakehashi
