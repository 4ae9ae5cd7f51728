// A machine → its nodes with sockets and slots, and links as thick as they are fast.
#pragma once

#include "report/draw/drawing.hpp"
#include "report/page/machine_layout.hpp"
#include "report/page/page.hpp"
#include "result/machine.hpp"

namespace kakehashi {

// The nodes with ranks or links in use come first; a large machine shows only some of its nodes.
Drawing draw(const Machine& machine, double width);

Figure machine_figure(const Machine& machine, std::string title);

// In px, of each link that is placed: as thick as it is fast, all thinner where they would touch side by side.
std::vector<double> line_widths(const Machine& machine, const MachineLayout& layout);

} // namespace kakehashi
