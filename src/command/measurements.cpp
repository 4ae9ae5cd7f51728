#include "command/measurements.hpp"

#include "input/json/json_document.hpp"
#include "input/log/log_scenario.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "transport/path.hpp"
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

// The options that only logs heed.
Errors check_options(const Options& options) {
  Errors errors;
  const bool has_logs = !std::all_of(options.files.begin(), options.files.end(), is_scenario);
  const auto needs = [&](bool given, const char* option, const char* need, bool met) {
    if (given && !met)
      errors.push_back(usage_fault(fmt::format("{} needs {}", option, need)));
  };
  const bool has_platform = !options.platform_file.empty() || !options.merge.empty();
  needs(!options.platform_file.empty(), "--platform", "a log; scenarios name their platform", has_logs);
  needs(!options.ranks.empty(), "--ranks", "a log; scenarios name their ranks", has_logs);
  needs(!options.benchmarks.empty(), "--benchmark", "a log", has_logs);
  needs(!options.ranks.empty() && has_logs, "--ranks", "--platform or --merge", has_platform);
  needs(!options.fabric.empty(), "--fabric", "--platform or --merge", has_platform);
  std::set<std::string> seen;
  for (const auto& file : options.files) {
    std::error_code status;
    const auto path = std::filesystem::weakly_canonical(file, status).string();
    if (!seen.insert(path).second)
      errors.push_back(usage_fault(mismatch(file + " twice", "each file once, or its points would count twice")));
  }
  return errors;
}

Result<const Fabric*> find_place_fabric(const Platform& platform, const Options& options) {
  if (options.fabric.empty() && platform.fabrics.size() == 1)
    return &platform.fabrics.front();
  const auto* fabric = find_fabric(platform, options.fabric);
  if (!fabric)
    return usage_fault("--fabric: " + mismatch(options.fabric.empty() ? "none" : in_quotes(options.fabric),
                                               "a fabric of " + platform.file));
  return fabric;
}

// Two devices on different nodes, if all such pairs are alike to the fabric.
Result<std::vector<std::size_t>> find_ranks(const Platform& platform, const Fabric& fabric) {
  Topology topology(platform);
  using Likeness = std::tuple<DeviceKind, DeviceKind, const Rule*, Seconds, std::vector<int>>;
  std::set<Likeness> kinds;
  std::vector<std::size_t> ranks;
  for (std::size_t from = 0; from < platform.devices.size(); ++from)
    for (std::size_t to = 0; to < platform.devices.size(); ++to) {
      const auto& [a, b] = std::tie(platform.devices[from], platform.devices[to]);
      if (!can_run_ranks(a.kind) || !can_run_ranks(b.kind) || a.node != 0 || !b.node || b.node == a.node)
        continue;
      const auto path = make_path(platform, topology, fabric, from, to);
      if (!path)
        continue;
      kinds.emplace(path->from_kind, path->to_kind, path->rule, path->route.latency, path->crossings);
      if (ranks.empty())
        ranks = {from, to};
    }
  if (kinds.size() == 1)
    return ranks;
  return usage_fault("--ranks: " +
                     mismatch(fmt::format("none, but fabric {} has {} kinds of paths between nodes", fabric.name,
                                          kinds.empty() ? "no" : std::to_string(kinds.size())),
                              "the two devices that were measured, such as node0.cpu0,node1.cpu0"));
}

Result<std::vector<std::size_t>> named_ranks(const Platform& platform, const Options& options) {
  std::vector<std::size_t> ranks;
  for (const auto& name : options.ranks) {
    const auto device = find_device(platform, name);
    if (!device || !can_run_ranks(platform.devices[*device].kind))
      return usage_fault("--ranks: " + mismatch(in_quotes(name), "a cpu, coprocessor or gpu of " + platform.file));
    ranks.push_back(*device);
  }
  if (ranks.size() != 2)
    return usage_fault("--ranks: " + mismatch(counted(ranks.size(), "device"), "two, such as node0.cpu0,node1.cpu0"));
  return ranks;
}

// Where the benchmarks of logs ran.
Result<LogPlace> log_place(const Options& options) {
  auto place = unknown_cluster();
  for (const auto& word : options.benchmarks) {
    const auto* kind = find_benchmark(word);
    if (!kind || !kind->test) {
      auto usable = benchmark_names();
      std::erase_if(usable, [](const std::string& each) { return !find_benchmark(each)->test; });
      return usage_fault("--benchmark: " +
                         mismatch(in_quotes(word), fmt::format("one of {}", fmt::join(usable, ", "))));
    }
    place.benchmarks.push_back(word);
  }
  const auto& file = options.platform_file.empty() ? options.merge : options.platform_file;
  if (file.empty() || std::all_of(options.files.begin(), options.files.end(), is_scenario))
    return place;
  auto platform = read_platform(file);
  if (!platform)
    return platform.errors();
  place.platform = std::make_shared<const Platform>(std::move(*platform));
  const auto fabric = find_place_fabric(*place.platform, options);
  if (!fabric)
    return fabric.errors();
  place.fabric = (*fabric)->name;
  auto ranks = options.ranks.empty() ? find_ranks(*place.platform, **fabric) : named_ranks(*place.platform, options);
  if (!ranks)
    return ranks.errors();
  place.ranks = std::move(*ranks);
  return place;
}

// What keeps scenarios from being calibrated together.
Errors check_together(const std::vector<Scenario>& scenarios) {
  Errors errors;
  std::set<std::pair<std::string, std::string>> curves;
  for (const auto& scenario : scenarios) {
    if (scenario.fabric != scenarios.front().fabric || scenario.platform->file != scenarios.front().platform->file)
      errors.push_back(
          {ErrorKind::input, scenario.file, "",
           mismatch("fabric " + in_quotes(scenario.fabric) + " of platform " + in_quotes(scenario.platform->name),
                    "those of " + scenarios.front().file),
           ""});
    if (scenario.reference && !curves.emplace(scenario.reference->curve.file, scenario.reference->curve.name).second)
      errors.push_back({ErrorKind::input, scenario.file, "/reference",
                        mismatch("the curve " + scenario.reference->curve.file + " twice", "each curve once"), ""});
  }
  return errors;
}

} // namespace

Result<Measurements> read_measurements(const Options& options) {
  if (auto errors = check_options(options); !errors.empty())
    return errors;
  const auto place = log_place(options);
  if (!place)
    return place.errors();
  Measurements found;
  Errors errors;
  bool used_benchmark = false;
  for (const auto& file : options.files) {
    Errors of_file;
    if (is_scenario(file)) {
      auto scenario = read_scenario(file);
      if (scenario)
        found.scenarios.push_back(std::move(*scenario));
      else
        of_file = scenario.errors();
    } else {
      auto logs = read_log_scenarios(file, *place);
      if (logs) {
        std::move(logs->scenarios.begin(), logs->scenarios.end(), std::back_inserter(found.scenarios));
        std::move(logs->notes.begin(), logs->notes.end(), std::back_inserter(found.notes));
        used_benchmark |= logs->used_benchmark;
      } else
        of_file = logs.errors();
    }
    errors.insert(errors.end(), of_file.begin(), of_file.end());
  }
  if (errors.empty())
    errors = check_together(found.scenarios);
  if (errors.empty() && !place->benchmarks.empty() && !used_benchmark)
    errors.push_back(usage_fault("--benchmark: " + mismatch(in_quotes(options.benchmarks.front()),
                                                            "none, since all tables name their benchmark")));
  if (!errors.empty())
    return errors;
  return found;
}

} // namespace kakehashi
