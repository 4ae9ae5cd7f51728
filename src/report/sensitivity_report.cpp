#include "report/sensitivity_report.hpp"

#include "report/csv_form.hpp"
#include "report/number_form.hpp"

#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

std::string change_text(const std::optional<ScaledValue>& value) {
  return value ? signed_percent(value->change) : "-";
}

// The numbers that turn the verdict, those that move the value most first.
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

std::string most_text(const SensitivityRow& row) {
  const auto& most = row.effects.front();
  return most.parameter + (most.is_named ? " *" : "");
}

struct Widths {
  std::size_t platform = 12;
  std::size_t name = 34;
  std::size_t most = 52;
};

void write_row(const SensitivityRow& row, const Widths& widths, std::ostream& out) {
  fmt::print(out, "{:<{}} {:<{}} {:<10} {:<10} ", row.now.platform, widths.platform, row.now.name, widths.name,
             role_text(row.now.role), role_text(row.found));
  if (row.effects.empty()) {
    fmt::print(out, "{}\n", row.now.reason);
    return;
  }
  const auto& most = row.effects.front();
  fmt::print(out, "{:>9} {:>9}  {:<{}} {}\n", change_text(most.halved), change_text(most.doubled), most_text(row),
             widths.most, turned_text(row));
}

Json value_json(const std::optional<ScaledValue>& value) {
  if (!value)
    return nullptr;
  return {{"value", rounded(value->value)}, {"change", rounded(value->change)}, {"turns", value->turns}};
}

Json effects_json(const SensitivityRow& row) {
  Json effects = Json::array();
  for (const auto& effect : row.effects)
    effects.push_back({{"parameter", effect.parameter},
                       {"is_named", effect.is_named},
                       {"halved", value_json(effect.halved)},
                       {"doubled", value_json(effect.doubled)}});
  return effects;
}

void add_cells(const std::optional<ScaledValue>& value, std::vector<std::string>& cells) {
  if (value)
    cells.insert(cells.end(), {fmt::format("{:.6g}", value->value), fmt::format("{:.6g}", value->change),
                               value->turns ? "yes" : "no"});
  else
    cells.insert(cells.end(), {"", "", ""});
}

} // namespace

void write_table(const Sensitivity& sensitivity, std::ostream& out) {
  Widths widths;
  for (const auto& row : sensitivity.rows) {
    widths.platform = std::max(widths.platform, row.now.platform.size());
    widths.name = std::max(widths.name, row.now.name.size());
    widths.most = std::max(widths.most, row.effects.empty() ? 0 : most_text(row).size());
  }
  fmt::print(out, "{:<{}} {:<{}} {:<10} {:<10} {:>9} {:>9}  {:<{}} {}\n", "# platform", widths.platform,
             "curve or claim", widths.name, "role", "found", "x0.5", "x2", "what moves it most", widths.most,
             "turned by");
  for (const auto& row : sensitivity.rows)
    write_row(row, widths, out);
  for (const auto& row : sensitivity.rows)
    for (const auto& fault : row.faults)
      fmt::print(out, "# fault: {} {}: {}\n", row.now.platform, row.now.name, fault);
  out << "# *: its source names the line\n";
  fmt::print(out, "# {} lines, {} with faults; {} runs\n", sensitivity.rows.size(), sensitivity.faulty(),
             sensitivity.runs);
}

void write_csv(const Sensitivity& sensitivity, std::ostream& out) {
  out << "platform,name,role,found,parameter,is_named,halved,halved_change,halved_turns,doubled,doubled_change,"
         "doubled_turns\n";
  for (const auto& row : sensitivity.rows)
    for (const auto& effect : row.effects) {
      std::vector<std::string> cells{row.now.platform,
                                     row.now.name,
                                     std::string(role_text(row.now.role)),
                                     std::string(role_text(row.found)),
                                     effect.parameter,
                                     effect.is_named ? "yes" : "no"};
      add_cells(effect.halved, cells);
      add_cells(effect.doubled, cells);
      write_csv_line(cells, out);
    }
}

void write_json(const Sensitivity& sensitivity, std::ostream& out) {
  Json rows = Json::array();
  for (const auto& row : sensitivity.rows) {
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
    json["effects"] = effects_json(row);
    rows.push_back(std::move(json));
  }
  out << Json{{"schema_version", 1}, {"runs", sensitivity.runs}, {"faulty", sensitivity.faulty()}, {"rows", rows}}.dump(
             2)
      << '\n';
}

} // namespace kakehashi
