#include "report/comparison_report.hpp"

#include "report/csv_form.hpp"
#include "report/number_form.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace kakehashi {
namespace {

std::string size_text(const Comparison& all, std::uint64_t size) {
  return all.size_name == "bytes" ? to_text(Bytes{size}) : fmt::format("{} {}", all.size_name, size);
}

std::size_t width_of(const std::string& name) {
  return std::max<std::size_t>(14, name.size());
}

// ", ring (12.0 % slower)": what the library takes, against the winner.
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

// Each contender's reasons, with the sizes at which they begin to hold, and the shares that they have from there on.
void write_reasons(const Comparison& all, std::ostream& out) {
  for (std::size_t c = 0; c < all.contenders.size(); ++c) {
    fmt::print(out, "# {}:\n", all.contenders[c]);
    for (std::size_t first = 0, next = 0; first < all.rows.size(); first = next) {
      const auto& reason = all.rows[first].times[c].reason;
      auto least = all.rows[first].times[c].share;
      auto most = least;
      for (next = first + 1; next < all.rows.size() && all.rows[next].times[c].reason == reason; ++next) {
        least = std::min(least, all.rows[next].times[c].share);
        most = std::max(most, all.rows[next].times[c].share);
      }
      const auto [low, high] = std::pair(std::lround(100 * least), std::lround(100 * most));
      fmt::print(out, "#   {}{} ({}{} %)\n",
                 all.size_name.empty() ? "" : "from " + size_text(all, all.rows[first].size) + " on: ", reason,
                 low < high ? fmt::format("{} to ", low) : "", high);
    }
  }
}

// The fastest that the library can be made to take, if it takes none that is as fast.
std::optional<std::size_t> best_settable(const Comparison& all, const ComparisonRow& row) {
  std::optional<std::size_t> best;
  for (std::size_t c = 0; c < all.settings.size(); ++c)
    if ((!all.settings[c].empty() || row.taken == all.contenders[c]) &&
        (!best || row.times[c].time < row.times[*best].time))
      best = c;
  return best && row.taken != all.contenders[*best] ? best : std::nullopt;
}

// What to start the library with, so that it takes the winners that it does not take anyway. For some there is nothing:
// then also for the best of the others.
void write_settings(const Comparison& all, std::ostream& out) {
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
      fmt::print(out, "# what makes {} take the winners that it does not take by itself (for all sizes of a run):\n",
                 all.library);
    fmt::print(out, "#   {}, best at {}{}{}: {}\n", all.contenders[c], sizes.front(),
               sizes.size() > 1 ? fmt::format(" to {}", sizes.back()) : "", wins ? "" : " of those with a setting",
               all.settings[c].empty() ? "no setting is known" : all.settings[c]);
  }
}

void write_ratios(const Comparison& all, std::ostream& out) {
  if (!all.baseline)
    return;
  fmt::print(out, "# times over those of {}\n{:<12}", all.contenders[*all.baseline],
             all.size_name.empty() ? "#" : "# " + all.size_name);
  for (const auto& name : all.contenders)
    fmt::print(out, " {:>{}}", name, width_of(name));
  out << '\n';
  for (const auto& row : all.rows) {
    fmt::print(out, "{:<12}", all.size_name.empty() ? "all" : std::to_string(row.size));
    for (std::size_t c = 0; c < row.times.size(); ++c) {
      const auto ratio = over_baseline(all, row, c);
      fmt::print(out, " {:>{}}", ratio ? fmt::format("{:.3f}", *ratio) : "-", width_of(all.contenders[c]));
    }
    out << '\n';
  }
}

} // namespace

void write_table(const Comparison& all, std::ostream& out) {
  fmt::print(out, "# {}: time in us{}\n", all.scenario,
             all.rate_name.empty() ? "" : " and, behind it, " + all.rate_name);
  fmt::print(out, "{:<12}", all.size_name.empty() ? "#" : "# " + all.size_name);
  for (const auto& name : all.contenders)
    fmt::print(out, " {:>{}}{}", name, width_of(name),
               all.rate_name.empty() ? "" : fmt::format(" {:>10}", all.rate_name));
  fmt::print(out, "  winner (margin){}\n", all.library.empty() ? "" : ", what " + all.library + " takes");
  for (const auto& row : all.rows) {
    fmt::print(out, "{:<12}", all.size_name.empty() ? "all" : std::to_string(row.size));
    for (std::size_t c = 0; c < row.times.size(); ++c)
      fmt::print(out, " {:>{}.2f}{}", in_microseconds(row.times[c].time), width_of(all.contenders[c]),
                 all.rate_name.empty() ? "" : fmt::format(" {:>10.2f}", row.times[c].rate));
    fmt::print(out, "  {} ({:.1f} %){}\n", winner_text(all, row), 100 * row.margin, taken_text(all, row));
  }
  write_ratios(all, out);
  for (const auto& crossover : all.crossovers)
    fmt::print(out, "# from {} ({}) on {} wins, before it {}\n", size_text(all, crossover.size), crossover.size,
               all.contenders[crossover.after], all.contenders[crossover.before]);
  if (all.crossovers.empty() && all.rows.size() > 1)
    fmt::print(out, "# {}\n", lone_winner_text(all));
  else if (all.multiple > 1)
    fmt::print(out, "# crossovers are among multiples of {}, since other sizes are slowed down by alignment\n",
               to_text(Bytes{all.multiple}));
  fmt::print(out, "# where most of the time goes (share of the critical path)\n");
  write_reasons(all, out);
  write_settings(all, out);
}

