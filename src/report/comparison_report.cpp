// Several ways to do the same → a report.
#include "report/findings.hpp"
#include "report/tree.hpp"
#include "result/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <utility>

namespace kakehashi {
namespace {

std::string size_text(const Comparison& all, std::uint64_t size) {
  return all.size_name == "bytes" ? to_text(Bytes{size}) : fmt::format("{} {}", all.size_name, size);
}

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
  return fmt::format("no crossover: {} wins{} everywhere", all.contenders[all.first], has_ties(all) ? " or ties" : "");
}

// Adds each contender's reasons, with the sizes from which they hold and their shares from there on.
void add_reasons(const Comparison& all, ReportParts& parts) {
  parts.push_back(Note{"where most of the time goes (share of the critical path)"});
  for (std::size_t c = 0; c < all.contenders.size(); ++c) {
    parts.push_back(Note{all.contenders[c] + ":"});
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

std::string size_cell(const Comparison& all, const ComparisonRow& row) {
  return all.size_name.empty() ? "all" : std::to_string(row.size);
}

Listing times_of(const Comparison& all) {
  const bool has_rates = !all.rate_name.empty();
  Listing listing{fmt::format("{}: time in us{}", all.scenario, has_rates ? " and, behind it, " + all.rate_name : ""),
                  {left(all.size_name, 12)},
                  {}};
  for (const auto& name : all.contenders) {
    listing.heads.push_back(right(name, 14));
    if (has_rates)
      listing.heads.push_back(right(all.rate_name, 10));
  }
  listing.heads.push_back(
      left("winner (margin)" + (all.library.empty() ? "" : ", what " + all.library + " takes"), 0, 2));
  for (const auto& row : all.rows) {
    auto& cells = listing.rows.emplace_back(ListedRow{size_cell(all, row)});
    for (const auto& time : row.times) {
      cells.push_back(fmt::format("{:.2f}", in_microseconds(time.time)));
      if (has_rates)
        cells.push_back(fmt::format("{:.2f}", time.rate));
    }
    cells.push_back(fmt::format("{} ({:.1f} %){}", winner_text(all, row), 100 * row.margin, taken_text(all, row)));
  }
  return listing;
}

Listing ratios_of(const Comparison& all) {
  Listing listing{"times over those of " + all.contenders[*all.baseline], {left(all.size_name, 12)}, {}};
  for (const auto& name : all.contenders)
    listing.heads.push_back(right(name, 14));
  for (const auto& row : all.rows) {
    auto& cells = listing.rows.emplace_back(ListedRow{size_cell(all, row)});
    for (std::size_t c = 0; c < row.times.size(); ++c) {
      const auto ratio = over_baseline(all, row, c);
      cells.push_back(ratio ? fmt::format("{:.3f}", *ratio) : "-");
    }
  }
  return listing;
}

ReportParts parts_of(const Comparison& all) {
  ReportParts parts{times_of(all)};
  if (all.baseline)
    parts.push_back(ratios_of(all));
  for (const auto& crossover : all.crossovers)
    parts.push_back(
        Note{fmt::format("from {} ({}) on {} wins, before it {}", size_text(all, crossover.size), crossover.size,
                         all.contenders[crossover.after], all.contenders[crossover.before])});
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

Sheet sheet_of(const Comparison& all) {
  Sheet sheet{{"scenario", "platform", "fabric", "contender", "size", "size_is", "time_us", "rate", "rate_unit",
               "slower", "verdict", "reason", "reason_share"},
              {}};
  if (all.baseline)
    sheet.names.emplace_back("over_baseline");
  if (!all.library.empty())
    sheet.names.emplace_back("taken");
  for (const auto& row : all.rows)
    for (std::size_t c = 0; c < row.times.size(); ++c) {
      const auto& time = row.times[c];
      const auto best = row.times[row.winner].time;
      auto& cells = sheet.rows.emplace_back(
          ListedRow{all.scenario, all.places[c].platform, all.places[c].fabric, all.contenders[c],
                    all.size_name.empty() ? "" : std::to_string(row.size), all.size_name,
                    fmt::format("{:.6f}", in_microseconds(time.time)),
                    all.rate_name.empty() ? "" : fmt::format("{:.6f}", time.rate), all.rate_name,
                    best.value > 0 ? fmt::format("{:.6f}", time.time / best - 1) : "", verdict_text(row, c),
                    time.reason, fmt::format("{:.6f}", time.share)});
      if (const auto ratio = over_baseline(all, row, c); all.baseline)
        cells.push_back(ratio ? fmt::format("{:.6f}", *ratio) : "");
      if (!all.library.empty())
        cells.push_back(row.taken == all.contenders[c] ? "yes" : "no");
    }
  return sheet;
}

Json tree_of(const Comparison& all, const ComparisonRow& row) {
  Json times = Json::array();
  for (std::size_t c = 0; c < row.times.size(); ++c) {
    const auto& time = row.times[c];
    auto& json = times.emplace_back(Json{{"time_us", rounded_us(time.time)}});
    if (!all.rate_name.empty())
      json["rate"] = rounded(time.rate);
    add_if_any(json, "over_baseline", over_baseline(all, row, c));
    json["reason"] = time.reason;
    json["reason_share"] = rounded(time.share);
  }
  Json json{{"size", row.size},
            {"times", times},
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
                                   return Json{{"platform", place.platform}, {"fabric", place.fabric}};
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
