// The score of all curves and claims → a report.
#include "base/text.hpp"
#include "model/platform.hpp"
#include "report/column.hpp"
#include "report/findings.hpp"
#include "result/validation.hpp"
#include "writer/json_values.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

std::string bounds_text(const ValidationRow& row) {
  return std::isinf(row.high) ? fmt::format("from {:g} on", row.low) : fmt::format("[{:g}, {:g}]", row.low, row.high);
}

struct RoleTotal {
  std::size_t hold = 0;
  std::size_t fail = 0;
  std::size_t pending = 0;
};

RoleTotal total_of(const Validation& validation, const std::optional<Role>& role) {
  return {validation.count(Verdict::pass, role),
          validation.count(Verdict::fail, role) + validation.count(Verdict::miss, role),
          validation.count(Verdict::pending, role)};
}

// Adds "prediction: 13 of 13 hold, 3 pending".
void add_total(const Validation& all, const std::optional<Role>& role, std::string_view name, ReportParts& parts) {
  const auto [hold, fail, pending] = total_of(all, role);
  if (hold + fail + pending > 0)
    parts.push_back(Note{fmt::format("{}: {} of {} hold{}", name, hold, hold + fail,
                                     pending > 0 ? fmt::format(", {} pending", pending) : "")});
}

Tone tone_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::pass: return Tone::good;
  case Verdict::miss: return Tone::fair;
  case Verdict::fail: return Tone::bad;
  default: return Tone::plain;
  }
}

ListedRow listed(const ValidationRow& row) {
  ListedRow cells{row.platform, row.name, role_text(row.role)};
  if (row.points > 0)
    cells.insert(cells.end(), {row.points, percent_text(row.mean), percent_text(row.worst), to_text(row.worst_size),
                               row.target ? percent_text(*row.target) : "-"});
  else if (row.value)
    cells.insert(cells.end(), {{four_digits(*row.value), 3}, {bounds_text(row), 2}});
  else
    cells.push_back({"", 5});
  const auto verdict = name_of(verdict_names, row.verdict);
  cells.push_back(in_tone(fmt::format("{}{}{}{}", verdict, row.reason.empty() ? "" : ": " + row.reason,
                                      row.is_implied ? " (implied, not stated)" : "",
                                      !row.repeats.empty() ? " (repeats " + row.repeats + ")"
                                      : row.is_stiff       ? " (stiff)"
                                                           : ""),
                          tone_of(row.verdict), verdict.size()));
  return cells;
}

ReportParts parts_of(const Validation& all) {
  Listing listing{"",
                  {left("platform", 12), left("curve or claim", 34), left("role", 10), right("points", 6),
                   right("mean", 8), right("worst", 8), left("at", 10), right("target", 9), left("verdict", 0, 2)},
                  {}};
  for (const auto& row : all.rows)
    listing.rows.push_back(listed(row));
  ReportParts parts{std::move(listing)};
  for (std::size_t role = 0; role < role_names.size(); ++role)
    add_total(all, static_cast<Role>(role), role_names[role], parts);
  add_total(all, std::nullopt, "no role declared", parts);
  const auto add_others = [&](std::string_view what, auto count) {
    const auto hold = count(Verdict::pass);
    if (const auto others = hold + count(Verdict::miss) + count(Verdict::fail); others > 0)
      parts.push_back(Note{fmt::format("{}, not counted above: {} of {} hold", what, hold, others)});
  };
  add_others("stiff lines, which no number within a factor of ten turns",
             [&](Verdict verdict) { return all.count_stiff(verdict); });
  add_others("repeats of other lines", [&](Verdict verdict) { return all.count_repeats(verdict); });
  parts.push_back(Note{fmt::format("{} pass, {} fail, {} known to be missed, {} pending, {} without a target",
                                   all.count(Verdict::pass), all.count(Verdict::fail), all.count(Verdict::miss),
                                   all.count(Verdict::pending), all.count(Verdict::shown))});
  return parts;
}

