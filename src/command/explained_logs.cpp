#include "command/measurements.hpp"

#include "input/json/json_document.hpp"
#include "input/log/log_reader.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Whether the options place more than two ranks.
bool places_job(const ScenarioWords& words) {
  const auto is_pattern = [](const std::string& name) { return name.find_first_of("*[") != std::string::npos; };
  return words.per_device > 0 || words.count > 0 || words.per_node > 0 || !words.order.empty() ||
         !words.map_by.empty() || words.ranks.size() > 2 || std::ranges::any_of(words.ranks, is_pattern);
}

std::string known_name(const LogTable& table) {
  auto name = table.benchmark;
  std::ranges::replace(name, '_', '-');
  return name;
}

bool has_collective(const std::string& file) {
  const auto tables = read_logs(file);
  return tables && std::ranges::any_of(*tables, [](const LogTable& table) {
           const auto* kind = find_benchmark(known_name(table));
           return kind && kind->collective;
         });
}

bool has_gpu_table(const std::string& file) {
  const auto tables = is_log(file) ? read_logs(file) : Result<std::vector<LogTable>>(Errors{});
  return tables && std::ranges::any_of(*tables, [](const LogTable& table) {
           const auto* kind = find_benchmark(known_name(table));
           return kind && kind->gpu;
         });
}

// Returns the fabric that joins the ranks, if they are stated and the fabric is not.
Result<std::string> fabric_of_pair(const ScenarioArguments& options, const Streams& streams) {
  auto pair = options;
  if (!pair.words.fabric.empty() || pair.words.platform.empty() || pair.words.ranks.empty())
    return pair.words.fabric;
  pair.files.clear();
  pair.words.benchmark = "imb-pingpong";
  const auto scenario = scenario_of(pair, streams);
  return scenario ? Result<std::string>(scenario->fabric) : scenario.errors();
}

Result<ExplainedLogs> pair_logs(const ScenarioArguments& options, const std::vector<std::string>& logs,
                                const Streams& streams) {
  const auto& words = options.words;
  auto fabric = fabric_of_pair(options, streams);
  if (!fabric)
    return fabric.errors();
  MeasurementArguments arguments{options.files, logs, words.platform, std::move(*fabric), words.ranks, {}, "",
                                 words.sets};
  if (!words.benchmark.empty())
    arguments.benchmarks.push_back(words.benchmark);
  auto measured = read_measurements(arguments);
  if (!measured) {
    auto errors = measured.errors();
    if (std::ranges::any_of(options.files, has_collective))
      errors.push_back(usage_error("a collective operation needs --platform, --ranks and how its ranks were placed, "
                                   "such as --per-device 4"));
    return errors;
  }
  if (measured->scenarios.empty())
    return usage_error(mismatch("logs of many pairs of ranks", "at least one of two ranks"));
  for (const auto& scenario : measured->scenarios)
    if (scenario.fabric != measured->scenarios.front().fabric || scenario.ranks != measured->scenarios.front().ranks)
      return usage_error(mismatch("logs of several places", "those of one pair of ranks at a time"));
  return ExplainedLogs{std::move(measured->scenarios), std::move(measured->notes), !words.platform.empty()};
}

// A run of a job is long, and each fault needs one, so only some sizes are run: evenly spread, and including the last.
std::vector<CurvePoint> some_of(const std::vector<CurvePoint>& points) {
  constexpr std::size_t most = 8;
  if (points.size() <= most)
    return points;
  std::vector<CurvePoint> some;
  for (std::size_t i = 0; i < most; ++i)
    some.push_back(points[i * (points.size() - 1) / (most - 1)]);
  return some;
}

// Makes the scenario of a table as if options had stated it without a log.
Result<Scenario> job_scenario(const ScenarioArguments& options, const std::string& file, const std::string& benchmark,
                              const std::string& version, const Streams& streams) {
  auto job = options;
  job.files.clear();
  const bool is_of_gpus = find_benchmark(benchmark)->gpu.has_value();
  if (is_of_gpus && job.words.gpu_library.empty())
    job.words.gpu_library = version;
  job.words.benchmark = benchmark;
  auto scenario = scenario_of(job, streams);
  if (!scenario)
    return scenario;
  auto curve = read_reference(file, std::get<Benchmark>(scenario->workload), scenario->ranks.size());
  if (!curve)
    return curve.errors();
  std::erase_if(curve->points, [](const CurvePoint& point) { return point.value <= 0; });
  if (!is_of_gpus)
    curve->points = some_of(curve->points);
  std::vector<std::uint64_t> sizes;
  for (const auto& point : curve->points)
    sizes.push_back(point.size.count);
  scenario->workload = with_sizes(std::move(scenario->workload), sizes);
  scenario->name = curve->name;
  scenario->file = file;
  scenario->reference = Reference{std::move(*curve), CurveUse::prediction};
  return scenario;
}

Result<ExplainedLogs> job_logs(const ScenarioArguments& options, const Streams& streams) {
  ExplainedLogs found;
  found.is_known = true;
  for (const auto& file : options.files) {
    const auto tables = read_logs(file);
    if (!tables)
      return tables.errors();
    using Named = std::pair<std::string, std::string>; // with the version of a library
    std::vector<Named> benchmarks;                     // those that tables or an option name
    for (const auto& table : *tables) {
      const auto name = table.benchmark.empty() ? options.words.benchmark : known_name(table);
      const auto* kind = find_benchmark(name);
      if (!kind)
        found.notes.push_back(fmt::format("{}: passed over {}", file, name.empty() ? "a table without a title" : name));
      else if (kind->has_sizes() && std::ranges::find(benchmarks, kind->name, &Named::first) == benchmarks.end())
        benchmarks.emplace_back(kind->name, table.version);
    }
    Errors errors;
    const auto before = found.scenarios.size();
    for (const auto& [benchmark, version] : benchmarks)
      if (auto scenario = job_scenario(options, file, benchmark, version, streams))
        found.scenarios.push_back(std::move(*scenario));
      else
        append(errors, scenario.errors());
    if (found.scenarios.size() == before && !errors.empty())
      return errors;
  }
  if (found.scenarios.empty())
    return usage_error(mismatch("no table of a benchmark that is known", "one that `kakehashi list benchmarks` shows"));
  return found;
}

} // namespace

Result<ExplainedLogs> read_explained_logs(const ScenarioArguments& options, const std::vector<std::string>& logs,
                                          const Streams& streams) {
  const auto& words = options.words;
  if (!words.sizes.empty())
    return usage_error("--sizes does not go with logs, which have theirs");
  if (const bool has_gpus = std::ranges::any_of(options.files, has_gpu_table); !has_gpus && !places_job(words))
    return words.algorithm.empty() ? pair_logs(options, logs, streams)
                                   : usage_error("--algorithm does not go with logs of two ranks");
  if (words.platform.empty() || words.ranks.empty())
    return usage_error(words.platform.empty() ? "--platform is missing, on which the ranks were"
                                              : "--ranks is missing: the devices that the ranks were on");
  if (!logs.empty())
    return usage_error("--log does not go with options that place the ranks of a whole job");
  return job_logs(options, streams);
}

} // namespace kakehashi
