#include "command/measurements.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/json/json_document.hpp"
#include "input/log/log_scenario.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/edits.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "model/platform.hpp"
#include "study/fit/fits.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <tuple>

namespace kakehashi {
namespace {

bool is_scenario(const std::string& file) {
  return file.ends_with(".json");
}

// A distance that --log may state between a log's ranks.
struct Distance {
  std::string_view name;
  Scope scope;
};
constexpr Distance distances[] = {{"same-cache", Scope::inside_device},
                                  {"same-socket", Scope::inside_device},
                                  {"same-node", Scope::inside_node},
                                  {"between-nodes", Scope::between_nodes}};

// A file and the place of its ranks: a distance, two devices separated by a comma, or nothing.
struct LogFile {
  std::string where;
  std::string file;
  std::optional<std::uint64_t> pairs; // number of pairs of ranks
};

// Reads "same-node:8=FILE"; if no number follows the colon, the colon belongs to the place.
LogFile log_file(const std::string& text) {
  const auto equals = text.find('=');
  LogFile log{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1), std::nullopt};
  const auto colon = log.where.find(':');
  if (colon == std::string::npos)
    return log;
  const auto pairs = number_in<std::uint64_t>(std::string_view(log.where).substr(colon + 1));
  if (pairs > 0 && pairs <= 1'000'000) {
    log.pairs = pairs;
    log.where.resize(colon);
  }
  return log;
}

std::vector<LogFile> sources_of(const MeasurementArguments& options) {
  std::vector<LogFile> sources;
  for (const auto& file : options.files)
    sources.push_back({"", file, std::nullopt});
  for (const auto& log : options.logs)
    sources.push_back(log_file(log));
  return sources;
}

const Distance* find_distance(std::string_view name) {
  const auto* found = std::ranges::find(distances, name, &Distance::name);
  return found == std::end(distances) ? nullptr : found;
}

Errors check_logs(const MeasurementArguments& options) {
  Errors errors;
  std::set<std::string> words;
  for (const auto& log : options.logs) {
    const auto [where, file, pairs] = log_file(log);
    words.insert(where);
    if (file.empty() || (!find_distance(where) && where.find(',') == std::string::npos))
      errors.push_back(usage_error(
          "--log: " + mismatch(in_quotes(log), "same-cache, same-socket, same-node, between-nodes or two devices, '=' "
                                               "and a file, such as same-socket=pingpong.log")));
    else if (is_scenario(log))
      errors.push_back(usage_error("--log: " + mismatch(in_quotes(log), "a log; a scenario names its ranks")));
  }
  if (words.contains("same-cache") && words.contains("same-socket"))
    errors.push_back(usage_error("--log: " + mismatch("same-cache and same-socket", "one of them, since a platform "
                                                                                    "knows no caches")));
  return errors;
}

// Checks options that only apply to logs.
Errors check_measurements(const MeasurementArguments& options) {
  auto errors = check_logs(options);
  for (auto& error : check_collectives(options))
    errors.push_back(std::move(error));
  const bool has_plain_logs = !std::all_of(options.files.begin(), options.files.end(), is_scenario);
  const bool has_logs = has_plain_logs || !options.logs.empty() || !options.collectives.empty();
  const auto needs = [&](bool given, const char* option, const char* need, bool met) {
    if (given && !met)
      errors.push_back(usage_error(fmt::format("{} needs {}", option, need)));
  };
  const bool has_platform = !options.platform.empty() || !options.merge.empty();
  needs(!options.platform.empty(), "--platform", "a log; scenarios name their platform", has_logs);
  needs(!options.ranks.empty(), "--ranks",
        has_logs ? "a log without --log, which states the ranks" : "a log; scenarios name their ranks", has_plain_logs);
  needs(!options.benchmarks.empty(), "--benchmark", "a log", has_logs);
  needs(!options.ranks.empty() && has_plain_logs, "--ranks", "--platform or --merge", has_platform);
  const auto names_devices = [](const std::string& log) { return log.substr(0, log.find('=')).find(',') < log.size(); };
  needs(std::ranges::any_of(options.logs, names_devices), "--log with devices", "--platform or --merge", has_platform);
  needs(!options.fabric.empty(), "--fabric", "--platform or --merge", has_platform);
  needs(!options.sets.empty(), "--set", "--platform, --merge or a scenario", has_platform || !has_logs);
  std::set<std::string> seen;
  for (const auto& [where, file, pairs] : sources_of(options)) {
    std::error_code status;
    const auto path = std::filesystem::weakly_canonical(file, status).string();
    if (!seen.insert(path).second)
      errors.push_back(usage_error(mismatch(file + " twice", "each file once, or its points would count twice")));
  }
  return errors;
}

// Returns the fabrics to which logs may belong, in the order in which they are tried.
Result<std::vector<const Fabric*>> find_fabrics(const Platform& platform, const MeasurementArguments& options) {
  if (options.fabric.empty() && platform.fabrics.size() == 1)
    return std::vector{&platform.fabrics.front()};
  std::vector<const Fabric*> fabrics;
  for (const auto& name : split(options.fabric, ',')) {
    fabrics.push_back(find_fabric(platform, name));
    if (!fabrics.back()) {
      const auto fault = unknown_fabric(platform, options.fabric.empty() ? std::nullopt : std::optional(name));
      return usage_error("--fabric: " + fault.message, fault.suggestion);
    }
  }
  return fabrics;
}

std::string_view scope_text(Scope scope) {
  constexpr std::string_view texts[] = {"inside a socket", "inside a node", "between nodes"};
  return texts[static_cast<std::size_t>(scope)];
}

// Returns the first fabric with paths of a distance, and two devices, if all such pairs have equal paths. Without a
// distance: between nodes.
Result<LogPlace> place_in(const Platform& platform, std::span<const Fabric* const> fabrics, const Distance* distance) {
  const auto scope = distance ? distance->scope : Scope::between_nodes;
  const auto pairs = pairs_of(platform, fabrics, scope);
  if (pairs.kinds == 1)
    return LogPlace{nullptr, pairs.carrier->name, pairs.first, {}};
  const auto kinds = pairs.kinds == 0 ? "no paths" : fmt::format("{} kinds of paths", pairs.kinds);
  return usage_error((distance ? "--log: " : "--ranks: ") +
                     mismatch(fmt::format("{}, but fabric {} has {} {}", distance ? distance->name : "none",
                                          pairs.carrier->name, kinds, scope_text(scope)),
                              fmt::format("the two devices that were measured, such as node0.cpu0,node1.cpu0{}",
                                          distance ? "=FILE" : "")));
}

// Returns two devices by name, and the first of the fabrics that joins them.
Result<LogPlace> place_of(const Platform& platform, std::span<const Fabric* const> fabrics, const char* option,
                          const std::vector<std::string>& names) {
  LogPlace place;
  for (const auto& name : names) {
    const auto device = find_device(platform, name);
    if (!device || !can_run_ranks(platform.devices[*device].kind))
      return usage_error(fmt::format("{}: {}", option,
                                     mismatch(in_quotes(name), "a cpu, coprocessor, gpu or dpu of " + platform.file)));
    place.ranks.push_back(*device);
  }
  if (place.ranks.size() != 2)
    return usage_error(fmt::format(
        "{}: {}", option, mismatch(counted(place.ranks.size(), "device"), "two, such as node0.cpu0,node1.cpu0")));
  place.fabric = carrier_between(platform, fabrics, place.ranks[0], place.ranks[1]).name;
  return place;
}

// Reads --set, whose fields are always the platform's.
Result<ScenarioEdits> edits_of(const MeasurementArguments& options) {
  ScenarioWords words;
  for (const auto& set : options.sets)
    words.sets.push_back(set.starts_with(platform_prefix) ? set : std::string(platform_prefix) + set);
  return edits_of(words);
}

// The platform of the logs, the fabrics to which they may belong, and the benchmarks of tables that do not name theirs.
// For an unknown platform these are unknown_cluster and its fabrics.
struct Setting {
  std::shared_ptr<const Platform> platform;
  std::vector<const Fabric*> fabrics;
  std::vector<std::string> benchmarks;
};

Result<Setting> setting_of(const MeasurementArguments& options, const ScenarioEdits& edits) {
  Setting setting;
  for (const auto& word : options.benchmarks) {
    const auto* kind = find_benchmark(word);
    if (!kind || !kind->test) {
      auto usable = benchmark_names();
      std::erase_if(usable, [](const std::string& each) { return !find_benchmark(each)->test; });
      return usage_error("--benchmark: " +
                         mismatch(in_quotes(word), fmt::format("one of {}", fmt::join(usable, ", "))));
    }
    setting.benchmarks.push_back(word);
  }
  const auto& file = options.platform.empty() ? options.merge : options.platform;
  const bool has_logs = !options.logs.empty() || !std::all_of(options.files.begin(), options.files.end(), is_scenario);
  setting.platform = unknown_cluster().platform;
  if (!file.empty() && has_logs) {
    auto platform = read_platform(file, edits);
    if (!platform)
      return platform.errors();
    setting.platform = std::make_shared<const Platform>(std::move(*platform));
    auto fabrics = find_fabrics(*setting.platform, options);
    if (!fabrics)
      return fabrics.errors();
    setting.fabrics = std::move(*fabrics);
  } else
    setting.fabrics = {&setting.platform->fabrics.front()};
  return setting;
}

// Returns the place where a log's benchmarks ran.
Result<LogPlace> log_place(const MeasurementArguments& options, const Setting& setting, const std::string& where) {
  const auto& platform = *setting.platform;
  const auto* distance = find_distance(where);
  auto place = !where.empty() && !distance ? place_of(platform, setting.fabrics, "--log", split(where, ','))
               : where.empty() && !options.ranks.empty() ? place_of(platform, setting.fabrics, "--ranks", options.ranks)
                                                         : place_in(platform, setting.fabrics, distance);
  if (!place)
    return place.errors();
  place->platform = setting.platform;
  place->benchmarks = setting.benchmarks;
  place->is_stated = !where.empty() || !options.ranks.empty();
  return place;
}

// Finds faults that keep scenarios from being calibrated together.
Errors check_together(const std::vector<Scenario>& scenarios) {
  Errors errors;
  std::set<std::pair<std::string, std::string>> curves;
  for (const auto& scenario : scenarios) {
    if (scenario.platform->file != scenarios.front().platform->file)
      errors.push_back(
          file_error(ErrorKind::input, scenario.file,
                     mismatch("platform " + in_quotes(scenario.platform->name), "that of " + scenarios.front().file)));
    if (scenario.reference && !curves.emplace(scenario.reference->curve.file, scenario.reference->curve.name).second)
      errors.push_back(
          input_error(scenario.file, "/reference",
                      mismatch("the curve " + scenario.reference->curve.file + " twice", "each curve once")));
  }
  return errors;
}

} // namespace

