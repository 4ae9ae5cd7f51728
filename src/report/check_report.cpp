#include "report/report_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

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

namespace {

std::string figures_text(const WayFigures& way) {
  return fmt::format("{} ({:.3f} us, {:.1f} {})", way.links, in_microseconds(way.latency), way.unit.of(way.rate),
                     way.unit.name());
}

} // namespace

std::string choice_text(std::span<const WayFigures> ways) {
  std::string text;
  if (ways.size() > 1)
    text = figures_text(ways.front());
  for (std::size_t i = 1; i < ways.size(); ++i)
    text += (i == 1 ? " rather than " : " or ") + figures_text(ways[i]);
  if (ways.size() > 1)
    text += fmt::format(": {:.3f} us for {}, not {:.3f} us", in_microseconds(ways[0].time), to_text(ways[0].size),
                        in_microseconds(ways[1].time));
  if (!ways.empty() && ways.front().equals > 1)
    text += fmt::format("{}one of {} equal ways, {}", text.empty() ? "" : "; ", ways.front().equals,
                        ways.front().is_spread ? "which the destination chooses" : "which all take");
  return text;
}

ReportParts parts_of(std::span<const RouteChoices> choices) {
  struct Alike {
    const RouteChoices* first;
    std::size_t pairs = 0;
  };
  std::map<std::pair<std::string, std::string>, Alike> by_text; // keys are fabrics
  for (const auto& each : choices)
    by_text.try_emplace({each.fabric, choice_text(each.ways)}, Alike{&each}).first->second.pairs += each.more_pairs + 1;
  ReportParts parts;
  for (const auto& [text, alike] : by_text)
    parts.push_back(
        Note{fmt::format("routes of {} as from {} to {}{}: {}", text.first, alike.first->from, alike.first->to,
                         alike.pairs == 1 ? "" : fmt::format(", {} pairs in all", alike.pairs), text.second)});
  return parts;
}

} // namespace kakehashi
