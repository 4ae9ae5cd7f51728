// Why a message or a run takes its time → a summary or JSON.
#pragma once

#include "report/report.hpp"
#include "result/explanation.hpp"

namespace kakehashi {

void write(const MessageExplanation& explanation, Format format, std::ostream& out); // table or json
void write(const RunExplanation& explanation, Format format, std::ostream& out);     // likewise

} // namespace kakehashi
