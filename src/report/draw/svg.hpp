// Drawings → SVG.
#pragma once

#include "report/draw/drawing.hpp"

#include <ostream>

namespace kakehashi {

// Writes a drawing inside a page, whose style sheet (write_paints) has the colours. The texts of shapes become labels,
// which the page's script shows and screen readers read.
void write_figure(const Drawing& drawing, std::ostream& out);

// Writes a file of its own. Its colours follow the viewer's, unless it must be light, as on paper.
enum class SvgColours { light, light_or_dark };
void write_svg(const Drawing& drawing, SvgColours colours, std::ostream& out);

// Writes the variables and classes that figures use.
void write_paints(std::ostream& out);

// Escapes the characters that have a meaning in XML.
std::string in_xml(std::string_view text);

} // namespace kakehashi
