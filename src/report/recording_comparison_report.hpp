// Two recordings side by side → a table, CSV, JSON or Markdown.
#pragma once

#include "result/recording_comparison.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const RecordingComparison& all, std::ostream& out);
void write_csv(const RecordingComparison& all, std::ostream& out);
void write_json(const RecordingComparison& all, std::ostream& out);
void write_markdown(const RecordingComparison& all, std::ostream& out);

} // namespace kakehashi
