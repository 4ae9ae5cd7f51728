#include "report/report_parts.hpp"

#include "base/text.hpp"
#include "report/column.hpp"
#include "report/findings.hpp"
#include "writer/json_edit.hpp"
#include "writer/json_values.hpp"
#include "writer/platform_writer.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

Json to_json(const std::vector<Regime>& regimes) {
  return json_list(regimes, [](const Regime& regime) { return to_json(regime); });
}

std::string outliers_text(const CalibratedCurve& curve) {
  std::vector<std::string> sizes;
  for (const auto size : curve.outliers)
    sizes.push_back(to_text(size));
  return fmt::format("{}", fmt::join(sizes, ", "));
}

ColumnsOf<CalibratedCurve> curve_columns() {
  return {{"name", left("curve", 34), {}, &CalibratedCurve::name},
          {"points", right("points", 6), {}, &CalibratedCurve::points},
          {"mean", right("mean", 8), {1, Unit::share}, &CalibratedCurve::mean},
          {"worst", right("worst", 8), {1, Unit::share}, &CalibratedCurve::worst},
          {"worst_bytes", left("at", 10), {0, Unit::size}, &CalibratedCurve::worst_size},
          {"cross_validated", right("cross-validated", 15), {1, Unit::share}, &CalibratedCurve::cross_validated}};
}

Json to_json(const CalibratedCurve& curve) {
  auto json = tree_of(picked(curve_columns(), {"name", "points", "mean", "worst", "worst_bytes"}), curve);
  for (const auto& size : curve.outliers)
    json["outlier_bytes"].push_back(size.count);
  add_if_any(json, "cross_validated", curve.cross_validated);
  return json;
}

Listing curves_of(std::span<const CalibratedCurve> curves) {
  auto listing = heads_of("", curve_columns());
  listing.name = "Errors of the fit";
  for (const auto& curve : curves) {
    listing.rows.push_back(cells_of(curve_columns(), curve));
    if (!curve.outliers.empty())
      listing.rows.push_back(
          {in_tone({"  more than 25 % off at " + outliers_text(curve), listing.heads.size()}, Tone::remark)});
  }
  return listing;
}

ColumnsOf<CalibratedParameter> parameter_columns() {
  using Parameter = const CalibratedParameter&;
  return {
      {"regime", {}, {}, &CalibratedParameter::regime},
      {"name", left("parameter", 36), {}, [](Parameter each) { return Datum(each.name).shown_as("  " + each.name); }},
      {"unit", left("unit", 5), {}, &CalibratedParameter::unit},
      {"value", right("value", 10), {0, Unit::rounded}, &CalibratedParameter::value},
      {"low", {}, {}, &CalibratedParameter::low},
      {"high", {}, {}, &CalibratedParameter::high},
      {"", left("range"), {}, [](Parameter each) {
         return Datum(fmt::format("({} to {})", four_digits(each.low), four_digits(each.high)));
       }}};
}

Json tree_of(const CalibrationRecord& record, const std::string& fabric) {
  Json json{{"schema_version", 1}, {"fabric", fabric}};
  if (record.scope)
    json["scope"] = name_of(scope_names, *record.scope);
  json["points"] = record.points;
  json["parameters"] = record.free_parameters;
  for (std::size_t c = 0; c < record.regimes.size(); ++c)
    json["rules"].push_back({{"rule", record.rules.empty() ? c : record.rules[c]},
                             {"source", to_json(record.regimes[c].front().source)},
                             {"regimes", to_json(record.regimes[c])}});
  for (const auto& curve : record.curves)
    json["curves"].push_back(to_json(curve));
  if (!record.parameters.empty())
    json["spread"] = list_of(parameter_columns(), record.parameters);
  json["warnings"] = record.warnings;
  add_if_any(json, "disagreement_with_simulation", record.disagreement);
  return json;
}

// Lists the parameters of a regime, each with its range.
Listing parameters_of(const CalibrationRecord& record, std::size_t number) {
  const auto& regime = record.regimes.front()[number];
  const auto columns = picked(parameter_columns(), {"name", "value", "unit", "range"});
  auto listing = heads_of(fmt::format("regime {}: {} to {}, {}", number, to_text(regime.from),
                                      regime.to ? "below " + to_text(*regime.to) : "any size",
                                      regime.trips == 1 ? "1 trip" : fmt::format("{} trips", regime.trips)),
                          columns);
  listing.has_heading = false;
  for (const auto& each : record.parameters)
    if (each.regime == number)
      listing.rows.push_back(cells_of(columns, each));
  return listing;
}

