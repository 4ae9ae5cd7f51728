#include "study/machine/machine_views.hpp"

#include "workload/collective/libraries.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

using Rows = std::vector<const Decision*>;

// Returns the number of the algorithm, and its fan-out unless the number implies one.
GridRule rule_of(const Decision& row) {
  GridRule rule;
  if (row.algorithm.empty())
    return rule;
  rule.name = row.algorithm;
  rule.segment = row.segment;
  for (int number = 1; const auto known = open_mpi_algorithm(row.collective, number); ++number) {
    if (known->algorithm != row.algorithm || (known->width != 0 && known->width != row.width))
      continue;
    rule.number = number;
    rule.fan_out = known->width == 0 ? row.width : 0;
    if (known->width == row.width)
      break;
  }
  return rule;
}

bool are_alike(const GridRule& a, const GridRule& b) {
  return a.number == b.number && a.fan_out == b.fan_out && a.segment == b.segment;
}

// Of rows that all hold for a number of ranks, the first one that holds for a size decides.
std::vector<GridRule> rules_of(const Rows& rows) {
  std::set<std::uint64_t> borders{0};
  for (const auto* row : rows)
    for (const auto border : {row->bytes_from, row->bytes_below})
      if (border != Decision{}.bytes_below)
        borders.insert(border);
  std::vector<GridRule> rules;
  for (const auto from : borders) {
    const auto found = std::ranges::find_if(
        rows, [&](const Decision* row) { return row->bytes_from <= from && from < row->bytes_below; });
    auto rule = found == rows.end() ? GridRule{} : rule_of(**found);
    rule.from = from;
    if (rules.empty() || !are_alike(rules.back(), rule))
      rules.push_back(std::move(rule));
  }
  return rules;
}

GridOperation operation_of(Collective collective, const Rows& rows) {
  std::set<int> borders;
  for (const auto* row : rows)
    borders.insert({row->ranks_from, row->ranks_below});
  GridOperation operation{collective, {}};
  for (auto from = borders.begin(); from != borders.end() && std::next(from) != borders.end(); ++from) {
    Rows here;
    std::ranges::copy_if(rows, std::back_inserter(here),
                         [&](const Decision* row) { return row->ranks_from <= *from && *from < row->ranks_below; });
    auto rules = rules_of(here);
    auto& before = operation.communicators;
    if (!before.empty() && before.back().ranks_below == *from &&
        std::ranges::equal(before.back().rules, rules,
                           [](const GridRule& a, const GridRule& b) { return a.from == b.from && are_alike(a, b); }))
      before.back().ranks_below = *std::next(from);
    else if (std::ranges::any_of(rules, &GridRule::number))
      before.push_back({*from, *std::next(from), std::move(rules)});
  }
  return operation;
}

} // namespace

Result<RuleGrid> rule_grid(const CollectiveRules& rules) {
  RuleGrid grid{"from " + rules.file, {}};
  for (std::size_t i = 0; i < collective_count; ++i) {
    Rows rows;
    for (const auto& row : rules.rows)
      if (row.collective == static_cast<Collective>(i))
        rows.push_back(&row);
    if (std::ranges::any_of(
            rows, [](const Decision* row) { return row->ranks_per_node_below != Decision{}.ranks_per_node_below; }))
      return input_error(
          rules.file, "/collectives",
          fmt::format("rules of {} for ranks that are one on each node have no other form", collective_names[i]));
    if (!rows.empty())
      grid.operations.push_back(operation_of(static_cast<Collective>(i), rows));
  }
  return grid;
}

} // namespace kakehashi
