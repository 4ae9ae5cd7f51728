#include "report/report_parts.hpp"

#include "base/text.hpp"
#include "report/column.hpp"
#include "report/findings.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

constexpr std::array quantiles{0.1, 0.25, 0.5, 0.75, 0.9};

// Nearest rank: the smallest value that is no less than this share of the values.
const SweepPoint& quantile(std::span<const SweepPoint> points, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(points.size())));
  return points[std::max<std::size_t>(rank, 1) - 1];
}

std::vector<std::string> names_of(const SweepRecord& record, const SweepPoint& point) {
  std::vector<std::string> names;
  for (const auto device : point.devices)
    names.push_back(record.platform->devices[device].name);
  return names;
}

// With many ranks, a table names only this many devices or differences; CSV and JSON have all.
constexpr std::size_t most_named = 16;

// Returns "node0.mic0 x7 node0.mic1": adjacent equal devices are named once.
std::string short_names(const SweepRecord& record, const SweepPoint& point) {
  std::string text;
  const auto names = names_of(record, point);
  std::size_t named = 0;
  for (std::size_t i = 0; i < names.size(); ++named) {
    if (named == most_named)
      return text + fmt::format(" and {} more", counted(names.size() - i, "rank"));
    std::size_t end = i;
    while (end < names.size() && names[end] == names[i])
      ++end;
    text += (text.empty() ? "" : " ") + names[i] + (end - i > 1 ? fmt::format(" x{}", end - i) : "");
    i = end;
  }
  return text;
}

} // namespace

std::string placement_text(const SweepRecord& record, const SweepPoint& point) {
  const auto* usual = default_of(record);
  if (point.devices.size() <= most_named || point.is_default || !usual || usual->devices.size() != point.devices.size())
    return short_names(record, point);
  std::string text;
  std::size_t differ = 0;
  for (std::size_t rank = 0; rank < point.devices.size(); ++rank)
    if (point.devices[rank] != usual->devices[rank] && ++differ <= most_named)
      text +=
          fmt::format("{} {} on {}", differ == 1 ? "" : ",", rank, record.platform->devices[point.devices[rank]].name);
  if (differ == 0)
    return "ranks as in the default";
  return fmt::format("as the default, but rank{}{}{}", differ == 1 ? "" : "s", text,
                     differ > most_named ? fmt::format(" and {} more", differ - most_named) : "");
}

