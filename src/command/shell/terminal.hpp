// Properties of standard output, and output for terminals alone.
#pragma once

#include "command/shell/streams.hpp"
#include "report/draw/chart.hpp"

#include <cstddef>
#include <optional>

namespace kakehashi {

// The width of the terminal that standard output is; 0: it is none, or one that mpirun made, or NO_COLOR or TERM=dumb
// ask for plain text.
std::size_t terminal_columns();

// The chart, if there is one, below a table on a terminal.
void show_chart(const std::optional<CurveChart>& chart, const Streams& streams);

} // namespace kakehashi