// Curves have points, and claims have bounds.
ColumnsOf<ValidationRow> row_columns() {
  using Row = const ValidationRow&;
  const auto of_curve = [](auto member) {
    return [=](Row row) { return row.points > 0 ? Datum(row.*member) : Datum(); };
  };
  const auto of_claim = [](auto value) { return [=](Row row) { return row.points > 0 ? Datum() : value(row); }; };
  return {{"platform", left("platform"), {}, &ValidationRow::platform},
          {"fabric", {}, {}, &ValidationRow::fabric},
          {"name", left("name"), {}, &ValidationRow::name},
          {"role", left("role"), {}, [](Row row) { return row.role ? role_text(row.role) : std::string_view(); }},
          {"kind", left("kind"), {}, &ValidationRow::kind},
          {"points", right("points"), {}, of_curve(&ValidationRow::points)},
          {"mean", right("mean"), {1, Unit::share}, of_curve(&ValidationRow::mean)},
          {"worst", right("worst"), {1, Unit::share}, of_curve(&ValidationRow::worst)},
          {"worst_bytes", right("at"), {0, Unit::size}, of_curve(&ValidationRow::worst_size)},
          {"target", right("target"), {1, Unit::share, "{}"}, of_curve(&ValidationRow::target)},
          {"from_bytes", {}, {}, of_curve(&ValidationRow::from)},
          {"value", right("value"), {0, Unit::rounded, "{:.6g}"}, of_claim([](Row row) { return Datum(row.value); })},
          {"low", right("low"), {0, Unit::rounded, "{}"}, of_claim([](Row row) { return Datum(row.low); })},
          {"high", right("high"), {0, Unit::rounded, "{}"}, of_claim([](Row row) {
             return std::isinf(row.high) ? Datum() : Datum(row.high);
           })},
          {"verdict", left("verdict"), {}, [](Row row) { return name_of(verdict_names, row.verdict); }},
          {"reason", left("reason"), {}, &ValidationRow::reason},
          {"implied", left("implied"), {}, &ValidationRow::is_implied},
          {"repeats", left("repeats"), {}, &ValidationRow::repeats},
          {"stiff", left("stiff"), {}, &ValidationRow::is_stiff}};
}

Json tree_of(const ValidationRow& row) {
  Json json{{"platform", row.platform}, {"fabric", row.fabric},
            {"name", row.name},         {"role", row.role ? Json(role_text(row.role)) : Json()},
            {"kind", row.kind},         {"verdict", name_of(verdict_names, row.verdict)}};
  add_if_any(json, "reason", row.reason);
  add_if_any(json, "repeats", row.repeats);
  if (row.points > 0) {
    json.update({{"points", row.points},
                 {"mean", rounded(row.mean)},
                 {"worst", rounded(row.worst)},
                 {"worst_bytes", row.worst_size.count},
                 {"from_bytes", row.from.count}});
    if (row.target)
      json["target"] = *row.target;
  } else if (row.kind == "claim") {
    add_if_any(json, "value", row.value);
    json["implied"] = row.is_implied;
    json["stiff"] = row.is_stiff;
    json["between"] = {row.low, std::isinf(row.high) ? Json() : Json(row.high)};
  }
  return json;
}

Json tree_of(const Validation& all) {
  Json roles = Json::object();
  for (std::size_t role = 0; role < role_names.size(); ++role) {
    const auto [hold, fail, pending] = total_of(all, static_cast<Role>(role));
    roles[std::string(role_names[role])] = {{"hold", hold}, {"fail", fail}, {"pending", pending}};
  }
  return {{"schema_version", 1},
          {"pass", all.count(Verdict::pass)},
          {"fail", all.count(Verdict::fail)},
          {"missed", all.count(Verdict::miss)},
          {"pending", all.count(Verdict::pending)},
          {"without_target", all.count(Verdict::shown)},
          {"roles", roles},
          {"rows", json_list(all.rows, [](const ValidationRow& row) { return tree_of(row); })}};
}

} // namespace

Report report_of(const Validation& all) {
  return {[&] { return parts_of(all); }, [&] { return sheet_of(row_columns(), all.rows); },
          [&] { return tree_of(all); }};
}

} // namespace kakehashi
