// A chart of curves → lines of text, for a terminal.
#pragma once

#include "report/draw/chart.hpp"

#include <ostream>

namespace kakehashi {

// Writes the chart in colour, at most `columns` wide; `columns` is at least 40.
void write_text(const CurveChart& chart, std::size_t columns, std::ostream& out);

} // namespace kakehashi
