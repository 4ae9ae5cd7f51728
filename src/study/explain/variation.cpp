#include "study/explain/explanations.hpp"

#include "study/run/scenario_run.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <tuple>

namespace kakehashi {
namespace {

// The ways between one rank and all others stand for the ways that a job asks for while it runs.
void ask_from(const Scenario& scenario, WayTable& ways, int rank, bool one_sided) {
  for (int other = 0; other < static_cast<int>(scenario.ranks.size()); ++other)
    for (const auto& [from, to] : {std::pair(rank, other), std::pair(other, rank)}) {
      if (from == to)
        continue;
      for (const auto size : {Bytes{}, largest_size}) { // long messages may be striped
        (void)ways.find(from, to, Side::sender, size);  // without a way nothing is sent there
        if (one_sided)
          (void)ways.find(from, to, Side::receiver, size);
        for (std::size_t lane = 1; lane < ways.lanes().size(); ++lane)
          if (ways.lanes()[lane].is_open)
            (void)ways.find(from, to, Side::sender, size, static_cast<LaneNumber>(lane));
      }
    }
}

std::vector<const Way*> ways_of(const Scenario& scenario, const Plan& plan) {
  const auto* fabric = find_fabric(*scenario.platform, scenario.fabric);
  ask_from(scenario, *plan.ways, 0, fabric && fabric->one_sided);
  std::vector<const Way*> ways;
  for (const auto& way : plan.ways->all())
    ways.push_back(&way);
  return ways;
}

auto all_of(const Benchmark& benchmark) {
  return std::tie(benchmark.name, benchmark.sizes, benchmark.repetitions, benchmark.warm_up, benchmark.window,
                  benchmark.columns, benchmark.root, benchmark.megabyte);
}

} // namespace

Result<Parameters> parameters_of(const Scenario& scenario) {
  const auto planned = routes_of(scenario);
  if (!planned)
    return planned.errors();
  const auto ways = ways_of(scenario, *planned);
  const auto& platform = *scenario.platform;
  Parameters parameters;
  const auto add = [&](Parameter parameter) {
    auto name = parameter.name();
    parameters.emplace(std::move(name), std::move(parameter));
  };
  for (auto& parameter : parameters_of(platform, ways))
    add(std::move(parameter));
  for (auto& parameter : thresholds_of(platform, ways))
    add(std::move(parameter));
  if (make_job(scenario.workload, make_place(platform, scenario.ranks, scenario.mpi)).adds_vectors &&
      scenario.mpi.reduction == platform.mpi.reduction)
    add(library_parameters_of(platform.mpi).front());
  for (auto& parameter : table_numbers_of(scenario))
    add(std::move(parameter));
  return parameters;
}

Scenario changed(const Scenario& scenario, const std::vector<Change>& changes) {
  auto with = scenario;
  if (changes.empty())
    return with;
  auto platform = std::make_shared<Platform>(*scenario.platform);
  for (const auto& change : changes) {
    change.parameter->scale(*platform, change.factor);
    if (change.parameter->place == library_place)
      with.mpi.reduction = platform->mpi.reduction;
    if (change.parameter->place == tables_place)
      with.mpi.rules = platform->mpi.rules;
  }
  with.platform = std::move(platform);
  return with;
}

bool is_same_run(const Scenario& a, const Scenario& b) {
  if (&a == &b)
    return true;
  const auto* one = std::get_if<Benchmark>(&a.workload);
  const auto* other = std::get_if<Benchmark>(&b.workload);
  const auto where = [](const Scenario& scenario) {
    return std::tie(scenario.platform, scenario.fabric, scenario.ranks);
  };
  if (!one || !other || where(a) != where(b) || a.reference.has_value() != b.reference.has_value() ||
      (a.reference && a.reference->curve.file != b.reference->curve.file))
    return false;
  if (all_of(*one) == all_of(*other) && make_library(a.mpi) == make_library(b.mpi))
    return true;
  return is_same_work(*one, *make_place(*a.platform, a.ranks, a.mpi), *other, *make_place(*b.platform, b.ranks, b.mpi));
}

bool is_one_size_of(const Scenario& run, const Scenario& scenario) {
  const auto* one = std::get_if<Benchmark>(&run.workload);
  const auto* all = std::get_if<Benchmark>(&scenario.workload);
  return one && all && run.platform->name == scenario.platform->name && run.fabric == scenario.fabric &&
         one->name == all->name && one->sizes.size() == 1 &&
         std::ranges::find(all->sizes, one->sizes.front()) != all->sizes.end();
}

} // namespace kakehashi