Result<Measurements> read_measurements(const MeasurementArguments& options) {
  if (auto errors = check_measurements(options); !errors.empty())
    return errors;
  const auto edits = edits_of(options);
  if (!edits)
    return edits.errors();
  const auto setting = setting_of(options, *edits);
  if (!setting)
    return setting.errors();
  Measurements found;
  Errors errors;
  bool used_benchmark = false;
  for (const auto& [where, file, pairs] : sources_of(options)) {
    Errors of_file;
    if (where.empty() && is_scenario(file)) {
      auto scenario = read_scenario(file, *edits);
      if (scenario)
        found.scenarios.push_back(std::move(*scenario));
      else
        of_file = scenario.errors();
    } else {
      auto place = log_place(options, *setting, where);
      if (place)
        place->pairs = pairs;
      auto logs = place ? read_log_scenarios(file, *place) : place.errors();
      if (logs) {
        std::move(logs->scenarios.begin(), logs->scenarios.end(), std::back_inserter(found.scenarios));
        std::move(logs->pair_tests.begin(), logs->pair_tests.end(), std::back_inserter(found.pair_tests));
        std::move(logs->notes.begin(), logs->notes.end(), std::back_inserter(found.notes));
        used_benchmark |= logs->used_benchmark;
      } else
        of_file = logs.errors();
    }
    for (auto& error : of_file) // a fault of the place of all logs is reported once
      if (std::ranges::none_of(errors, [&](const Error& other) { return to_text(other) == to_text(error); }))
        errors.push_back(std::move(error));
  }
  if (errors.empty())
    errors = check_together(found.scenarios);
  if (errors.empty() && !options.benchmarks.empty() && !used_benchmark)
    errors.push_back(usage_error("--benchmark: " + mismatch(in_quotes(options.benchmarks.front()),
                                                            "none, since all tables name their benchmark")));
  if (!errors.empty())
    return errors;
  if (!found.scenarios.empty())
    found.splits = split_rules(found.scenarios);
  return found;
}

} // namespace kakehashi
