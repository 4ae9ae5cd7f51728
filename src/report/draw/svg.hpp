// Drawings → SVG.
#pragma once

#include "report/draw/drawing.hpp"

#include <ostream>

namespace kakehashi {

// In a page, whose style sheet (write_paints) has the colours. What its shapes say is in labels that the page's script
// shows and that screen readers read.
void write_figure(const Drawing& drawing, std::ostream& out);

// A file of its own. Colours follow the viewer's, unless it must be light, as on paper.
enum class SvgColours { light, light_or_dark };
void write_svg(const Drawing& drawing, SvgColours colours, std::ostream& out);

// The variables and classes that figures use.
void write_paints(std::ostream& out);

// With the characters escaped that mean something in XML.
std::string in_xml(std::string_view text);

} // namespace kakehashi