namespace {

std::string what_varies(const SweepRecord& record, const SweepPoint& point) {
  std::string text;
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", record.fields[i], record.values[point.variant][i]);
  if (record.has_placement)
    text += (text.empty() ? "" : "; ") + placement_text(record, point);
  return text;
}

std::string method_text(const SweepRecord& record) {
  if (record.method == SweepMethod::search)
    return fmt::format("branch and bound, then simulated annealing (seed {}): {} of {} candidates were run; {}",
                       record.seed, record.points.size(),
                       std::isfinite(record.candidates) ? fmt::format("{:.6g}", record.candidates) : "more than 1e308",
                       record.stopped);
  auto text = fmt::format("exhaustive: {:.6g} candidates, {} of them distinct, {} run", record.candidates,
                          record.distinct, record.points.size());
  if (record.pruned > 0)
    text += fmt::format(", {} left out, since a bound proves them worse than the best", record.pruned);
  if (record.not_run > 0)
    text += record.stopped.empty() ? fmt::format(", {} are in other shards", record.not_run)
                                   : fmt::format(", {} left unexplored: {}", record.not_run, record.stopped);
  return text;
}

std::string proof_text(const SweepRecord& record) {
  if (record.method == SweepMethod::search && record.gap)
    return fmt::format("no candidate can be better than the best by more than {:.1f} %", 100 * *record.gap);
  if (record.method == SweepMethod::search)
    return "nothing is known of the candidates that were not run";
  return record.gap && record.failed == 0 ? "the best is the optimum" : "the best of those that were run";
}

// Empty if no other candidate is as good as the best.
std::string ties_text(const SweepRecord& record) {
  const auto tied = ties(record);
  if (tied.size() < 2)
    return "";
  return fmt::format("tie: {} of {} candidates are as good as the best within {:g} %, the tolerance{}", tied.size(),
                     that_ran(record).size(), 100 * record.tolerance,
                     std::ranges::any_of(tied, &SweepPoint::is_default) ? "; the default is one of them" : "");
}

Listing listing_of(const SweepRecord& record, std::string title) {
  Listing listing{std::move(title), {{"", 10, true, 1, "which"}, right("time (us)", 14)}, {}};
  if (!record.rate_name.empty())
    listing.heads.push_back(right(record.rate_name, 12));
  listing.heads.insert(listing.heads.end(), {right("gain", 11), left("what varies", 0, 2)});
  return listing;
}

void add_row(const SweepRecord& record, std::string what, const SweepPoint& point, Listing& listing) {
  auto& cells =
      listing.rows.emplace_back(ListedRow{std::move(what), fmt::format("{:.2f}", in_microseconds(point.outcome.time))});
  if (!record.rate_name.empty())
    cells.push_back(fmt::format("{:.2f}", point.outcome.rate));
  const auto better = gain(record, point);
  cells.push_back(better ? signed_percent(*better) : "-");
  cells.push_back(what_varies(record, point));
}

// Adds nothing for a sweep without reasons, unless its ranks are a ring.
void add_reason(const SweepPoint& point, std::string_view what, ReportParts& parts) {
  const auto& step = point.outcome.step;
  const auto& reason = point.outcome.reason;
  if (!step.empty() || !reason.empty())
    parts.push_back(Note{fmt::format("{}: {}{}{}{}", what, step.empty() ? "" : "slowest step ", step,
                                     step.empty() || reason.empty() ? "" : "; ", reason)});
}

// Shows `shown` of the best; the other views have all.
ReportParts parts_of(const SweepRecord& record, std::size_t shown) {
  const auto points = that_ran(record);
  ReportParts parts{
      Note{fmt::format("{}: sweep on {}, fabric {}, for the {}", record.scenario, record.platform->name, record.fabric,
                       record.objective == Objective::time ? "least time" : "highest bandwidth")},
      Note{"engine " + record.engine}, Note{method_text(record)}};
  if (points.empty()) {
    parts.push_back(Note{"none of the candidates is in this shard"});
    return parts;
  }
  parts.push_back(Note{proof_text(record)});
  if (const auto tied = ties_text(record); !tied.empty())
    parts.push_back(Note{tied});
  if (record.failed > 0)
    parts.push_back(
        Note{fmt::format("{} failed; the first: {}", record.failed, record.points[points.size()].outcome.failure)});
  auto all = listing_of(record, "");
  all.name = "Best, default, worst and quantiles";
  const auto* usual = default_of(record);
  add_row(record, "best", points.front(), all);
  if (usual)
    add_row(record, "default", *usual, all);
  add_row(record, "worst", points.back(), all);
  for (const auto share : quantiles)
    add_row(record, fmt::format("{:.0f} %", 100 * share), quantile(points, share), all);
  parts.push_back(std::move(all));
  if (!points.front().outcome.step.empty() || !points.front().outcome.reason.empty())
    parts.push_back(Note{"what limits them"});
  add_reason(points.front(), "best", parts);
  if (usual)
    add_reason(*usual, "default", parts);
  add_reason(points.back(), "worst", parts);
  const auto best = std::min(shown, points.size());
  auto first = listing_of(record, fmt::format("the best {}", best));
  first.has_heading = false;
  for (std::size_t i = 0; i < best; ++i)
    add_row(record, std::to_string(i + 1), points[i], first);
  parts.push_back(std::move(first));
  add_launch_lines(record, parts);
  return parts;
}

ColumnsOf<SweepPoint> point_columns(const SweepRecord& record) {
  using Point = const SweepPoint&;
  const auto if_run = [](auto value) {
    return [value](Point point) { return point.outcome.failure.empty() ? Datum(value(point)) : Datum(); };
  };
  ColumnsOf<SweepPoint> columns{
      {"scenario", {}, {}, fixed(record.scenario)},
      {"platform", {}, {}, fixed(record.platform->name)},
      {"fabric", {}, {}, fixed(record.fabric)},
      {"place", right("place"), {}, [&](Point point) { return &point - record.points.data() + 1; }},
      {"", right("gain"), {0, Unit::change}, if_run([&](Point point) { return gain(record, point); })},
      {"time_us", right("time (us)"), {2}, if_run([](Point point) { return point.outcome.time; })},
      {"rate", right(record.rate_name), {2}, if_run([&](Point point) {
         return record.rate_name.empty() ? Datum() : Datum(point.outcome.rate);
       })},
      {"rate_unit", {}, {}, fixed(record.rate_name)},
      {"default", left("default"), {}, &SweepPoint::is_default}};
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    columns.push_back({record.fields[i], left(record.fields[i]), {}, [&, i](Point point) {
                         return record.values[point.variant][i];
                       }});
  const auto ranks = [&](Point point) {
    return Datum(fmt::format("{}", fmt::join(names_of(record, point), " "))).shown_as(placement_text(record, point));
  };
  const auto failure = left(record.failed > 0 ? "failure" : "");
  columns.insert(columns.end(),
                 {{"ranks", left("ranks"), {}, ranks},
                  {"slowest_step", left("slowest step"), {}, [](Point point) { return point.outcome.step; }},
                  {"reason", left("reason"), {}, [](Point point) { return point.outcome.reason; }},
                  {"failure", failure, {}, [](Point point) { return point.outcome.failure; }}});
  return columns;
}

// Writes a count as an integer, except a very large one.
Json whole(double count) {
  constexpr double largest_exact = 0x1p53;
  return count < largest_exact ? Json(static_cast<std::uint64_t>(count)) : Json(rounded(count));
}

Json tree_of(const SweepRecord& record, const SweepPoint& point) {
  Json json{{"default", point.is_default}};
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    json["fields"][record.fields[i]] = record.values[point.variant][i];
  json["ranks"] = names_of(record, point);
  if (!point.outcome.failure.empty()) {
    json["failure"] = point.outcome.failure;
    return json;
  }
  json["time_us"] = rounded_us(point.outcome.time);
  if (!record.rate_name.empty())
    json["rate"] = rounded(point.outcome.rate);
  add_if_any(json, "gain", gain(record, point));
  add_if_any(json, "slowest_step", point.outcome.step);
  json["reason"] = point.outcome.reason;
  return json;
}

Json tree_of(const SweepRecord& record) {
  const auto points = that_ran(record);
  Json method{{"name", record.method == SweepMethod::exhaustive ? "exhaustive" : "search"},
              {"candidates", whole(record.candidates)},
              {"run", record.points.size()}};
  if (record.method == SweepMethod::exhaustive) {
    method["distinct"] = record.distinct;
    method["pruned"] = record.pruned;
    method["not_run"] = record.not_run;
  } else {
    method["seed"] = record.seed;
  }
  add_if_any(method, "stopped", record.stopped);
  add_if_any(method, "proven_gap", record.gap);
  Json json{{"schema_version", 1},
            {"scenario", record.scenario},
            {"platform", record.platform->name},
            {"fabric", record.fabric},
            {"engine", record.engine},
            {"objective", name_of(objective_names, record.objective)},
            {"rate_is", record.rate_name},
            {"method", method}};
  json["ties"] = ties(record).size();
  if (!points.empty())
    json["best"] = tree_of(record, points.front());
  if (const auto* usual = default_of(record))
    json["default"] = tree_of(record, *usual);
  if (!points.empty())
    json["worst"] = tree_of(record, points.back());
  for (const auto share : points.empty() ? std::span<const double>() : std::span<const double>(quantiles))
    json["quantiles"][fmt::format("{:g}", share)] = tree_of(record, quantile(points, share));
  json["points"] = json_list(record.points, [&](const SweepPoint& point) { return tree_of(record, point); });
  return json;
}

} // namespace

Report report_of(const SweepRecord& record, std::size_t shown) {
  return {[&record, shown] { return parts_of(record, shown); },
          [&] { return sheet_of(point_columns(record), record.points); }, [&] { return tree_of(record); }};
}

} // namespace kakehashi
