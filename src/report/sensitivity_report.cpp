// How much each line of the score depends on each number → a report.
#include "model/platform.hpp"
#include "report/findings.hpp"
#include "result/validation.hpp"
#include "writer/json_values.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

std::string change_text(const std::optional<ScaledValue>& value) {
  return value ? signed_percent(value->change) : "-";
}

// Returns the numbers that turn the verdict; those that change the value most come first.
std::vector<std::string> turned_by(const SensitivityRow& row) {
  std::vector<std::string> names;
  for (const auto& effect : row.effects) {
    if (effect.halved && effect.halved->turns)
      names.push_back(effect.parameter + " x0.5");
    if (effect.doubled && effect.doubled->turns)
      names.push_back(effect.parameter + " x2");
  }
  if (row.named_worse && row.named_worse->turns)
    names.push_back("all that name it, twice as bad");
  if (row.named_better && row.named_better->turns)
    names.push_back("all that name it, twice as good");
  if (row.combined && row.combined->turns)
    names.push_back(row.combination);
  return names;
}

std::string turned_text(const SensitivityRow& row) {
  const auto names = turned_by(row);
  if (names.empty())
    return row.now.verdict == Verdict::fail ? "nothing; it fails" : "nothing";
  return names.size() == 1 ? names.front() : fmt::format("{} and {} more", names.front(), names.size() - 1);
}

ListedRow listed(const SensitivityRow& row) {
  ListedRow cells{row.now.platform, row.now.name, role_text(row.now.role), role_text(row.found)};
  if (row.effects.empty()) {
    cells.push_back({row.now.reason, 4});
    return cells;
  }
  const auto& most = row.effects.front();
  cells.insert(cells.end(), {change_text(most.halved), change_text(most.doubled),
                             most.parameter + (most.is_named ? " *" : ""), turned_text(row)});
  return cells;
}

ReportParts parts_of(const Sensitivity& sensitivity) {
  Listing listing{"",
                  {left("platform", 12), left("curve or claim", 34), left("role", 10), left("found", 10),
                   right("x0.5", 9), right("x2", 9), left("what moves it most", 52, 2), left("turned by")},
                  {}};
  ReportParts faults;
  for (const auto& row : sensitivity.rows) {
    listing.rows.push_back(listed(row));
    for (const auto& fault : row.faults)
      faults.push_back(Note{fmt::format("fault: {} {}: {}", row.now.platform, row.now.name, fault)});
  }
  ReportParts parts{std::move(listing)};
  parts.insert(parts.end(), faults.begin(), faults.end());
  parts.push_back(Note{"*: its source names the line"});
  parts.push_back(Note{fmt::format("{} lines, {} with faults; {} runs", sensitivity.rows.size(), sensitivity.faulty(),
                                   sensitivity.runs)});
  return parts;
}

void add_cells(const std::optional<ScaledValue>& value, ListedRow& cells) {
  if (value)
    cells.insert(cells.end(), {fmt::format("{:.6g}", value->value), fmt::format("{:.6g}", value->change),
                               value->turns ? "yes" : "no"});
  else
    cells.insert(cells.end(), {"", "", ""});
}

// Makes a row for each line and number.
Sheet sheet_of(const Sensitivity& sensitivity) {
  Sheet sheet{{"platform", "name", "role", "found", "parameter", "is_named", "halved", "halved_change", "halved_turns",
               "doubled", "doubled_change", "doubled_turns"},
              {}};
  for (const auto& row : sensitivity.rows)
    for (const auto& effect : row.effects) {
      auto& cells =
          sheet.rows.emplace_back(ListedRow{row.now.platform, row.now.name, role_text(row.now.role),
                                            role_text(row.found), effect.parameter, effect.is_named ? "yes" : "no"});
      add_cells(effect.halved, cells);
      add_cells(effect.doubled, cells);
    }
  return sheet;
}

Json value_json(const std::optional<ScaledValue>& value) {
  if (!value)
    return nullptr;
  return {{"value", rounded(value->value)}, {"change", rounded(value->change)}, {"turns", value->turns}};
}

Json tree_of(const SensitivityRow& row) {
  Json json{{"platform", row.now.platform},
            {"name", row.now.name},
            {"role", row.now.role ? Json(role_text(row.now.role)) : Json()},
            {"found", row.found ? Json(role_text(row.found)) : Json()},
            {"verdict", name_of(verdict_names, row.now.verdict)}};
  if (row.now.value)
    json["value"] = rounded(*row.now.value);
  else if (row.now.points > 0)
    json["mean"] = rounded(row.now.mean);
  if (row.named_worse)
    json["named_worse"] = value_json(row.named_worse);
  if (row.named_better)
    json["named_better"] = value_json(row.named_better);
  json["turned_by"] = turned_by(row);
  if (row.combined)
    json["combined"] = value_json(row.combined);
  json["faults"] = row.faults;
  json["effects"] = json_list(row.effects, [](const SensitivityEffect& effect) {
    return Json{{"parameter", effect.parameter},
                {"is_named", effect.is_named},
                {"halved", value_json(effect.halved)},
                {"doubled", value_json(effect.doubled)}};
  });
  return json;
}

Json tree_of(const Sensitivity& all) {
  return {{"schema_version", 1},
          {"runs", all.runs},
          {"faulty", all.faulty()},
          {"rows", json_list(all.rows, [](const SensitivityRow& row) { return tree_of(row); })}};
}

} // namespace

Report report_of(const Sensitivity& all) {
  return {[&] { return parts_of(all); }, [&] { return sheet_of(all); }, [&] { return tree_of(all); }};
}

} // namespace kakehashi
