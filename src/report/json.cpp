#include "report/report.hpp"
#include "report/summary_report.hpp"

#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema_version = 1; // of this output

Json to_json(const SizeRow& row) {
  Json json{{"bytes", row.size.count},
            {"repetitions", row.repetitions},
            {"t_min_us", rounded(in_microseconds(row.t_min))},
            {"t_max_us", rounded(in_microseconds(row.t_max))},
            {"t_avg_us", rounded(in_microseconds(row.t_avg))}};
  if (row.algorithm.empty())
    json["mbytes_per_s"] = rounded(row.bandwidth);
  else
    json["algorithm"] = row.algorithm;
  if (row.slowest_step)
    json["slowest_step"] = *row.slowest_step;
  if (row.measured)
    json["measured"] = *row.measured;
  if (row.error)
    json["error"] = rounded(*row.error);
  return json;
}

Json to_json(const ErrorSummary& summary) {
  return {{"points", summary.points},
          {"mean", rounded(summary.mean)},
          {"worst", rounded(summary.worst)},
          {"worst_bytes", summary.worst_size.count}};
}

Json to_json(const ReferenceUse& reference, const BenchmarkRecord& record) {
  Json json{{"file", reference.file},
            {"metric", reference.metric == Metric::time ? "us" : "mbytes_per_s"},
            {"use", name_of(curve_use_names, reference.use)}};
  if (const auto summary = summarise(record.rows))
    json["error"] = to_json(*summary);
  if (const auto summary = summarise(record.rows, Bytes{8}))
    json["error_from_8_bytes"] = to_json(*summary);
  return json;
}

Json to_json(const Repeats& repeats) {
  Json spreads = Json::array();
  for (const auto& spread : repeats.spreads)
    spreads.push_back({{"median_us", rounded(in_microseconds(spread.median))},
                       {"least_us", rounded(in_microseconds(spread.least))},
                       {"greatest_us", rounded(in_microseconds(spread.greatest))}});
  return {{"runs", repeats.runs}, {"spreads", spreads}};
}

Json ends_of(std::span<const Seconds> finish) {
  Json ends = Json::array();
  for (const auto end : finish)
    ends.push_back(rounded(in_microseconds(end)));
  return ends;
}

Json provenance(const RunRecord& record) {
  Json sources = Json::array();
  for (const auto& [place, source] : record.sources)
    sources.push_back({{"place", place}, {"kind", name_of(source_kind_names, source.kind)}, {"from", source.from}});
  Json json{{"program", "kakehashi " KAKEHASHI_VERSION}, {"engine", record.engine}};
  if (record.tolerance)
    json["tolerance"] = *record.tolerance;
  json["scenario_file"] = record.scenario_file;
  json["platform_file"] = record.platform_file;
  json["parameters"] = sources;
  return json;
}

} // namespace

void write_json(const RunRecord& record, std::ostream& out) {
  Json json{{"schema_version", schema_version}, {"scenario", record.scenario}, {"platform", record.platform},
            {"fabric", record.fabric},          {"ranks", record.ranks},       {"messages_simulated", record.messages},
            {"provenance", provenance(record)}};
  if (const auto* benchmark = std::get_if<BenchmarkRecord>(&record.outcome)) {
    json["benchmark"] = name_of(benchmark_names, benchmark->benchmark.name);
    json["bytes_per_megabyte"] = benchmark->benchmark.megabyte;
    if (record.reference)
      json["reference"] = to_json(*record.reference, *benchmark);
    json["rows"] = Json::array();
    for (const auto& row : benchmark->rows)
      json["rows"].push_back(to_json(row));
  } else if (const auto* work = std::get_if<BossWorkerRecord>(&record.outcome)) {
    json["rows"] = Json::array();
    for (const auto& row : work->rows)
      json["rows"].push_back({{"work_item", row.work_item},
                              {"items", row.items},
                              {"time_us", rounded(in_microseconds(row.time))},
                              {"items_per_s", rounded(row.items_per_second())}});
  } else if (const auto* replay = std::get_if<ReplayRecord>(&record.outcome)) {
    json["trace"] = replay->file;
    json["time_us"] = rounded(in_microseconds(record.duration));
    json["rank_ends_us"] = ends_of(replay->finish);
  } else {
    json["rank_ends_us"] = ends_of(std::get<StepsRecord>(record.outcome).finish);
  }
  if (record.repeats)
    json["repeats"] = to_json(*record.repeats);
  if (record.summary)
    json["summary"] = to_json(*record.summary);
  out << json.dump(2) << '\n';
}

} // namespace kakehashi
