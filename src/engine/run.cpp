#include "engine/run.hpp"

#include "workload/benchmark/benchmark.hpp"
#include "workload/steps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

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
  return row;
}

// The regimes and adjustments that the ranks' paths may use.
std::vector<ParameterSource> sources_of(const Fabric& fabric, const PathTable& paths) {
  std::vector<ParameterSource> sources;
  const auto place = "/fabrics/" + fabric.name;
  for (std::size_t i = 0; i < fabric.rules.size(); ++i) {
    const auto& rule = fabric.rules[i];
    if (std::none_of(paths.all().begin(), paths.all().end(), [&](const Path& path) { return path.rule == &rule; }))
      continue;
    for (std::size_t j = 0; j < rule.regimes.size(); ++j)
      sources.push_back({fmt::format("{}/rules/{}/regimes/{}", place, i, j), rule.regimes[j].source});
  }
  for (std::size_t i = 0; i < fabric.adjustments.size(); ++i)
    if (std::any_of(paths.all().begin(), paths.all().end(),
                    [&](const Path& path) { return path.rule && path.crossings[i] > 0; }))
      sources.push_back({fmt::format("{}/adjustments/{}", place, i), fabric.adjustments[i].source});
  return sources;
}

bool adds_vectors(const std::variant<Benchmark, StepProgram>& workload) {
  const auto* benchmark = std::get_if<Benchmark>(&workload);
  const auto collective = benchmark ? collective_of(benchmark->name) : std::nullopt;
  return collective && has_reduction(*collective);
}

std::vector<NetworkPath> network_paths(const PathTable& paths) {
  std::vector<NetworkPath> all;
  for (const auto& path : paths.all()) {
    NetworkPath known{path.from, path.to, path.route.channels, {}};
    if (path.rule)
      for (const auto& regime : path.rule->regimes)
        if (regime.cap)
          known.caps.push_back(*regime.cap);
    all.push_back(std::move(known));
  }
  return all;
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

Result<BenchmarkRecord> run_benchmarks(const Scenario& scenario, Simulation& simulation) {
  const auto& benchmark = std::get<Benchmark>(scenario.workload);
  const auto world = make_world(nodes_of(scenario));
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

} // namespace

Result<Plan> plan(const Scenario& scenario) {
  Plan plan{scenario.platform, std::make_unique<Topology>(*scenario.platform), nullptr};
  const Fabric& fabric = *find_fabric(*scenario.platform, scenario.fabric);
  std::map<std::size_t, std::size_t> slots; // device → slot
  std::vector<std::size_t> devices;
  std::vector<std::size_t> slot_of_rank;
  std::vector<std::size_t> ranks_on;
  for (const auto device : scenario.ranks) {
    const auto [slot, is_new] = slots.emplace(device, devices.size());
    if (is_new) {
      devices.push_back(device);
      ranks_on.push_back(0);
    }
    ++ranks_on[slot->second];
    slot_of_rank.push_back(slot->second);
  }
  std::vector<Path> paths;
  Errors errors;
  for (std::size_t from = 0; from < devices.size(); ++from)
    for (std::size_t to = 0; to < devices.size(); ++to) {
      auto path = make_path(*plan.platform, *plan.topology, fabric, devices[from], devices[to]);
      if (path)
        paths.push_back(std::move(*path));
      else if (from == to && ranks_on[from] == 1) // a lone rank on a device need not reach itself
        paths.push_back(Path{});
      else
        errors.insert(errors.end(), path.errors().begin(), path.errors().end());
    }
  if (!errors.empty())
    return errors;
  plan.paths = std::make_unique<PathTable>(devices.size(), std::move(paths), std::move(slot_of_rank));
  return plan;
}

Result<RunRecord> run(const Scenario& scenario) {
  const auto planned = plan(scenario);
  if (!planned)
    return planned.errors();
  const auto network = make_simgrid_network(planned->topology->channels(), network_paths(*planned->paths));
  const int ranks = static_cast<int>(scenario.ranks.size());
  Simulation simulation(*network, *planned->paths, ranks);

  RunRecord record;
  record.scenario = scenario.name;
  record.scenario_file = scenario.file;
  record.platform = scenario.platform->name;
  record.platform_file = scenario.platform->file;
  record.fabric = scenario.fabric;
  for (const auto device : scenario.ranks)
    record.ranks.push_back(scenario.platform->devices[device].name);
  record.engine = network->name();
  record.sources = sources_of(*find_fabric(*scenario.platform, scenario.fabric), *planned->paths);
  if (adds_vectors(scenario.workload))
    record.sources.push_back({"/mpi/reduction", scenario.mpi.source});

  const auto place = [&](Errors errors) {
    for (auto& error : errors)
      error.file = scenario.file;
    return errors;
  };
  if (std::holds_alternative<Benchmark>(scenario.workload)) {
    auto outcome = run_benchmarks(scenario, simulation);
    if (!outcome)
      return place(outcome.errors());
    if (scenario.reference) {
      const auto& reference = *scenario.reference;
      compare_with(reference.curve, outcome->rows);
      record.reference = ReferenceUse{reference.curve.file, reference.curve.metric, reference.use};
    }
    record.outcome = std::move(*outcome);
  } else {
    auto outcome = run_step_lists(std::get<StepProgram>(scenario.workload), simulation, ranks);
    if (!outcome)
      return place(outcome.errors());
    record.outcome = std::move(*outcome);
  }
  record.messages = simulation.messages();
  return record;
}

} // namespace kakehashi
