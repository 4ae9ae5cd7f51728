#include "engine/run.hpp"

#include "workload/benchmark/benchmark.hpp"
#include "workload/boss_worker.hpp"
#include "workload/replay.hpp"
#include "workload/scheduled.hpp"
#include "workload/steps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace kakehashi {
namespace {

// The step of a ring both of whose ends take longest.
std::array<int, 2> slowest_step(std::span<const Seconds> times, bool closed) {
  const auto steps = closed ? times.size() : times.size() - 1;
  const auto time_of = [&](std::size_t step) { return std::min(times[step], times[(step + 1) % times.size()]); };
  std::size_t slowest = 0;
  for (std::size_t step = 1; step < steps; ++step)
    if (time_of(step) > time_of(slowest))
      slowest = step;
  return {static_cast<int>(slowest), static_cast<int>((slowest + 1) % times.size())};
}

SizeRow to_row(const SizeTiming& timing, const Benchmark& benchmark) {
  const auto& kind = kind_of(benchmark.name);
  SizeRow row;
  row.size = timing.size;
  row.repetitions = timing.repetitions;
  const auto& times = timing.average;
  const auto printed = kind.first_rank_only ? std::span(times).first(1) : std::span(times);
  row.t_min = kind.time_share * *std::min_element(printed.begin(), printed.end());
  row.t_max = kind.time_share * *std::max_element(printed.begin(), printed.end());
  for (const auto time : printed)
    row.t_avg += (kind.time_share / static_cast<double>(printed.size())) * time;
  const double payload = static_cast<double>(timing.size.count) * kind.payloads(benchmark.window);
  row.bandwidth = row.t_max.value > 0 ? payload / row.t_max.value / benchmark.megabyte : 0;
  if (is_ring(benchmark.name))
    row.slowest_step = slowest_step(times, benchmark.name == BenchmarkName::ring);
  return row;
}

// The regimes and adjustments that the chains in use may have used.
std::vector<ParameterSource> sources_of(const Platform& platform, const ChainTable& chains) {
  std::set<const Rule*> rules;
  std::set<const Adjustment*> adjustments;
  for (const auto& chain : chains.all())
    for (const auto& path : chain.stages) {
      rules.insert(path.rule);
      for (std::size_t i = 0; i < path.crossings.size(); ++i)
        if (path.crossings[i] > 0)
          adjustments.insert(&path.fabric->adjustments[i]);
    }
  std::vector<ParameterSource> sources;
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

bool adds_vectors(const Workload& workload) {
  const auto* benchmark = std::get_if<Benchmark>(&workload);
  const auto collective = benchmark ? collective_of(benchmark->name) : std::nullopt;
  return collective && has_reduction(*collective);
}

// For each rank a number that those of its node share; a device outside any node is one by itself.
std::vector<int> nodes_of(const Scenario& scenario) {
  std::vector<int> nodes;
  for (const auto device : scenario.ranks) {
    const auto& node = scenario.platform->devices[device].node;
    nodes.push_back(static_cast<int>(node.value_or(scenario.platform->nodes.size() + device)));
  }
  return nodes;
}

// Where each rank's node is in the box of a Tofu network; nothing if some node is in none.
std::vector<NodePoint> points_of(const Scenario& scenario) {
  const auto& torus = scenario.platform->torus;
  std::vector<NodePoint> points;
  for (const auto device : scenario.ranks) {
    const auto& node = scenario.platform->devices[device].node;
    if (!torus || !node || *node >= torus->nodes())
      return {};
    points.push_back(box_point(torus->box(), *node));
  }
  return points;
}

Group world_of(const Scenario& scenario) {
  return make_world(nodes_of(scenario), points_of(scenario));
}

Result<BenchmarkRecord> run_benchmarks(const Scenario& scenario, Simulation& simulation) {
  const auto& benchmark = std::get<Benchmark>(scenario.workload);
  const auto world = world_of(scenario);
  const auto library = make_library(scenario.mpi);
  auto iterations = iterations_of(benchmark, world.size());
  for (int id = 0; id < world.size(); ++id) {
    const Communicator comm(simulation.rank(id), world, id, library);
    simulation.set_program(id, run_benchmark(comm, benchmark, iterations));
  }
  if (const auto ends = simulation.run(); !ends)
    return ends.errors();
  BenchmarkRecord record{benchmark, {}};
  const auto collective = collective_of(benchmark.name);
  for (const auto& timing : iterations.timings()) {
    auto& row = record.rows.emplace_back(to_row(timing, benchmark));
    if (collective) {
      const auto call = call_of(*collective, timing.size, world.size());
      row.algorithm = is_without_data(*collective, call.blocks)
                          ? "none"
                          : to_text(choose(library, *collective, world, call.blocks));
    }
  }
  return record;
}

Result<StepsRecord> run_step_lists(const StepProgram& program, Simulation& simulation, int ranks) {
  for (int id = 0; id < ranks; ++id)
    simulation.set_program(id, run_steps(simulation.rank(id), program.steps[static_cast<std::size_t>(id)]));
  auto ends = simulation.run();
  if (!ends)
    return ends.errors();
  return StepsRecord{std::move(*ends)};
}

Result<BossWorkerRecord> run_boss_worker(const Scenario& scenario, Simulation& simulation) {
  const auto& workload = std::get<BossWorker>(scenario.workload);
  const auto world = world_of(scenario);
  const auto library = make_library(scenario.mpi);
  std::vector<WorkTiming> timings;
  for (int id = 0; id < world.size(); ++id) {
    const Communicator comm(simulation.rank(id), world, id, library);
    const auto kind = scenario.platform->devices[scenario.ranks[static_cast<std::size_t>(id)]].kind;
    simulation.set_program(id, id == 0 ? run_boss(comm, workload, timings)
                                       : run_worker(comm, workload, of_kind(workload.compute, kind)));
  }
  if (const auto ends = simulation.run(); !ends)
    return ends.errors();
  BossWorkerRecord record;
  for (const auto& timing : timings)
    record.rows.push_back({timing.work_item, timing.items, timing.time});
  return record;
}

ReplayWorld replay_world_of(const Scenario& scenario, const TraceSource& source) {
  auto world = make_replay_world(make_library(scenario.mpi));
  add_communicator(world, world_of(scenario));
  const auto nodes = nodes_of(scenario);
  const auto points = points_of(scenario);
  const auto& communicators = source.communicators();
  for (std::size_t i = 1; i < communicators.size(); ++i)
    add_communicator(world, make_group(communicators[i], nodes, points));
  return world;
}

Result<ReplayRecord> run_trace(const Scenario& scenario, Simulation& simulation) {
  const auto& replay = std::get<Replay>(scenario.workload);
  std::optional<ReplayWorld> world;
  if (replay.source)
    world = replay_world_of(scenario, *replay.source);
  for (int id = 0; id < static_cast<int>(scenario.ranks.size()); ++id) {
    auto& rank = simulation.rank(id);
    const auto kind = scenario.platform->devices[scenario.ranks[static_cast<std::size_t>(id)]].kind;
    const double slowdown = of_kind(replay.slowdown, kind);
    simulation.set_program(
        id, world ? run_replay(rank, *world, replay.source->open(id), {of_kind(replay.speed, kind), slowdown})
                  : run_scheduled(rank, *replay.schedule, slowdown));
  }
  auto ends = simulation.run();
  if (!ends)
    return ends.errors();
  return ReplayRecord{replay.file, std::move(*ends)};
}

Result<RunOutcome> run_workload(const Scenario& scenario, Simulation& simulation) {
  const int ranks = static_cast<int>(scenario.ranks.size());
  const auto place = [&](Errors errors) {
    for (auto& error : errors)
      if (error.file.empty())
        error.file = scenario.file;
    return errors;
  };
  if (std::holds_alternative<Benchmark>(scenario.workload)) {
    auto outcome = run_benchmarks(scenario, simulation);
    if (!outcome)
      return place(outcome.errors());
    if (scenario.reference)
      compare_with(scenario.reference->curve, outcome->rows);
    return {std::move(*outcome)};
  }
  if (std::holds_alternative<BossWorker>(scenario.workload)) {
    auto outcome = run_boss_worker(scenario, simulation);
    if (!outcome)
      return place(outcome.errors());
    return {std::move(*outcome)};
  }
  if (std::holds_alternative<Replay>(scenario.workload)) {
    auto outcome = run_trace(scenario, simulation);
    if (!outcome)
      return place(outcome.errors());
    return {std::move(*outcome)};
  }
  auto outcome = run_step_lists(std::get<StepProgram>(scenario.workload), simulation, ranks);
  if (!outcome)
    return place(outcome.errors());
  return {std::move(*outcome)};
}

// Nothing if there are more messages than the limit.
std::optional<Result<RunRecord>> run_on(EngineKind kind, const Scenario& scenario, const Plan& plan, Trace* trace,
                                        const EngineOptions& options, std::size_t limit) {
  constexpr std::size_t few_ranks = 16; // which can't disturb one another for long
  const auto& channels = plan.topology->channels();
  const auto tick = scenario.ranks.size() <= few_ranks ? fine_tick : coarse_tick;
  const auto network = kind == EngineKind::fluid ? make_fluid_network(channels, options.tolerance, options.seed, tick)
                                                 : make_simgrid_network(channels, options.seed, tick);
  Simulation simulation(*network, *plan.chains, static_cast<int>(scenario.ranks.size()));
  simulation.limit(limit);
  simulation.shuffle(options.seed);
  std::optional<Recorder> recorder;
  if (trace) {
    trace->clear();
    simulation.record(recorder.emplace(*trace, *network, *plan.chains, static_cast<int>(scenario.ranks.size())));
  }
  auto outcome = run_workload(scenario, simulation);
  if (simulation.is_over_limit())
    return std::nullopt;
  if (!outcome)
    return outcome.errors();
  if (recorder)
    recorder->finish();

  RunRecord record;
  record.scenario = scenario.name;
  record.scenario_file = scenario.file;
  record.platform = scenario.platform->name;
  record.platform_file = scenario.platform->file;
  record.fabric = scenario.fabric;
  for (const auto device : scenario.ranks)
    record.ranks.push_back(scenario.platform->devices[device].name);
  record.engine = network->name();
  if (kind == EngineKind::fluid)
    record.tolerance = options.tolerance;
  record.messages = simulation.messages();
  record.duration = simulation.duration();
  record.outcome = std::move(*outcome);
  if (const auto& reference = scenario.reference; reference && std::holds_alternative<Benchmark>(scenario.workload))
    record.reference = ReferenceUse{reference->curve.file, reference->curve.metric, reference->use};
  record.sources = sources_of(*scenario.platform, *plan.chains);
  if (adds_vectors(scenario.workload))
    record.sources.push_back({"/mpi/reduction", scenario.mpi.source});
  return record;
}

// Whether a trace is so long that it has more messages than SimGrid is taken for.
bool is_long(const Workload& workload) {
  constexpr std::uint64_t message_bytes = 100; // of text, with what a rank does before the next one
  const auto* replay = std::get_if<Replay>(&workload);
  return replay && replay->source && replay->source->bytes() > message_bytes * simgrid_messages;
}

} // namespace

Result<Plan> plan(const Scenario& scenario) {
  constexpr std::size_t few = 64; // devices
  Plan plan{scenario.platform, std::make_unique<Topology>(*scenario.platform), nullptr};
  plan.chains = std::make_unique<ChainTable>(*scenario.platform, *plan.topology,
                                             *find_fabric(*scenario.platform, scenario.fabric), scenario.ranks);
  if (plan.chains->devices() <= few)
    if (auto errors = plan.chains->find_all(); !errors.empty())
      return errors;
  return plan;
}

Result<RunRecord> run(const Scenario& scenario, Trace* trace, const EngineOptions& options) {
  const auto planned = plan(scenario);
  return planned ? run(scenario, *planned, trace, options) : planned.errors();
}

Result<RunRecord> run(const Scenario& scenario, const Plan& plan, Trace* trace, const EngineOptions& options) {
  const auto ranks = scenario.ranks.size();
  if (options.kind == EngineKind::automatic && ranks * ranks <= simgrid_messages && !is_long(scenario.workload))
    if (auto record = run_on(EngineKind::simgrid, scenario, plan, trace, options, simgrid_messages))
      return std::move(*record);
  const auto kind = options.kind == EngineKind::simgrid ? EngineKind::simgrid : EngineKind::fluid;
  return *run_on(kind, scenario, plan, trace, options, std::numeric_limits<std::size_t>::max());
}

} // namespace kakehashi
