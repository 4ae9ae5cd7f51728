// What `check` finds in files → parts of a report: the ways that routes were chosen from, and what rules of an MPI
// library do.
#pragma once

#include "model/decision.hpp"
#include "report/report.hpp"
#include "result/way_choice.hpp"

#include <span>

namespace kakehashi {

// Why the first of the ways is the route; empty if there was nothing to choose.
std::string choice_text(std::span<const WayFigures> ways);
// A note for each fabric and sort of choice.
ReportParts parts_of(std::span<const RouteChoices> choices);

// What each entry of a file of rules does.
ReportParts parts_of(const CollectiveRules& rules);
// Warnings of entries that do not do what they may be meant to, or that could not be followed.
std::vector<std::string> warnings_of(const CollectiveRules& rules);

} // namespace kakehashi
