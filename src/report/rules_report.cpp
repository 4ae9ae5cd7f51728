#include "report/check_report.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

std::string ranks_text(const Decision& row) {
  const auto most = row.ranks_below - 1;
  const auto text = row.ranks_below == Decision{}.ranks_below
                        ? row.ranks_from == 0 ? "any" : fmt::format("{} on", row.ranks_from)
                    : row.ranks_from == most ? std::to_string(most)
                                             : fmt::format("{} to {}", row.ranks_from, most);
  return row.ranks == Ranks::power_of_two ? text + ", powers of 2" : text;
}

// The sizes are those of the file, which need not be whole KiB.
std::string sizes_text(const Decision& row) {
  if (row.collective == Collective::barrier)
    return "-";
  const auto is_all = row.bytes_below == Decision{}.bytes_below;
  if (row.bytes_from == 0 && is_all)
    return "any";
  return is_all ? fmt::format("{} B on", row.bytes_from)
                : fmt::format("{} to {} B", row.bytes_from, row.bytes_below - 1);
}

std::string_view measure_text(const Decision& row) {
  switch (row_of(row.collective).division) {
  case Division::none: return "";
  case Division::whole: return "the vector";
  default:
    return row.measure == Measure::all_blocks ? "all blocks"
           : row.measure == Measure::block    ? "a block"
                                              : "the usual size";
  }
}

std::string algorithm_text(const Decision& row) {
  if (row.algorithm.empty())
    return "the library's own choice";
  std::vector<std::string> parts;
  if (row.segment.count > 0)
    parts.push_back(to_text(row.segment) + " segments");
  if (row.width > 0)
    parts.push_back(fmt::format("width {}", row.width));
  return parts.empty() ? std::string(row.algorithm) : fmt::format("{} ({})", row.algorithm, fmt::join(parts, "; "));
}

std::string places_text(const Decision& row) {
  return row.on_nodes                    ? ", on nodes with several ranks"
         : row.off_nodes                 ? ", elsewhere than on nodes with several ranks"
         : row.ranks_per_node_below == 2 ? ", one rank a node"
                                         : "";
}

// Whether the earlier row `by` holds wherever this row does.
bool is_covered(const Decision& row, const Decision& by) {
  const bool is_of_all_sizes = by.bytes_from == 0 && by.bytes_below == Decision{}.bytes_below;
  return by.collective == row.collective && (is_of_all_sizes || by.measure == row.measure) &&
         by.bytes_from <= row.bytes_from && by.bytes_below >= row.bytes_below && by.ranks_from <= row.ranks_from &&
         by.ranks_below >= row.ranks_below && (by.ranks == Ranks::any || by.ranks == row.ranks) &&
         (!by.on_nodes || row.on_nodes) && (!by.off_nodes || row.off_nodes) &&
         by.ranks_per_node_from <= row.ranks_per_node_from && by.ranks_per_node_below >= row.ranks_per_node_below &&
         by.ranks_above_line.at_zero <= row.ranks_above_line.at_zero;
}

} // namespace

std::vector<std::string> warnings_of(const CollectiveRules& rules) {
  std::vector<std::string> warnings;
  for (const auto& [place, what] : rules.notes)
    warnings.push_back(fmt::format("{}: {}{}{}", rules.file, place, place.empty() ? "" : ": ", what));
  for (const auto& [collective, what] : rules.left_out)
    warnings.push_back(
        fmt::format("{}: {}: {}, so the library's table decides here", rules.file, row_of(collective).name, what));
  return warnings;
}

// Leaves out the library's own choices for cases that do not occur; the readers of nested forms add these.
ReportParts parts_of(const CollectiveRules& rules) {
  Listing listing{"", {left("operation", 15), left("ranks", 16), left("bytes", 26), left("of", 15), left("takes")}, {}};
  for (auto row = rules.rows.begin(); row != rules.rows.end(); ++row) {
    if (row->algorithm.empty() &&
        std::any_of(rules.rows.begin(), row, [&](const Decision& before) { return is_covered(*row, before); }))
      continue;
    listing.rows.push_back({row_of(row->collective).name, ranks_text(*row), sizes_text(*row), measure_text(*row),
                            algorithm_text(*row) + std::string(places_text(*row))});
  }
  return {std::move(listing)};
}

} // namespace kakehashi
