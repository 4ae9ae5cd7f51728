// Properties of standard output, and output only for terminals.
#pragma once

#include "command/shell/streams.hpp"
#include "report/draw/chart.hpp"

#include <cstddef>
#include <optional>

namespace kakehashi {

// Returns the width of the terminal on standard output. 0: there is none, mpirun made it, or NO_COLOR or TERM=dumb ask
// for plain text.
std::size_t terminal_columns();

// Shows the chart, if there is one, below a table on a terminal.
void show_chart(const std::optional<CurveChart>& chart, const Streams& streams);

} // namespace kakehashi