namespace {

// Empty: it loses.
std::string verdict_text(const ComparisonRow& row, std::size_t contender) {
  const auto best = as_fast(row);
  return std::ranges::find(best, contender) == best.end() ? "" : best.size() > 1 ? "tie" : "wins";
}

} // namespace

void write_csv(const Comparison& all, std::ostream& out) {
  std::vector<std::string> names{"scenario", "platform",  "fabric", "contender", "size",   "size_is",     "time_us",
                                 "rate",     "rate_unit", "slower", "verdict",   "reason", "reason_share"};
  if (all.baseline)
    names.emplace_back("over_baseline");
  if (!all.library.empty())
    names.emplace_back("taken");
  write_csv_line(names, out);
  for (const auto& row : all.rows)
    for (std::size_t c = 0; c < row.times.size(); ++c) {
      const auto& time = row.times[c];
      const auto best = row.times[row.winner].time;
      std::vector<std::string> cells{all.scenario,
                                     all.places[c].platform,
                                     all.places[c].fabric,
                                     all.contenders[c],
                                     all.size_name.empty() ? "" : std::to_string(row.size),
                                     all.size_name,
                                     fmt::format("{:.6f}", in_microseconds(time.time)),
                                     all.rate_name.empty() ? "" : fmt::format("{:.6f}", time.rate),
                                     all.rate_name,
                                     best.value > 0 ? fmt::format("{:.6f}", time.time / best - 1) : "",
                                     verdict_text(row, c),
                                     time.reason,
                                     fmt::format("{:.6f}", time.share)};
      if (all.baseline) {
        const auto ratio = over_baseline(all, row, c);
        cells.emplace_back(ratio ? fmt::format("{:.6f}", *ratio) : "");
      }
      if (!all.library.empty())
        cells.emplace_back(row.taken == all.contenders[c] ? "yes" : "no");
      write_csv_line(cells, out);
    }
}

void write_json(const Comparison& all, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const auto& row : all.rows) {
    Json times = Json::array();
    for (std::size_t c = 0; c < row.times.size(); ++c) {
      const auto& time = row.times[c];
      Json json{{"time_us", rounded(in_microseconds(time.time))}};
      if (!all.rate_name.empty())
        json["rate"] = rounded(time.rate);
      if (const auto ratio = over_baseline(all, row, c))
        json["over_baseline"] = rounded(*ratio);
      json["reason"] = time.reason;
      json["reason_share"] = rounded(time.share);
      times.push_back(std::move(json));
    }
    rows.push_back({{"size", row.size},
                    {"times", times},
                    {"winner", all.contenders[row.winner]},
                    {"margin", rounded(row.margin)},
                    {"as_fast", names_of(all, as_fast(row))}});
    if (!all.library.empty())
      rows.back()["taken"] = row.taken;
  }
  Json crossovers = Json::array();
  for (const auto& crossover : all.crossovers)
    crossovers.push_back({{"size", crossover.size},
                          {"before", all.contenders[crossover.before]},
                          {"after", all.contenders[crossover.after]}});
  Json places = Json::array();
  for (const auto& place : all.places)
    places.push_back({{"platform", place.platform}, {"fabric", place.fabric}});
  Json json{{"schema_version", 2},
            {"scenario", all.scenario},
            {"contenders", all.contenders},
            {"places", places},
            {"size_is", all.size_name},
            {"rate_is", all.rate_name},
            {"crossovers_among_multiples_of", all.multiple},
            {"rows", rows},
            {"crossovers", crossovers}};
  if (all.baseline)
    json["baseline"] = all.contenders[*all.baseline];
  if (!all.library.empty())
    json["library"] = all.library;
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
