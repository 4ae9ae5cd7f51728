#include "command/measurements.hpp"

#include "base/number.hpp"
#include "input/log/log_reader.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/edits.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>

namespace kakehashi {
namespace {

constexpr std::size_t fewest_sizes = 4; // two for a fit and two that are held out

struct CollectiveLogFile {
  std::size_t nodes = 0;
  std::size_t per_node = 0;
  std::string algorithm; // empty: the library's choice
  std::string file;

  std::size_t ranks() const { return nodes * per_node; }
};

// Reads "2x64=FILE" or "2x64:ring=FILE"; nothing if it has another form.
std::optional<CollectiveLogFile> collective_log_file(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size())
    return std::nullopt;
  const auto where = text.substr(0, equals);
  const auto colon = where.find(':');
  const auto cross = where.find('x');
  if (cross >= colon || (colon != std::string::npos && colon + 1 == where.size()))
    return std::nullopt;
  constexpr std::size_t most = 100000;
  const auto count = [&](std::size_t begin, std::size_t end) {
    const auto number = number_in<std::size_t>(std::string_view(where).substr(begin, end - begin));
    return number && *number <= most ? *number : 0;
  };
  CollectiveLogFile log{count(0, cross), count(cross + 1, std::min(colon, where.size())),
                        colon == std::string::npos ? "" : where.substr(colon + 1), text.substr(equals + 1)};
  return log.ranks() == 0 ? std::nullopt : std::optional(log);
}

// Returns the CPUs of the first nodes that have CPUs, or so many GPUs of the first that have these. Errors: there are
// too few such nodes.
Result<std::vector<std::string>> places_of(const Platform& platform, const CollectiveLogFile& log, bool is_of_gpus) {
  std::map<std::size_t, std::vector<std::string>> found; // by node
  for (const auto& device : platform.devices)
    if (device.node && device.kind == (is_of_gpus ? DeviceKind::gpu : DeviceKind::cpu))
      found[*device.node].push_back(device.name);
  if (is_of_gpus)
    std::erase_if(found, [&](const auto& node) { return node.second.size() < log.per_node; });
  if (found.size() < log.nodes)
    return usage_error("--collective: " +
                       mismatch(fmt::format("{}x{}={}", log.nodes, log.per_node, log.file),
                                fmt::format("at most {}, since {} has no more with {}", counted(found.size(), "node"),
                                            platform.file, is_of_gpus ? counted(log.per_node, "GPU") : "a cpu")));
  std::vector<std::string> names;
  for (auto node = found.begin(); log.nodes > 0 && node != std::next(found.begin(), static_cast<int>(log.nodes));
       ++node)
    names.insert(names.end(), node->second.begin(),
                 is_of_gpus ? node->second.begin() + static_cast<int>(log.per_node) : node->second.end());
  return names;
}

// Returns the benchmark of a table, if it is a collective operation with sizes, or Sendrecv or Exchange of all ranks.
const BenchmarkKind* collective_of(const LogTable& table) {
  auto name = table.benchmark;
  std::ranges::replace(name, '_', '-'); // IMB prints Reduce_scatter
  const auto* kind = find_benchmark(name);
  const bool is_of_all =
      kind && (kind->collective || kind->gpu || kind->test == TestForm::sendrecv || kind->test == TestForm::exchange);
  return is_of_all && kind->has_sizes() && kind->metric == Metric::time ? kind : nullptr;
}

Result<Curve> usable_curve(const LogTable& table, std::size_t ranks) {
  auto curve = curve_of(table, Metric::time, ranks);
  if (!curve)
    return curve;
  std::erase_if(curve->points, [](const CurvePoint& point) { return point.size.count == 0 || point.value <= 0; });
  if (curve->points.size() < fewest_sizes)
    return input_error(
        table.file, fmt::format("line {}", table.line),
        mismatch(fmt::format("{} of {} above 0 B", table.benchmark, counted(curve->points.size(), "size")),
                 fmt::format("at least {}, half of which are held out", fewest_sizes)));
  return curve;
}

// Makes the scenario that `simulate` would make of these options, on the platform's text. `kind` is null for a
// recording.
Result<Scenario> stated_scenario_of(const MeasurementArguments& options, const std::string& platform,
                                    const CollectiveLogFile& log, const BenchmarkKind* kind, const std::string& release,
                                    const std::vector<std::string>& devices) {
  ScenarioWords words;
  words.platform = platform_of(options);
  words.fabric = options.fabric;
  std::ranges::replace(words.fabric, ',', '+');
  words.benchmark = kind ? kind->name : "";
  words.algorithm = log.algorithm;
  words.ranks = devices;
  words.gpu_library = release;
  if (!kind || !kind->gpu) {
    words.map_by = options.map_by.empty() ? "core" : options.map_by;
    words.count = static_cast<int>(log.ranks());
    words.per_node = static_cast<int>(log.per_node);
  }
  for (const auto& set : options.sets)
    words.sets.push_back(set.starts_with(platform_prefix) ? set : std::string(platform_prefix) + set);
  const auto edits = edits_of(words, {{words.platform, platform}});
  return edits ? read_scenario(kind ? "" : log.file, *edits) : edits.errors();
}

Result<std::vector<Scenario>> scenarios_of(const MeasurementArguments& options, const std::string& text,
                                           const Platform& platform, const CollectiveLogFile& log) {
  if (std::filesystem::is_directory(log.file)) {
    const auto devices = places_of(platform, log, false);
    auto scenario =
        devices ? stated_scenario_of(options, text, log, nullptr, "", *devices) : Result<Scenario>(devices.errors());
    if (!scenario)
      return scenario.errors();
    scenario->name = fmt::format("{} on {} x {}", scenario->name, log.nodes, log.per_node);
    return std::vector{std::move(*scenario)};
  }
  const auto tables = read_logs(log.file);
  if (!tables)
    return tables.errors();
  const auto devices = places_of(platform, log, std::ranges::any_of(*tables, [](const LogTable& table) {
                                   const auto* kind = collective_of(table);
                                   return kind && kind->gpu;
                                 }));
  if (!devices)
    return devices.errors();
  std::vector<Scenario> scenarios;
  std::vector<std::string> others;
  for (const auto& table : *tables) {
    const auto* kind = collective_of(table);
    if (!kind || table.processes.value_or(log.ranks()) != log.ranks()) {
      others.push_back(table.benchmark.empty() ? "a table whose benchmark is not named" : table.benchmark);
      if (table.processes)
        others.back() += fmt::format(" of {} processes", *table.processes);
      continue;
    }
    auto curve = usable_curve(table, log.ranks());
    if (!curve)
      return curve.errors();
    const bool states_release = platform.gpu_library.version.number > 0;
    auto scenario =
        stated_scenario_of(options, text, log, kind, kind->gpu && !states_release ? table.version : "", *devices);
    if (!scenario)
      return scenario.errors();
    auto& benchmark = std::get<Benchmark>(scenario->workload);
    benchmark.sizes.clear();
    for (const auto& point : curve->points)
      benchmark.sizes.push_back(point.size);
    scenario->name = fmt::format("{}, {} on {} x {}", curve->name, kind->name, log.nodes, log.per_node);
    scenario->reference = Reference{std::move(*curve), CurveUse::calibration};
    scenarios.push_back(std::move(*scenario));
  }
  if (scenarios.empty())
    return file_error(
        ErrorKind::input, log.file,
        mismatch(fmt::format("{}", fmt::join(others, ", ")),
                 fmt::format("a collective operation of {} processes, such as osu-allreduce", log.ranks())));
  return scenarios;
}

} // namespace

