#include "study/run/run.hpp"

#include "base/memory.hpp"
#include "base/text.hpp"
#include "engine/flow/network.hpp"
#include "engine/shifts.hpp"
#include "study/run/engine_choice.hpp"
#include "study/run/need.hpp"
#include "study/run/rows.hpp"
#include "study/run/step_check.hpp"
#include "topology/capacity.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/changed_work.hpp"
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
    if (const bool is_used = std::ranges::any_of(fabric.rules, [&](const Rule& rule) { return rules.contains(&rule); });
        is_used && fabric.fetch)
      sources.push_back({place + "/fetch", fabric.fetch->source});
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

RunRecord record_of(const Scenario& scenario, RulesUsed used, const Job& job, JobRun done) {
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
  if (!scenario.what_if.eager_limit.empty())
    record.what_if.push_back(scenario.what_if.eager_limit);
  if (const auto& reference = scenario.reference) {
    record.reference = ReferenceUse{reference->curve.file, reference->curve.metric, reference->use};
    record.measured = compare_with(reference->curve, record.table.figures);
  }
  record.assumed = used.assumed;
  const auto group = group_of(scenario.workload);
  for (const auto& figures : record.table.figures)
    record.likely.push_back(likely_factors(group, std::min(Bytes{figures.size}, largest_size), record.assumed));
  record.sources = std::move(used.sources);
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

// Of another row, which went over the same routes.
void add_counts(const EngineCounts& more, EngineCounts& counts) {
  counts.events += more.events;
  if (more.solves)
    counts.solves = counts.solves.value_or(0) + *more.solves;
  counts.routes = std::max(counts.routes, more.routes);
  counts.connections = std::max(counts.connections, more.connections);
}

// Those of another row, too.
void add(RulesUsed more, std::optional<RulesUsed>& all) {
  if (!all) {
    all = std::move(more);
    return;
  }
  if (more.assumed != all->assumed)
    all->assumed = AssumedRules::some;
  for (auto& source : more.sources)
    if (std::ranges::find(all->sources, source.place, &ParameterSource::place) == all->sources.end())
      all->sources.push_back(std::move(source));
}

// How a scenario is run.
struct Setting {
  const Scenario& scenario;
  const Plan& plan;
  EngineKind kind;
  const EngineOptions& options;
  const RowWatch* watch;

  const SharedPlace& place;

  RowSetup row(std::size_t number, const Shift* shift) const {
    auto one = std::get<Benchmark>(scenario.workload);
    one.sizes = {one.sizes[number]};
    return {std::move(one), place, shift, plan, kind, options};
  }
  RulesUsed rules_used() const { return {sources_of(*scenario.platform, *plan.ways), assumed_rules(*plan.ways)}; }
  RunRecord record_of(const Job& job, RulesUsed used, JobRun done) const {
    auto record = kakehashi::record_of(scenario, std::move(used), job, std::move(done));
    if (kind == EngineKind::fluid)
      record.tolerance = options.tolerance;
    return record;
  }
};

// Of so many processes those that have room, at least one.
int with_room(int jobs, const Need& need) {
  const auto spare = spare_memory();
  const auto most =
      spare ? std::max<std::uint64_t>(1, spare->count / need.memory.count) : static_cast<std::uint64_t>(jobs);
  return static_cast<int>(std::min(most, static_cast<std::uint64_t>(jobs)));
}

// Rows that take less than this together are run in this process.
constexpr Seconds long_run{0.3};

// The ranks that stand for all in each row, which may have its own.
struct RowShifts {
  std::vector<std::shared_ptr<const Shift>> rows; // null: all are there
  std::string engine;
  int simulated = 0; // ranks, at most

  RowShifts(const Setting& setting, const Job& job, const Need& need) {
    const auto& plan = setting.plan;
    Shifts shifts(*plan.ways, *plan.topology);
    const bool may = may_shift(setting.kind, setting.options, nullptr);
    auto least = static_cast<int>(plan.ranks);
    int most = 0;
    for (std::size_t row = 0; row < job.progress().rows; ++row) {
      rows.push_back(may ? shifts.find(job.alone(row), need.rows[row]) : nullptr);
      const auto ranks = rows.back() ? rows.back()->ranks : static_cast<int>(plan.ranks);
      least = std::min(least, ranks);
      most = std::max(most, ranks);
    }
    engine = engine_text(setting.kind, setting.options, least == most ? rows.front().get() : nullptr, plan.ranks);
    simulated = most;
    if (least < most)
      engine += fmt::format(", {} to {} ranks for {} in step", least, most, plan.ranks);
  }
};

// Each row by itself, in children if they take long.
Result<RunRecord> run_rows(const Setting& setting, const Job& job, int jobs) {
  const auto need = need_of(setting.scenario);
  const RowShifts shifts(setting, job, need);
  JobRun all{{}, {}, shifts.engine, {}};
  std::optional<RulesUsed> used;
  std::vector<OutOfStep> out_of_step;
  const auto record = [&] {
    auto so_far = setting.record_of(job, used.value_or(RulesUsed{}), all);
    so_far.out_of_step = out_of_step;
    return so_far;
  };
  const RunRow run_row = [&](std::size_t row, const RunWatch* inner) -> Result<RowRun> {
    auto done = kakehashi::run_row(setting.row(row, shifts.rows[row].get()), inner);
    if (!done)
      return done.errors();
    const auto& whole = done->run;
    return RowRun{std::move(done->timing), whole.end.messages,    whole.end.duration,  whole.counts,
                  whole.rounds_left_out,   setting.rules_used(), done->out_of_step};
  };
  const TakeRow take = [&](RowRun row) {
    job.take(std::move(row.timing));
    all.table = job.table_so_far();
    all.end.messages += row.messages;
    all.end.duration += row.duration;
    add_counts(row.counts, all.counts);
    all.rounds_left_out += row.rounds_left_out;
    add(std::move(row.used), used);
    if (row.out_of_step)
      out_of_step.push_back(*row.out_of_step);
    if (setting.watch)
      setting.watch->finished(record());
  };
  const auto inner = setting.watch ? RunWatch{setting.watch->goes_on} : RunWatch{};
  const auto* inner_watch = setting.watch ? &inner : nullptr;
  const auto rows = shifts.rows.size();
  const auto processes = need.time > long_run ? with_room(jobs, need) : 1;
  const double share = shifts.simulated / static_cast<double>(setting.plan.ranks);
  if (setting.watch && setting.watch->begins)
    setting.watch->begins((share / std::min<double>(processes, static_cast<double>(rows))) * need.time,
                          share * need.messages);
  auto errors = need.time > long_run ? run_in_children(rows, processes, run_row, take, inner_watch)
                                     : run_here(rows, run_row, take, inner_watch);
  return errors.empty() ? Result(record()) : errors;
}

Result<RunRecord> run_whole(const Setting& setting, Job job, Recording* recording) {
  const auto& plan = setting.plan;
  const auto need = need_of(setting.scenario);
  const auto shift = may_shift(setting.kind, setting.options, recording)
                         ? Shifts(*plan.ways, *plan.topology).find(job, need.time)
                         : nullptr;
  if (shift)
    job = job.shifted(shift->ranks);
  if (const double share = shift ? 1.0 / shift->images : 1; setting.watch && setting.watch->begins && need.messages > 0)
    setting.watch->begins(share * need.time, share * need.messages);
  const auto record_so_far = [&](Table table) {
    return setting.record_of(
        job, setting.rules_used(),
        {{}, std::move(table), engine_text(setting.kind, setting.options, shift.get(), plan.ranks), {}});
  };
  const auto inner = setting.watch ? watch_of(*setting.watch, record_so_far, job) : RunWatch{};
  auto done = run(job, shift.get(), plan, setting.kind, setting.options, recording, setting.watch ? &inner : nullptr);
  return done ? Result(setting.record_of(job, setting.rules_used(), std::move(*done))) : done.errors();
}

Result<std::vector<OutOfStep>> rows_out_of_step(const Setting& setting, const Job& job) {
  const RowShifts shifts(setting, job, need_of(setting.scenario));
  const auto watch = setting.watch ? RunWatch{setting.watch->goes_on} : RunWatch{};
  std::vector<OutOfStep> rows;
  for (std::size_t row = 0; row < shifts.rows.size(); ++row) {
    const auto found = check_row(setting.row(row, shifts.rows[row].get()), &watch);
    if (!found)
      return found.errors();
    if (*found)
      rows.push_back(**found);
  }
  return rows;
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
                      const RowWatch* watch, int jobs) {
  const auto kind = engine_for(scenario, options.kind);
  if (kind == EngineKind::simgrid && !load_simgrid())
    return system_error("SimGrid cannot be loaded: " + simgrid_fault());
  const auto place = make_place(*scenario.platform, scenario.ranks, scenario.mpi);
  auto job = make_job(scenario.workload, place);
  auto chosen = options;
  const Setting setting{scenario, plan, kind, chosen, watch, place};
  ChangedWork changed(scenario.what_if, scenario.ranks.size());
  if (!scenario.what_if.work.empty() || scenario.what_if.noise)
    job.work_time = [&changed](const Rank& rank, Seconds time) { return changed.time_of(rank, time); };
  std::vector<OutOfStep> out_of_step; // of rows that are recorded in one run, which then has noise
  if (job.alone && recording && most_noise(chosen, plan.ranks) > 0) {
    auto found = rows_out_of_step(setting, job);
    if (!found)
      return in_file(found.errors(), scenario);
    out_of_step = std::move(*found);
    if (std::ranges::any_of(out_of_step, &OutOfStep::with_noise))
      chosen.noise = little_noise;
  }
  auto record = job.alone && !recording ? run_rows(setting, job, jobs) : run_whole(setting, job, recording);
  if (!record)
    return in_file(record.errors(), scenario);
  std::ranges::move(out_of_step, std::back_inserter(record->out_of_step));
  std::ranges::copy(changed.texts(), std::back_inserter(record->what_if));
  return record;
}

} // namespace kakehashi
