#include "input/scenario/scenario_reader.hpp"

#include "input/json/schema.hpp"
#include "input/log/curve_reader.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/placement_reader.hpp"
#include "input/scenario/replay_reader.hpp"
#include "input/scenario/workload_reader.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
using nlohmann::json;

namespace {

Errors joined(Errors first, const Errors& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

void check_fabric(const std::string& name, const Platform& platform, Faults& faults) {
  if (find_fabric(platform, name))
    return;
  std::vector<std::string> names;
  for (const auto& fabric : platform.fabrics)
    names.push_back(fabric.name);
  faults.add("/fabric", mismatch(in_quotes(name), fmt::format("a fabric of {}", platform.file)), closest(name, names));
}

// The devices of these names, some of which another value of a sweep may have taken from the platform.
std::vector<std::size_t> named_devices(const std::vector<std::string>& names, const Platform& platform,
                                       Faults& faults) {
  std::vector<std::size_t> devices;
  for (const auto& name : names)
    if (const auto device = find_device(platform, name))
      devices.push_back(*device);
    else
      faults.add("/ranks", mismatch(in_quotes(name), fmt::format("a device of {}", platform.file)));
  return devices;
}

using SharedPlatform = std::shared_ptr<const Platform>;

Result<SharedPlatform> share(Result<Platform> platform) {
  if (!platform)
    return platform.errors();
  return std::make_shared<const Platform>(std::move(*platform));
}

Result<Scenario> parse_scenario(const JsonDocument& document, const std::optional<std::string>& other_platform = {}) {
  if (auto errors = check_schema(document, scenario_schema_text); !errors.empty())
    return errors;
  const auto file = other_platform.value_or(beside(document.file, document.root["platform"].get<std::string>()));
  return scenario_of(document, share(read_platform(file)));
}

} // namespace

Result<Scenario> scenario_of(const JsonDocument& document, const Result<SharedPlatform>& platform,
                             const std::optional<std::vector<std::string>>& other_ranks) {
  const json& root = document.root;
  Faults faults(document.file);
  Scenario scenario;
  scenario.name = root["name"].get<std::string>();
  scenario.file = document.file;
  scenario.fabric = root["fabric"].get<std::string>();
  check_name(scenario.name, "/name", faults);
  const auto mpi = read_mpi(root, faults);

  Errors elsewhere;                 // in the files that this one names
  std::optional<std::size_t> ranks; // how many, if it can be told
  if (root["ranks"].is_array())
    ranks = root["ranks"].size();
  if (platform) {
    scenario.platform = *platform;
    check_fabric(scenario.fabric, *scenario.platform, faults);
    scenario.mpi = combined(scenario.platform->mpi, mpi);
    scenario.ranks = other_ranks ? named_devices(*other_ranks, *scenario.platform, faults)
                                 : read_ranks(root["ranks"], *scenario.platform, faults);
    if (!scenario.ranks.empty())
      ranks = scenario.ranks.size();
  } else {
    elsewhere = platform.errors();
  }

  const json& workload = root["workload"];
  std::vector<std::string_view> forms;
  for (const std::string_view form : {"benchmark", "steps", "boss_worker", "replay"})
    if (workload.contains(form))
      forms.push_back(form);
  if (forms.size() != 1)
    faults.add("/workload", mismatch(fmt::format("{} of \"benchmark\", \"steps\", \"boss_worker\" and \"replay\"",
                                                 forms.empty() ? "none" : "several"),
                                     "exactly one"));
  else if (forms.front() == "benchmark")
    scenario.workload = read_benchmark(workload, ranks, faults);
  else if (workload.size() > 1)
    faults.add("/workload", mismatch(fmt::format("{} with keys of a benchmark", in_quotes(forms.front())), "it alone"));
  else if (forms.front() == "steps")
    scenario.workload = read_steps(workload["steps"], ranks, faults);
  else if (forms.front() == "boss_worker")
    scenario.workload = read_boss_worker(workload["boss_worker"], ranks, faults);
  else
    scenario.workload = read_replay(workload["replay"], document.file, ranks, faults, elsewhere);

  if (root.contains("reference")) {
    const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
    if (!benchmark) {
      faults.add("/reference", mismatch("a reference for a workload that is not a benchmark", "a benchmark"));
    } else if (workload.contains("benchmark")) {
      const auto file = beside(document.file, root["reference"]["curve"].get<std::string>());
      if (auto curve = read_curve(file, kind_of(*benchmark).metric))
        scenario.reference =
            Reference{std::move(*curve), *read_name<CurveUse>(root["reference"], "use", curve_use_names)};
      else
        elsewhere = joined(std::move(elsewhere), curve.errors());
    }
  }
  if (!faults.empty() || !elsewhere.empty())
    return joined(document.in_document_order(faults.take()), elsewhere);
  return scenario;
}

Result<Scenario> read_scenario(const std::string& file, const std::optional<std::string>& other_platform) {
  const auto document = read_json(file);
  if (!document)
    return document.errors();
  return parse_scenario(*document, other_platform);
}

} // namespace kakehashi
