// Several ways to do the same → a report.
#include "report/column.hpp"
#include "report/findings.hpp"
#include "result/comparison.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <utility>

namespace kakehashi {
namespace {

// Returns ", ring (12.0 % slower)": the library's choice, compared with the winner.
std::string taken_text(const Comparison& all, const ComparisonRow& row) {
  const auto taken = std::find(all.contenders.begin(), all.contenders.end(), row.taken) - all.contenders.begin();
  if (row.taken.empty() || taken == static_cast<std::ptrdiff_t>(row.winner))
    return row.taken.empty() ? "" : ", the same";
  if (taken == std::ssize(all.contenders) || row.times[row.winner].time.value <= 0)
    return ", " + row.taken;
  const auto slower = row.times[static_cast<std::size_t>(taken)].time / row.times[row.winner].time - 1;
  return fmt::format(", {} ({:.1f} % slower)", row.taken, 100 * slower);
}

std::string lone_winner_text(const Comparison& all) {
  auto always = as_fast(all.rows.front());
  for (const auto& row : all.rows) {
    const auto best = as_fast(row);
    std::erase_if(always, [&](std::size_t each) { return std::ranges::find(best, each) == best.end(); });
  }
  if (always.size() > 1)
    return fmt::format("no crossover: {} tie everywhere", fmt::join(names_of(all, always), ", "));
  return fmt::format("no crossover: {} wins{} everywhere", marked_name(all, all.first),
                     has_ties(all) ? " or ties" : "");
}

// Adds each contender's reasons, with the sizes from which they hold and their shares from there on.
void add_reasons(const Comparison& all, ReportParts& parts) {
  parts.push_back(Note{"where most of the time goes (share of the critical path)"});
  for (std::size_t c = 0; c < all.contenders.size(); ++c) {
    parts.push_back(Note{marked_name(all, c) + ":"});
    for (std::size_t first = 0, next = 0; first < all.rows.size(); first = next) {
      const auto& reason = all.rows[first].times[c].reason;
      auto least = all.rows[first].times[c].share;
      auto most = least;
      for (next = first + 1; next < all.rows.size() && all.rows[next].times[c].reason == reason; ++next) {
        least = std::min(least, all.rows[next].times[c].share);
        most = std::max(most, all.rows[next].times[c].share);
      }
      const auto [low, high] = std::pair(std::lround(100 * least), std::lround(100 * most));
      const auto from = all.size_name.empty() ? "" : "from " + size_text(all, all.rows[first].size) + " on: ";
      parts.push_back(
          Note{fmt::format("{}{} ({}{} %)", from, reason, low < high ? fmt::format("{} to ", low) : "", high), 1});
    }
  }
}

// Returns the fastest choice that the library can be made to use, unless it uses one that is as fast.
std::optional<std::size_t> best_settable(const Comparison& all, const ComparisonRow& row) {
  std::optional<std::size_t> best;
  for (std::size_t c = 0; c < all.settings.size(); ++c)
    if ((!all.settings[c].empty() || row.taken == all.contenders[c]) &&
        (!best || row.times[c].time < row.times[*best].time))
      best = c;
  return best && row.taken != all.contenders[*best] ? best : std::nullopt;
}

// Adds the settings that make the library use the winners, where it does not use them itself. If a winner has no
// setting, it also adds that of the best of the others.
void add_settings(const Comparison& all, ReportParts& parts) {
  bool is_first = true;
  for (std::size_t c = 0; c < all.settings.size(); ++c) {
    std::vector<std::string> sizes;
    bool wins = true;
    for (const auto& row : all.rows)
      if (row.taken != all.contenders[c] && row.taken != "none" && (row.winner == c || best_settable(all, row) == c)) {
        sizes.push_back(all.size_name.empty() ? "all" : size_text(all, row.size));
        wins = wins && row.winner == c;
      }
    if (sizes.empty())
      continue;
    if (std::exchange(is_first, false))
      parts.push_back(Note{fmt::format(
          "settings with which {} takes the winners that it does not take by itself (for all sizes of a run):",
          all.library)});
    parts.push_back(Note{fmt::format("{}, best at {}{}{}: {}", all.contenders[c], sizes.front(),
                                     sizes.size() > 1 ? fmt::format(" to {}", sizes.back()) : "",
                                     wins ? "" : " of those with a setting",
                                     all.settings[c].empty() ? "no setting is known" : all.settings[c]),
                         1});
  }
}

ColumnOf<ComparisonRow> size_column(const Comparison& all) {
  return {"size", left(all.size_name, 12), {}, [&](const ComparisonRow& row) {
            return all.size_name.empty() ? Datum("all") : Datum(row.size);
          }};
}

Listing times_of(const Comparison& all) {
  using Row = const ComparisonRow&;
  const bool has_rates = !all.rate_name.empty();
  ColumnsOf<ComparisonRow> columns{size_column(all)};
  for (std::size_t c = 0; c < all.contenders.size(); ++c) {
    columns.push_back(
        {all.contenders[c], right(all.contenders[c], 14), {2}, [c](Row row) { return row.times[c].time; }});
    if (has_rates)
      columns.push_back(
          {"rate of " + all.contenders[c], right(all.rate_name, 10), {2}, [c](Row row) { return row.times[c].rate; }});
  }
  columns.push_back(
      {"winner",
       left("winner (margin)" + (all.library.empty() ? "" : ", what " + all.library + " takes"), 0, 2),
       {},
       [&](Row row) {
         return Datum(fmt::format("{} ({:.1f} %){}", winner_text(all, row), 100 * row.margin, taken_text(all, row)));
       }});
  return listing_of(fmt::format("{}: time in us{}", all.scenario, has_rates ? " and, behind it, " + all.rate_name : ""),
                    columns, all.rows);
}

Listing ratios_of(const Comparison& all) {
  ColumnsOf<ComparisonRow> columns{size_column(all)};
  for (std::size_t c = 0; c < all.contenders.size(); ++c)
    columns.push_back({all.contenders[c], right(all.contenders[c], 14), {3}, [&, c](const ComparisonRow& row) {
                         return over_baseline(all, row, c);
                       }});
  return listing_of("times over those of " + all.contenders[*all.baseline], columns, all.rows);
}

ReportParts parts_of(const Comparison& all) {
  ReportParts parts{times_of(all)};
  if (all.baseline)
    parts.push_back(ratios_of(all));
  for (const auto& crossover : all.crossovers)
    parts.push_back(
        Note{fmt::format("from {} ({}) on {} wins, before it {}", size_text(all, crossover.size), crossover.size,
                         marked_name(all, crossover.after), marked_name(all, crossover.before))});
  if (all.crossovers.empty() && all.rows.size() > 1)
    parts.push_back(Note{lone_winner_text(all)});
  else if (all.multiple > 1)
    parts.push_back(Note{"crossovers are among multiples of " + to_text(Bytes{all.multiple}) +
                         ", since other sizes are slowed down by alignment"});
  add_reasons(all, parts);
  add_settings(all, parts);
  return parts;
}

// Empty: it loses.
std::string verdict_text(const ComparisonRow& row, std::size_t contender) {
  const auto best = as_fast(row);
  return std::ranges::find(best, contender) == best.end() ? "" : best.size() > 1 ? "tie" : "wins";
}

// Columns of the contenders' numbers.
ColumnsOf<std::size_t> time_columns(const Comparison& all, const ComparisonRow& row) {
  const auto& times = row.times;
  const auto best = times[row.winner].time;
  ColumnsOf<std::size_t> columns{
      {"scenario", {}, {}, fixed(all.scenario)},
      {"platform", {}, {}, [&](std::size_t c) { return all.places[c].platform; }},
      {"fabric", {}, {}, [&](std::size_t c) { return all.places[c].fabric; }},
      {"contender", {}, {}, [&](std::size_t c) { return all.contenders[c]; }},
      {"size", {}, {}, [&](std::size_t) { return all.size_name.empty() ? Datum() : Datum(row.size); }},
      {"size_is", {}, {}, fixed(all.size_name)},
      {"time_us", {}, {}, [&](std::size_t c) { return times[c].time; }},
      {"rate", {}, {}, [&](std::size_t c) { return all.rate_name.empty() ? Datum() : Datum(times[c].rate); }},
      {"rate_unit", {}, {}, fixed(all.rate_name)},
      {"slower",
       {},
       {},
       [&, best](std::size_t c) { return best.value > 0 ? Datum(times[c].time / best - 1) : Datum(); }},
      {"verdict", {}, {}, [&](std::size_t c) { return verdict_text(row, c); }},
      {"reason", {}, {}, [&](std::size_t c) { return times[c].reason; }},
      {"reason_share", {}, {}, [&](std::size_t c) { return times[c].share; }},
      {"hypothetical", {}, {}, [&](std::size_t c) { return all.places[c].is_hypothetical; }}};
  if (all.baseline)
    columns.push_back({"over_baseline", {}, {}, [&](std::size_t c) { return over_baseline(all, row, c); }});
  if (!all.library.empty())
    columns.push_back({"taken", {}, {}, [&](std::size_t c) { return row.taken == all.contenders[c]; }});
  return columns;
}

Sheet sheet_of(const Comparison& all) {
  Sheet sheet;
  for (const auto& row : all.rows)
    sheet.append(sheet_of(time_columns(all, row), numbers_to(row.times.size())));
  return sheet;
}

Json tree_of(const Comparison& all, const ComparisonRow& row) {
  const auto columns = picked(time_columns(all, row), {"time_us", "rate", "over_baseline", "reason", "reason_share"});
  Json json{{"size", row.size},
            {"times", list_of(columns, numbers_to(row.times.size()))},
            {"winner", all.contenders[row.winner]},
            {"margin", rounded(row.margin)},
            {"as_fast", names_of(all, as_fast(row))}};
  if (!all.library.empty())
    json["taken"] = row.taken;
  return json;
}

Json tree_of(const Comparison& all) {
  Json json{{"schema_version", 2},
            {"scenario", all.scenario},
            {"contenders", all.contenders},
            {"places", json_list(all.places,
                                 [](const ComparedPlace& place) {
                                   return Json{{"platform", place.platform},
                                               {"fabric", place.fabric},
                                               {"hypothetical", place.is_hypothetical}};
                                 })},
            {"size_is", all.size_name},
            {"rate_is", all.rate_name},
            {"crossovers_among_multiples_of", all.multiple},
            {"rows", json_list(all.rows, [&](const ComparisonRow& row) { return tree_of(all, row); })},
            {"crossovers", json_list(all.crossovers, [&](const Crossover& crossover) {
               return Json{{"size", crossover.size},
                           {"before", all.contenders[crossover.before]},
                           {"after", all.contenders[crossover.after]}};
             })}};
  if (all.baseline)
    json["baseline"] = all.contenders[*all.baseline];
  add_if_any(json, "library", all.library);
  return json;
}

} // namespace

Report report_of(const Comparison& all) {
  return {[&] { return parts_of(all); }, [&] { return sheet_of(all); }, [&] { return tree_of(all); }};
}

} // namespace kakehashi
