#include "report/report_parts.hpp"
#include "writer/json_values.hpp"

#include <array>

namespace kakehashi {
namespace {

constexpr std::array<std::string_view, 2> metric_names{"us", "mbytes_per_s"};
constexpr int schema_version = 2; // the version of this output: in version 1 mbytes_per_s was in the benchmark's MB

Json to_json(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell))
    return rounded(*number);
  return std::visit([](const auto& value) { return Json(value); }, cell);
}

Json to_json(const LikelyRange& range) {
  return {{"low", rounded(range.low)}, {"high", rounded(range.high)}};
}

// Explains low and high, and gives those of the end if the run has no rows.
Json range_of(const RunRecord& record) {
  Json json{{"share", likely_share},
            {"metric", name_of(metric_names, metric_of(record))},
            {"assumed_rules", name_of(assumed_rules_names, record.assumed)}};
  if (!record.table.list.empty())
    json.update(to_json(range_of(record, 0)));
  return json;
}

Json rows_of(const RunRecord& record) {
  const auto& table = record.table;
  Json rows = Json::array();
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    Json json;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      json[table.columns[column].name] = to_json(table.rows[row][column]);
    if (record.reference) {
      const auto& value = record.measured[row];
      if (value.measured)
        json["measured"] = *value.measured;
      add_if_any(json, "error", value.error);
    }
    if (row < record.likely.size())
      json.update(to_json(range_of(record, row)));
    rows.push_back(std::move(json));
  }
  return rows;
}

// Lists only the last column.
Json list_of(const Table& table) {
  return json_list(table.rows, [](const auto& row) { return to_json(row.back()); });
}

Json to_json(const ErrorSummary& summary) {
  return {{"points", summary.points},
          {"mean", rounded(summary.mean)},
          {"worst", rounded(summary.worst)},
          {"worst_bytes", summary.worst_size.count}};
}

Json to_json(const ReferenceUse& reference, std::span<const MeasuredValue> measured) {
  Json json{{"file", reference.file},
            {"metric", name_of(metric_names, reference.metric)},
            {"use", name_of(curve_use_names, reference.use)}};
  if (const auto summary = summarise(measured))
    json["error"] = to_json(*summary);
  if (const auto summary = summarise(measured, Bytes{8}))
    json["error_from_8_bytes"] = to_json(*summary);
  return json;
}

Json to_json(const Repeats& repeats) {
  return {{"runs", repeats.runs}, {"spreads", json_list(repeats.spreads, [](const Spread& spread) {
                                     return Json{{"median_us", rounded_us(spread.median)},
                                                 {"least_us", rounded_us(spread.least)},
                                                 {"greatest_us", rounded_us(spread.greatest)}};
                                   })}};
}

Json provenance(const RunRecord& record) {
  Json json{{"program", "kakehashi " KAKEHASHI_VERSION}, {"engine", record.engine}};
  if (record.tolerance)
    json["tolerance"] = *record.tolerance;
  if (record.rounds_left_out > 0)
    json["rounds_left_out"] = record.rounds_left_out;
  for (const auto& row : record.out_of_step)
    json["out_of_step"].push_back({{"bytes", row.size.count},
                                   {"noise", row.noise},
                                   {"times_as_long", rounded(row.times_as_long)},
                                   {"printed", row.with_noise ? "with noise" : "in step"}});
  add_if_any(json, "what_if", record.what_if);
  json["scenario_file"] = record.scenario_file;
  json["platform_file"] = record.platform_file;
  json["parameters"] = json_list(record.sources, [](const ParameterSource& each) {
    return Json{
        {"place", each.place}, {"kind", name_of(source_kind_names, each.source.kind)}, {"from", each.source.from}};
  });
  return json;
}

} // namespace

Json tree_of(const RunRecord& record) {
  Json json{{"schema_version", schema_version}, {"scenario", record.scenario}, {"platform", record.platform},
            {"fabric", record.fabric},          {"ranks", record.ranks},       {"messages_simulated", record.messages},
            {"provenance", provenance(record)}};
  for (const auto& total : record.table.totals)
    json[total.column.name] = to_json(total.value);
  if (record.reference)
    json["reference"] = to_json(*record.reference, record.measured);
  json["range"] = range_of(record);
  if (record.table.list.empty())
    json["rows"] = rows_of(record);
  else
    json[record.table.list] = list_of(record.table);
  if (record.repeats)
    json["repeats"] = to_json(*record.repeats);
  if (record.summary)
    json["summary"] = to_json(*record.summary);
  if (record.table.calls)
    json["calls"] = to_json(*record.table.calls);
  return json;
}

} // namespace kakehashi
