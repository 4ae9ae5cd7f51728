// The ways that routes were chosen from → text.
#pragma once

#include "result/way_choice.hpp"

#include <ostream>
#include <span>

namespace kakehashi {

// Why the first of the ways is the route; empty if there was nothing to choose.
std::string choice_text(std::span<const WayFigures> ways);

// A line for each fabric and sort of choice.
void write_table(std::span<const RouteChoices> choices, std::ostream& out);

} // namespace kakehashi
