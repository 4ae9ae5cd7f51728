// Why a message or a run takes its time → a summary or JSON.
#pragma once

#include "result/explanation.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const MessageExplanation& explanation, std::ostream& out);
void write_json(const MessageExplanation& explanation, std::ostream& out);
void write_table(const RunExplanation& explanation, std::ostream& out);
void write_json(const RunExplanation& explanation, std::ostream& out);

} // namespace kakehashi
