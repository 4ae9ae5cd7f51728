#include "study/run/scenario_run.hpp"

#include "base/memory.hpp"
#include "engine/flow/network.hpp"
#include "engine/shifts.hpp"
#include "study/run/run_parts.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/changed_work.hpp"
#include "workload/collective/own_algorithm.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace kakehashi {
namespace {

TestGroup group_of(const Workload& workload) {
  const auto* benchmark = std::get_if<Benchmark>(&workload);
  if (!benchmark)
    return TestGroup::application;
  const auto& kind = kind_of(*benchmark);
  if (kind.gpu)
    return TestGroup::gpu;
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
  record.what_if = scenario.what_if.machine;
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

// Errors without a file concern the scenario's file.
Errors in_file(Errors errors, const Scenario& scenario) {
  for (auto& error : errors)
    if (error.file.empty())
      error.file = scenario.file;
  return errors;
}

// Reports rows as they are finished.
RunWatch watch_of(const RowWatch& watch, const std::function<RunRecord(Table)>& record_with, const Job& job) {
  return {[&, record_with, reported = std::size_t{0}](const JobProgress& progress, std::size_t messages) mutable {
    if (progress.rows_done > reported) {
      reported = progress.rows_done;
      watch.finished(record_with(job.rows->so_far()));
    }
    return watch.goes_on(progress, messages);
  }};
}

// Adds the counts of another row, which used the same routes.
void add_counts(const EngineCounts& more, EngineCounts& counts) {
  counts.events += more.events;
  if (more.solves)
    counts.solves = counts.solves.value_or(0) + *more.solves;
  counts.routes = std::max(counts.routes, more.routes);
  counts.connections = std::max(counts.connections, more.connections);
}

// How a scenario runs.
struct ScenarioRun {
  const Scenario& scenario;
  const RunPlan& plan;
  const EngineOptions& options; // the plan's, but for noise
  const RowWatch* watch;

  RowSetup row(std::size_t number, const Shift* shift) const {
    auto one = std::get<Benchmark>(scenario.workload);
    one.sizes = {one.sizes[number]};
    return {std::move(one), plan.place, shift, plan, options};
  }
  RulesUsed rules_used() const { return kakehashi::rules_used(*scenario.platform, *plan.ways); }
  RunRecord record_of(const Job& job, RulesUsed used, JobRun done) const {
    auto record = kakehashi::record_of(scenario, std::move(used), job, std::move(done));
    if (!plan.place->gpu.times.empty()) // by the library, which chooses the ways of its bytes
      record.fabric = plan.place->gpu.library;
    if (options.kind == EngineKind::fluid)
      record.tolerance = options.tolerance;
    return record;
  }
};

// Returns how many of these processes have room in memory; at least one.
int with_room(int jobs, const Need& need) {
  const auto spare = spare_memory();
  const auto most =
      spare ? std::max<std::uint64_t>(1, spare->count / need.memory.count) : static_cast<std::uint64_t>(jobs);
  return static_cast<int>(std::min(most, static_cast<std::uint64_t>(jobs)));
}

// Rows that take less than this together run in this process.
constexpr Seconds long_run{0.3};

// For each row, the ranks that stand for all.
struct RowShifts {
  std::vector<std::shared_ptr<const Shift>> rows; // null: all ranks are simulated
  std::string engine;
  int simulated = 0; // number of ranks, at most

  RowShifts(const ScenarioRun& setting, const Job& job) {
    const auto& plan = setting.plan;
    Shifts shifts(*plan.ways, *plan.topology);
    const bool may = may_shift(setting.options, nullptr);
    auto least = static_cast<int>(plan.ranks);
    int most = 0;
    for (std::size_t row = 0; row < job.rows->progress().rows; ++row) {
      rows.push_back(may ? shifts.find(job.apart->alone(row), plan.need.rows[row]) : nullptr);
      const auto ranks = rows.back() ? rows.back()->ranks : static_cast<int>(plan.ranks);
      least = std::min(least, ranks);
      most = std::max(most, ranks);
    }
    engine = engine_text(setting.options, least == most ? rows.front().get() : nullptr, plan.ranks);
    simulated = most;
    if (least < most)
      engine += fmt::format(", {} to {} ranks for {} in step", least, most, plan.ranks);
  }
};

// Runs each row separately, in child processes if they take long.
Result<RunRecord> run_rows(const ScenarioRun& setting, const Job& job, int jobs) {
  const auto& need = setting.plan.need;
  const RowShifts shifts(setting, job);
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
    return RowRun{std::move(done->timing), whole.end.messages,   whole.end.duration, whole.counts,
                  whole.rounds_left_out,   setting.rules_used(), done->out_of_step};
  };
  const TakeRow take = [&](RowRun row) {
    job.apart->take(std::move(row.timing));
    all.table = job.rows->so_far();
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

Result<RunRecord> run_whole(const ScenarioRun& setting, Job job, Recording* recording) {
  const auto& plan = setting.plan;
  const auto& need = plan.need;
  const auto shift =
      may_shift(setting.options, recording) ? Shifts(*plan.ways, *plan.topology).find(job, need.time) : nullptr;
  if (shift)
    job = job.alike->first(shift->ranks);
  if (const double share = shift ? 1.0 / shift->images : 1; setting.watch && setting.watch->begins && need.messages > 0)
    setting.watch->begins(share * need.time, share * need.messages);
  const auto record_so_far = [&](Table table) {
    return setting.record_of(job, setting.rules_used(),
                             {{}, std::move(table), engine_text(setting.options, shift.get(), plan.ranks), {}});
  };
  const auto inner = setting.watch ? watch_of(*setting.watch, record_so_far, job) : RunWatch{};
  auto done = run(job, shift.get(), plan, setting.options, recording, setting.watch ? &inner : nullptr);
  return done ? Result(setting.record_of(job, setting.rules_used(), std::move(*done))) : done.errors();
}

Result<std::vector<OutOfStep>> rows_out_of_step(const ScenarioRun& setting, const Job& job) {
  const RowShifts shifts(setting, job);
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

// Benchmarks without reductions need no hosts.
Lanes lanes_of(const Scenario& scenario) {
  auto lanes = kakehashi::lanes_of(*scenario.platform, scenario.ranks, scenario.mpi);
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  if (benchmark && !(kind_of(*benchmark).collective && has_reduction(*kind_of(*benchmark).collective)))
    lanes[host_lane].is_open = false;
  return lanes;
}

const Benchmark* benchmark_of_gpus(const Scenario& scenario) {
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  return benchmark && kind_of(*benchmark).gpu ? benchmark : nullptr;
}

} // namespace

Result<Plan> routes_of(const Scenario& scenario) {
  if (benchmark_of_gpus(scenario)) {
    // Its bytes take no fabric's ways.
    Plan plan{scenario.platform, std::make_shared<Topology>(*scenario.platform), nullptr, scenario.ranks.size(), false};
    plan.ways = std::make_shared<WayTable>(*scenario.platform, *plan.topology, scenario.platform->fabrics.front(),
                                           scenario.ranks, lanes_of(scenario));
    return plan;
  }
  auto planned = plan(scenario.platform, scenario.fabric, scenario.ranks, lanes_of(scenario), scenario.core_order);
  return planned ? std::move(planned) : in_file(planned.errors(), scenario);
}

Result<RunPlan> plan(const Scenario& scenario, const EngineOptions& options) {
  if (std::holds_alternative<Training>(scenario.workload))
    return file_error(ErrorKind::usage, scenario.file,
                      "simulate, explain and sweep take steps of training; this does not");
  auto routes = routes_of(scenario);
  if (!routes)
    return routes.errors();
  GpuCalls calls;
  const auto* of_gpus = benchmark_of_gpus(scenario);
  if (of_gpus) {
    auto found = gpu_calls(*of_gpus, scenario, *routes);
    if (!found)
      return in_file(found.errors(), scenario);
    calls = std::move(*found);
  } else if (const auto* replay = std::get_if<Replay>(&scenario.workload)) {
    calls = gpu_calls(*replay, scenario, *routes);
  }
  auto place = make_place(*scenario.platform, scenario.ranks, scenario.mpi, std::move(calls));
  if (auto fault = own_fault(place->library, place->world))
    return std::move(*fault);
  RunPlan plan{std::move(*routes), std::move(place), {}, options};
  if (of_gpus && options.kind == EngineKind::automatic)
    plan.options.kind = EngineKind::fluid;
  plan.need = need_of(scenario, plan.place);
  plan.options = engine_for(scenario, plan.need, plan.options);
  return plan;
}

Result<RunRecord> run(const Scenario& scenario, Recording* recording, const EngineOptions& options) {
  const auto planned = plan(scenario, options);
  return planned ? run(scenario, *planned, recording) : planned.errors();
}

Result<RunRecord> run(const Scenario& scenario, const RunPlan& plan, Recording* recording, const RowWatch* watch,
                      int jobs) {
  auto chosen = plan.options;
  if (chosen.kind == EngineKind::simgrid && !load_simgrid())
    return system_error("SimGrid cannot be loaded: " + simgrid_fault());
  auto job = make_job(scenario.workload, plan.place);
  const ScenarioRun setting{scenario, plan, chosen, watch};
  ChangedWork changed(scenario.what_if, scenario.ranks.size());
  if (!scenario.what_if.work.empty() || scenario.what_if.noise)
    job.work_time = [&changed](const Rank& rank, const ComputeOperation& work) { return changed.time_of(rank, work); };
  std::vector<OutOfStep> out_of_step; // those of rows that are recorded in one run, which then has noise
  if (job.apart && recording && most_noise(chosen, plan.ranks) > 0) {
    auto found = rows_out_of_step(setting, job);
    if (!found)
      return in_file(found.errors(), scenario);
    out_of_step = std::move(*found);
    if (std::ranges::any_of(out_of_step, &OutOfStep::with_noise))
      chosen.noise = little_noise;
  }
  auto record = job.apart && !recording ? run_rows(setting, job, jobs) : run_whole(setting, job, recording);
  if (!record)
    return in_file(record.errors(), scenario);
  if (const auto& moved = plan.place->gpu.link_bytes; recording) { // by the GPUs' library, in no message
    auto& bytes = recording->channel_bytes;
    bytes.resize(std::max(bytes.size(), moved.size()));
    std::ranges::transform(moved, bytes, bytes.begin(), std::plus());
  }
  std::ranges::move(out_of_step, std::back_inserter(record->out_of_step));
  std::ranges::copy(changed.texts(), std::back_inserter(record->what_if));
  return record;
}

} // namespace kakehashi
