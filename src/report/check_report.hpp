// Findings of `check` in files → parts of a report: the ways from which routes were chosen, and the effect of an MPI
// library's rules.
#pragma once

#include "model/decision.hpp"
#include "report/report.hpp"
#include "result/way_choice.hpp"

#include <span>

namespace kakehashi {

// Explains why the first way is the route; empty if there was no choice.
std::string choice_text(std::span<const WayFigures> ways);
// Makes a note for each fabric and kind of choice.
ReportParts parts_of(std::span<const RouteChoices> choices);

// Lists what each entry of a file of rules does.
ReportParts parts_of(const CollectiveRules& rules);
// Warns of entries that may not do what their writer meant, or that could not be followed.
std::vector<std::string> warnings_of(const CollectiveRules& rules);

} // namespace kakehashi