const std::string& platform_of(const MeasurementArguments& options) {
  return options.platform.empty() ? options.merge : options.platform;
}

Errors check_collectives(const MeasurementArguments& options) {
  Errors errors;
  for (const auto& text : options.collectives)
    if (!collective_log_file(text))
      errors.push_back(usage_error(
          "--collective: " + mismatch(in_quotes(text), "nodes, 'x', ranks on each, maybe ':' and an algorithm, '=' and "
                                                       "a log, such as 2x64=alltoall.log or 2x64:ring=allgather.log")));
  if (!options.collectives.empty() && platform_of(options).empty())
    errors.push_back(usage_error("--collective needs --platform or --merge"));
  if (options.collectives.empty() && !options.map_by.empty())
    errors.push_back(usage_error("--map-by needs --collective"));
  return errors;
}

Result<std::vector<Scenario>> read_collectives(const MeasurementArguments& options, const std::string& text) {
  const auto document = parse_json(text, platform_of(options));
  if (!document)
    return document.errors();
  const auto platform = parse_platform(*document);
  if (!platform)
    return platform.errors();
  std::vector<Scenario> all;
  Errors errors;
  for (const auto& stated : options.collectives) {
    auto scenarios = scenarios_of(options, text, *platform, *collective_log_file(stated));
    if (scenarios)
      std::ranges::move(*scenarios, std::back_inserter(all));
    else
      errors.insert(errors.end(), scenarios.errors().begin(), scenarios.errors().end());
  }
  if (!errors.empty())
    return errors;
  return all;
}

} // namespace kakehashi
