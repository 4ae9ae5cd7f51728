#include "study/run/run.hpp"

#include "base/text.hpp"
#include "engine/flow/network.hpp"
#include "study/run/engine_choice.hpp"
#include "topology/capacity.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

// The regimes and adjustments that the ways in use may have used.
std::vector<ParameterSource> sources_of(const Platform& platform, const WayTable& ways) {
  std::set<const Rule*> rules;
  std::set<const Adjustment*> adjustments;
  for (const auto& way : ways.all())
    for (const auto& path : way.stages) {
      rules.insert(path.terms.rule);
      for (std::size_t i = 0; i < path.terms.crossings.size(); ++i)
        if (path.terms.crossings[i] > 0)
          adjustments.insert(&path.terms.fabric->adjustments[i]);
    }
  std::map<std::string, Source> memories; // where cores copy, and no bandwidth is stated
  for (const auto& way : ways.all())
    for (const auto& path : way.stages)
      for (const auto end : {path.from, path.to}) {
        const auto& own = platform.devices[end];
        if (own.cores > 0 && !path.caches.empty())
          memories.emplace(fmt::format("caches of a {}", name_of(device_kind_names, own.kind)),
                           Source{SourceKind::assumed,
                                  fmt::format("{:.3g} GB/s for each of its {}", core_rate_of(platform, own).value / 1e9,
                                              counted(static_cast<std::size_t>(own.cores), "core"))});
        if (const auto& device = platform.devices[end]; !(device.memory && device.memory->states_bandwidth()) &&
                                                        (path.terms.rule->moved_by_cores || path.from == path.to))
          memories.emplace(fmt::format("memory of a {}", name_of(device_kind_names, device.kind)),
                           memory_in_use(device).source);
      }
  std::vector<ParameterSource> sources;
  for (const auto& [place, source] : memories)
    sources.push_back({place, source});
  for (const auto& fabric : platform.fabrics) {
    const auto place = "/fabrics/" + fabric.name;
    for (std::size_t i = 0; i < fabric.rules.size(); ++i)
      for (std::size_t j = 0; rules.contains(&fabric.rules[i]) && j < fabric.rules[i].regimes.size(); ++j)
        sources.push_back({fmt::format("{}/rules/{}/regimes/{}", place, i, j), fabric.rules[i].regimes[j].source});
    for (std::size_t i = 0; i < fabric.adjustments.size(); ++i)
      if (adjustments.contains(&fabric.adjustments[i]))
        sources.push_back({fmt::format("{}/adjustments/{}", place, i), fabric.adjustments[i].source});
  }
  return sources;
}

// Of the rules that the ways in use go by.
AssumedRules assumed_rules(const WayTable& ways) {
  bool some = false;
  bool all = true;
  for (const auto& way : ways.all())
    for (const auto& path : way.stages) {
      const bool is_assumed = std::ranges::any_of(
          path.terms.rule->regimes, [](const Regime& regime) { return regime.source.kind == SourceKind::assumed; });
      some |= is_assumed;
      all &= is_assumed;
    }
  return !some ? AssumedRules::none : all ? AssumedRules::all : AssumedRules::some;
}

TestGroup group_of(const Workload& workload) {
  const auto* benchmark = std::get_if<Benchmark>(&workload);
  if (!benchmark)
    return TestGroup::application;
  const auto& kind = kind_of(*benchmark);
  return kind.collective ? group_of(*kind.collective) : kind.is_for_two_ranks ? TestGroup::pair : TestGroup::neighbours;
}

RunRecord record_of(const Scenario& scenario, const Plan& plan, const Job& job, JobRun done) {
  RunRecord record;
  record.scenario = scenario.name;
  record.scenario_file = scenario.file;
  record.platform = scenario.platform->name;
  record.platform_file = scenario.platform->file;
  record.fabric = scenario.fabric;
  for (const auto device : scenario.ranks)
    record.ranks.push_back(scenario.platform->devices[device].name);
  record.engine = std::move(done.engine);
  record.messages = done.end.messages;
  record.duration = done.end.duration;
  record.counts = done.counts;
  record.rounds_left_out = done.rounds_left_out;
  record.table = std::move(done.table);
  if (const auto& reference = scenario.reference) {
    record.reference = ReferenceUse{reference->curve.file, reference->curve.metric, reference->use};
    record.measured = compare_with(reference->curve, record.table.figures);
  }
  record.assumed = assumed_rules(*plan.ways);
  const auto group = group_of(scenario.workload);
  for (const auto& figures : record.table.figures)
    record.likely.push_back(likely_factors(group, std::min(Bytes{figures.size}, largest_size), record.assumed));
  record.sources = sources_of(*scenario.platform, *plan.ways);
  if (job.adds_vectors)
    record.sources.push_back({"/mpi/reduction", scenario.mpi.source});
  if (job.copies_blocks)
    record.sources.push_back({"/mpi/copy", scenario.mpi.source});
  return record;
}

// Errors that name no other file are the scenario's.
Errors in_file(Errors errors, const Scenario& scenario) {
  for (auto& error : errors)
    if (error.file.empty())
      error.file = scenario.file;
  return errors;
}

// Tells of rows as they are finished.
RunWatch watch_of(const RowWatch& watch, const std::function<RunRecord(Table)>& record_with, const Job& job) {
  return {[&, record_with, told = std::size_t{0}](const JobProgress& progress, std::size_t messages) mutable {
    if (progress.rows_done > told) {
      told = progress.rows_done;
      watch.finished(record_with(job.table_so_far()));
    }
    return watch.goes_on(progress, messages);
  }};
}

} // namespace

Result<Plan> plan(const Scenario& scenario) {
  auto planned = plan(scenario.platform, scenario.fabric, scenario.ranks);
  return planned ? std::move(planned) : in_file(planned.errors(), scenario);
}

Result<RunRecord> run(const Scenario& scenario, Recording* recording, const EngineOptions& options) {
  const auto planned = plan(scenario);
  return planned ? run(scenario, *planned, recording, options) : planned.errors();
}

Result<RunRecord> run(const Scenario& scenario, const Plan& plan, Recording* recording, const EngineOptions& options,
                      const RowWatch* watch) {
  const auto kind = engine_for(scenario, options.kind);
  if (kind == EngineKind::simgrid && !load_simgrid())
    return system_error("SimGrid cannot be loaded: " + simgrid_fault());
  auto job = make_job(scenario.workload, make_place(*scenario.platform, scenario.ranks, scenario.mpi));
  const auto shift = shift_of(job, plan, kind, options, recording);
  if (shift)
    job = job.shifted(shift->ranks);
  const auto record_with = [&](Table table) {
    auto record =
        record_of(scenario, plan, job,
                  {{}, std::move(table), engine_text(kind, options, shift ? &*shift : nullptr, plan.ranks), {}});
    if (kind == EngineKind::fluid)
      record.tolerance = options.tolerance;
    return record;
  };
  const auto inner = watch ? watch_of(*watch, record_with, job) : RunWatch{};
  auto done = run(job, shift ? &*shift : nullptr, plan, kind, options, recording, watch ? &inner : nullptr);
  if (!done)
    return in_file(done.errors(), scenario);
  auto record = record_of(scenario, plan, job, std::move(*done));
  if (kind == EngineKind::fluid)
    record.tolerance = options.tolerance;
  return record;
}

} // namespace kakehashi