ReportParts parts_of(const CalibrationRecord& record, const std::string& fabric) {
  const auto& regimes = record.regimes.front();
  ReportParts parts{Note{fmt::format("fabric {}{}: {}, {} for {}", fabric,
                                     record.scope ? fmt::format(", {}", name_of(scope_names, *record.scope)) : "",
                                     counted(regimes.size(), "regime"), counted(record.free_parameters, "parameter"),
                                     counted(record.points, "point"))},
                    curves_of(record.curves)};
  if (record.disagreement)
    parts.push_back(Note{fmt::format("the best correction by simulation changed no point by more than {:.2f} %",
                                     100 * *record.disagreement)});
  parts.push_back(Note{"parameters, and the ranges in which they lie in four of five cases"});
  for (std::size_t number = 0; number < regimes.size(); ++number)
    if (auto listing = parameters_of(record, number); !listing.rows.empty())
      parts.push_back(std::move(listing));
  for (const auto& warning : record.warnings)
    parts.push_back(Note{"warning: " + warning});
  return parts;
}

Json tree_of(const TunedAdjustments& tuned, const std::string& fabric) {
  Json json{{"schema_version", 1}, {"fabric", fabric}};
  for (std::size_t i = 0; i < tuned.indices.size(); ++i) {
    auto& entry = json["adjustments"].emplace_back(Json{{"index", tuned.indices[i]}});
    entry.update(to_json(tuned.adjustments[i]));
  }
  for (const auto& curve : tuned.curves)
    json["curves"].push_back(to_json(curve));
  return json;
}

ReportParts parts_of(const TunedAdjustments& tuned, const std::string& fabric) {
  std::size_t points = 0;
  for (const auto& curve : tuned.curves)
    points += curve.points;
  ReportParts parts{Note{fmt::format("fabric {}: {} for {}", fabric, counted(tuned.indices.size(), "adjustment"),
                                     counted(points, "point"))},
                    curves_of(tuned.curves)};
  for (std::size_t i = 0; i < tuned.indices.size(); ++i) {
    const auto& adjustment = tuned.adjustments[i];
    const auto protocol = adjustment.protocol ? fmt::format(", {}", name_of(protocol_names, *adjustment.protocol)) : "";
    parts.push_back(Note{fmt::format("adjustment {}: at each crossing of {}{}", tuned.indices[i],
                                     name_of(adjustment.crosses), protocol)});
    const auto amounts = amounts_of(adjustment);
    for (const auto& [name, amount] : amounts.items())
      parts.push_back(
          Item{fmt::format("{:<26} {}", name, amount.is_string() ? amount.get<std::string>() : amount.dump())});
  }
  return parts;
}

ReportParts parts_of(std::span<const SharedLimit> limits) {
  ReportParts parts{Note{"what pairs of ranks share"}};
  for (const auto& limit : limits) {
    const auto place = limit.devices.empty() ? "" : fmt::format(" of {}", fmt::join(limit.devices, ", "));
    if (limit.is_limit)
      parts.push_back(Item{
          fmt::format("\"{}\": \"{}\"{}, from {}: {}", limit.field, limit.value, place, limit.from, limit.evidence)});
    else
      parts.push_back(Note{fmt::format("{}{} is at least {}, from {}: {}", limit.field, place, limit.value, limit.from,
                                       limit.evidence)});
  }
  return parts;
}

Json tree_of(std::span<const SharedLimit> limits) {
  return {{"schema_version", 1}, {"limits", json_list(limits, [](const SharedLimit& limit) {
                                    return Json{{"devices", limit.devices}, {"field", limit.field},
                                                {"value", limit.value},     {"is_limit", limit.is_limit},
                                                {"from", limit.from},       {"evidence", limit.evidence}};
                                  })}};
}

} // namespace

