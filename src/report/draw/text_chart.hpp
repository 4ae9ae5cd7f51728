// A chart of curves → lines of text, for a terminal.
#pragma once

#include "report/draw/chart.hpp"

#include <ostream>

namespace kakehashi {

// So many columns wide at most, which are at least 40; in colour.
void write_text(const CurveChart& chart, std::size_t columns, std::ostream& out);

} // namespace kakehashi
