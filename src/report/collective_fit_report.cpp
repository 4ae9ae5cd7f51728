#include "report/report_parts.hpp"

#include "report/column.hpp"
#include "report/findings.hpp"
#include "writer/json_edit.hpp"
#include "writer/json_values.hpp"
#include "writer/platform_writer.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

std::string interval_text(const CollectiveField& field) {
  if (field.low.empty() && field.high.empty())
    return "";
  if (field.low.empty() || field.high.empty())
    return field.low.empty() ? fmt::format(" (at most {})", field.high) : fmt::format(" (at least {})", field.low);
  return fmt::format(" ({} to {})", field.low, field.high);
}

// Sets a number of a library: for one kind of device if the file states times by kind, or none.
std::string with_number(const std::string& text, const CollectiveField& field) {
  const auto json = Json::parse(text);
  const auto slash = field.limit.field.find('/');
  const auto root = field.limit.field.substr(0, slash), name = field.limit.field.substr(slash + 1);
  const auto source = source_with(json.value(root, Json::object()), name, field.limit.from);
  const bool is_by_kind = name == "copy" || name == "reduction";
  const auto kind = name_of(device_kind_names, field.kind);
  const bool has_unit = field.limit.value.find(' ') != std::string::npos;
  const Json value = has_unit ? Json(field.limit.value) : Json(std::stod(field.limit.value));
  const Json alone = is_by_kind ? Json{{kind, value}} : value;
  const auto library = Json::json_pointer() / root;
  if (!json.contains(root))
    return with_value(text, library, Json{{name, alone}, {"source", source}});
  const auto& numbers = json[root];
  const bool has_kinds = is_by_kind && numbers.contains(name) && numbers[name].is_object();
  const auto with = has_kinds ? with_value(text, library / name / std::string(kind), field.limit.value)
                              : with_value(text, library / name, numbers.contains(name) ? value : alone);
  return with_value(with, library / "source", source);
}

// Sets how often the cores copy each byte, by all rules by which they do.
std::string with_copies(const std::string& text, const CollectiveField& field) {
  auto result = text;
  for (const auto& name : field.fabrics) {
    const auto at = Json::json_pointer("/fabrics") / name;
    const auto fabric = Json::parse(text)[at];
    for (std::size_t i = 0; i < fabric["rules"].size(); ++i)
      if (fabric["rules"][i].value("moved_by_cores", fabric.value("moved_by_cores", false)))
        result = with_value(result, at / "rules" / i / "copies", static_cast<int>(field.limit.amount));
  }
  return result;
}

ColumnsOf<CollectiveLog> log_columns() {
  const Form error{1, Unit::share};
  return {{"name", left("log"), {}, [](const CollectiveLog& log) { return Datum(log.name); }},
          {"points", right("points", 6), {}, [](const CollectiveLog& log) { return Datum(log.points); }},
          {"before", right("before", 8), error, [](const CollectiveLog& log) { return Datum(log.before); }},
          {"after", right("after", 8), error, [](const CollectiveLog& log) { return Datum(log.after); }},
          {"held_out", right("held out", 9), error, [](const CollectiveLog& log) { return Datum(log.held_out); }}};
}

// A field that moves far stands for something that the model lacks, and so may one that makes a log worse.
std::vector<std::string> warnings_of(const CollectiveFit& fit) {
  constexpr double far = 2;
  constexpr double worse = 0.02;
  std::vector<std::string> warnings;
  for (const auto& field : fit.fields)
    if (field.obstacle.empty() && (field.change > far || field.change < 1 / far))
      warnings.push_back(
          fmt::format("{} is {:.1f} times what the platform had; it may stand for something else that is "
                      "missing, and hold for these logs only",
                      field.limit.field, field.change));
  for (const auto& log : fit.logs)
    if (log.after > log.before + worse)
      warnings.push_back(
          fmt::format("{} got worse: {:.1f} % before, {:.1f} % after", log.name, 100 * log.before, 100 * log.after));
  return warnings;
}

ReportParts parts_of(const CollectiveFit& fit) {
  const bool has_moved = std::ranges::any_of(fit.fields, [](const auto& field) { return field.obstacle.empty(); });
  ReportParts parts{
      Note{"collective operations, and their errors before and after; held out: by a fit that has not "
           "seen them"},
      listing_of("", log_columns(), fit.logs),
      Note{has_moved ? "what changed, and the range in which it lies in four of five cases" : "nothing moved"}};
  for (const auto& field : fit.fields)
    if (field.obstacle.empty())
      parts.push_back(Item{fmt::format("{:<18} {} to {}{}; {}", field.limit.field, field.before, field.limit.value,
                                       interval_text(field), field.limit.evidence)});
  for (const auto& field : fit.fields)
    if (!field.obstacle.empty())
      parts.push_back(Note{fmt::format("{} stays {}: {}", field.limit.field, field.before, field.obstacle)});
  for (const auto& warning : warnings_of(fit))
    parts.push_back(Note{"warning: " + warning});
  return parts;
}

Json tree_of(const CollectiveFit& fit) {
  Json json{{"schema_version", 1}, {"collectives", list_of(log_columns(), fit.logs)}, {"fields", Json::array()}};
  add_if_any(json, "warnings", warnings_of(fit));
  for (const auto& field : fit.fields) {
    auto& entry = json["fields"].emplace_back(
        Json{{"field", field.limit.field}, {"devices", field.limit.devices}, {"before", field.before}});
    if (!field.obstacle.empty()) {
      entry["stays"] = field.obstacle;
      continue;
    }
    entry["value"] = field.limit.value;
    add_if_any(entry, "low", field.low);
    add_if_any(entry, "high", field.high);
    entry["from"] = field.limit.from;
    entry["evidence"] = field.limit.evidence;
  }
  return json;
}

} // namespace

Report report_of(const CollectiveFit& fit) {
  return {[&] { return parts_of(fit); }, nullptr, [&] { return tree_of(fit); }};
}

std::string merge(const std::string& platform, const CollectiveFit& fit) {
  auto text = platform;
  for (const auto& field : fit.fields)
    if (field.limit.is_limit)
      text = !field.fabrics.empty()        ? with_copies(text, field)
             : field.limit.devices.empty() ? with_number(text, field)
                                           : merge(text, field.limit);
  const auto json = Json::parse(text);
  if (fit.release.empty() || (json.contains("gpu_library") && json["gpu_library"].contains("version")))
    return text;
  return json.contains("gpu_library")
             ? with_value(text, Json::json_pointer("/gpu_library/version"), fit.release)
             : with_value(text, Json::json_pointer("/gpu_library"), Json{{"version", fit.release}});
}

} // namespace kakehashi