Report report_of(const CalibrationRecord& record, const std::string& fabric) {
  return {[&] { return parts_of(record, fabric); }, nullptr, [&] { return tree_of(record, fabric); }};
}
Report report_of(const TunedAdjustments& tuned, const std::string& fabric) {
  return {[&] { return parts_of(tuned, fabric); }, nullptr, [&] { return tree_of(tuned, fabric); }};
}
Report report_of(const std::vector<SharedLimit>& limits) {
  return {[&] { return parts_of(limits); }, nullptr, [&] { return tree_of(limits); }};
}

std::string merge(const std::string& platform, const RuleSplit& split) {
  const auto rules = Json::json_pointer("/fabrics") / split.fabric / "rules";
  const auto rule = Json::parse(platform)[rules][split.rule];
  auto text = platform;
  for (std::size_t i = 0; i < split.scopes.size(); ++i) {
    Json own{{"scope", name_of(scope_names, split.scopes[i])}};
    own.update(rule);
    if (split.scopes[i] == Scope::inside_device)
      own["moved_by_cores"] = true;
    text = with_element(text, rules, split.rule + i, own);
  }
  return text;
}

std::string merge(const std::string& platform, const std::string& fabric, const CalibrationRecord& record) {
  auto text = platform;
  for (std::size_t c = 0; c < record.regimes.size(); ++c) {
    const auto rule = Json::json_pointer("/fabrics") / fabric / "rules" / record.rules[c];
    text = with_value(text, rule / "source", to_json(record.regimes[c].front().source));
    text = with_value(text, rule / "regimes", to_json(record.regimes[c]));
  }
  return text;
}

std::string merge(const std::string& platform, const std::string& fabric, const TunedAdjustments& tuned) {
  auto text = platform;
  for (std::size_t i = 0; i < tuned.indices.size(); ++i) {
    const auto entry = Json::json_pointer("/fabrics") / fabric / "adjustments" / tuned.indices[i];
    const auto amounts = amounts_of(tuned.adjustments[i]);
    for (const auto& [name, amount] : amounts.items())
      text = with_value(text, entry / name, amount);
    text = with_value(text, entry / "source", to_json(tuned.adjustments[i].source));
  }
  return text;
}

bool can_be_merged(const SharedLimit& limit) {
  return limit.is_limit && !limit.devices.empty() && std::ranges::any_of(fields_of<Device>(), [&](const auto& field) {
           return field.name == limit.field.substr(0, limit.field.find('/'));
         });
}

namespace {

// Returns the template of a node; if nodes are named by range, that of the only template.
std::optional<std::string> template_of(const Json& json, const std::string& node) {
  if (json.contains("tofu"))
    return json["tofu"]["node"].get<std::string>();
  if (json["nodes"].contains(node))
    return json["nodes"][node].get<std::string>();
  if (json["templates"].size() == 1)
    return json["templates"].begin().key();
  return std::nullopt;
}

// A rate of messages is a plain number. If a field's object is missing, it is added with the field.
std::string with_limit(const std::string& text, const Json& device, const Json::json_pointer& place,
                       const SharedLimit& limit) {
  const auto value = limit.field == "message_rate" ? Json(std::round(limit.amount)) : Json(limit.value);
  const auto slash = limit.field.find('/');
  const auto object = limit.field.substr(0, slash);
  if (slash == std::string::npos)
    return with_value(text, place / limit.field, value);
  const auto inner = limit.field.substr(slash + 1);
  const auto source = source_with(device.value(object, Json::object()), inner, limit.from);
  if (!device.contains(object))
    return with_value(text, place / object, Json{{inner, value}, {"source", source}});
  return with_value(with_value(text, place / object / inner, value), place / object / "source", source);
}

} // namespace

std::string merge(const std::string& platform, const SharedLimit& limit) {
  auto text = platform;
  for (const auto& name : limit.devices) {
    const auto json = Json::parse(text);
    const auto dot = name.find('.');
    const auto node = name.substr(0, dot);
    Json::json_pointer list("/devices");
    if (dot < name.size()) {
      const auto made_of = template_of(json, node);
      if (!made_of)
        continue;
      list = Json::json_pointer("/templates") / *made_of / "devices";
    }
    const auto local = name.substr(dot < name.size() ? dot + 1 : 0);
    for (std::size_t i = 0; i < json[list].size(); ++i)
      if (json[list][i]["name"] == local)
        text = with_limit(text, json[list][i], list / i, limit);
  }
  return text;
}

} // namespace kakehashi
