// Why a message or a run takes its time → a summary or JSON.
#pragma once

#include "report/report.hpp"
#include "result/explanation.hpp"

namespace kakehashi {

void write_table(const MessageExplanation& explanation, std::ostream& out);
void write_json(const MessageExplanation& explanation, std::ostream& out);
void write_table(const RunExplanation& explanation, std::ostream& out);
void write_json(const RunExplanation& explanation, std::ostream& out);

} // namespace kakehashi
