// A machine → a drawing of its nodes with sockets and slots, and of links with widths that show their rates.
#pragma once

#include "report/draw/drawing.hpp"
#include "report/page/machine_layout.hpp"
#include "report/page/page.hpp"
#include "result/machine.hpp"

namespace kakehashi {

// Nodes with ranks or used links come first; for a large machine only some nodes are drawn.
Drawing draw(const Machine& machine, double width);

Figure machine_figure(const Machine& machine, std::string title);

// Returns the width of each placed link in px: it shows the rate, and all are thinner where they would touch side by
// side.
std::vector<double> line_widths(const Machine& machine, const MachineLayout& layout);

} // namespace kakehashi
