#include "study/gpu/gpu_studies.hpp"

#include "study/gpu/change.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// A fault explains logs if it leaves at most this error, and this share of it, and removes at least this much.
constexpr double most_error_of_gpus = 0.3;
constexpr double most_left_of_gpus = 0.5;
constexpr double least_gain_of_gpus = 0.05;
constexpr double no_difference_of_gpus = 0.01; // two faults fit equally well
constexpr std::size_t most_faults_of_gpus = 8;
constexpr std::size_t most_ways = 4;

std::string library_text(const GpuSystem& system) {
  return fmt::format("{} {}", system.library->title, to_text(system.version));
}

// Ways that differ: of each ring with each adapter.
std::vector<std::string> ways_of(const GpuCollectives& gpus) {
  std::vector<std::string> ways;
  for (int channel = 0; channel < gpus.graph().channels && ways.size() < most_ways; ++channel)
    if (auto way = ring_text(gpus.system(), gpus.graph(), static_cast<std::size_t>(channel));
        std::ranges::find(ways, way) == ways.end())
      ways.push_back(std::move(way));
  return ways;
}

// Of the largest calls first.
std::vector<std::string> limits_of(const std::vector<ExplainedGpuCall>& calls) {
  std::vector<std::string> limits;
  for (auto call = calls.rbegin(); call != calls.rend(); ++call)
    if (std::ranges::find(limits, call->time.limit) == limits.end())
      limits.push_back(call->time.limit);
  return limits;
}

double log_error(const std::vector<CurvePoint>& measured, const std::vector<GpuTime>& times) {
  double sum = 0;
  for (std::size_t i = 0; i < measured.size(); ++i)
    sum += std::abs(std::log(in_microseconds(times[i].time) / measured[i].value));
  return sum / static_cast<double>(measured.size());
}

// The mean over the tables with a change; none: a call cannot run so.
std::optional<double> error_with(const GpuChange& change, std::span<const Scenario> scenarios) {
  double sum = 0;
  for (const auto& scenario : scenarios) {
    const auto times = times_of(change.of(setup_of(scenario)));
    if (!times)
      return std::nullopt;
    sum += log_error(scenario.reference->curve.points, *times);
  }
  return sum / static_cast<double>(scenarios.size());
}

void try_faults(std::span<const Scenario> scenarios, const GpuCollectives& now, GpuLogExplanation& found) {
  for (const auto& fault : gpu_faults(setup_of(scenarios.front()), now))
    if (const auto error = error_with(fault, scenarios))
      found.faults.push_back({found.faults.size(), fault.kind, fault.what, fault.check, *error});
  std::ranges::stable_sort(found.faults, {}, &TriedFault::error);
  if (found.faults.empty())
    return;
  const double best = found.faults.front().error;
  found.is_explained =
      best <= most_error_of_gpus && best <= most_left_of_gpus * found.error && found.error - best >= least_gain_of_gpus;
  found.equal = static_cast<std::size_t>(std::ranges::count_if(
      found.faults, [&](const TriedFault& fault) { return fault.error <= best + no_difference_of_gpus; }));
  std::ranges::sort(found.faults.begin(), found.faults.begin() + static_cast<std::ptrdiff_t>(found.equal), {},
                    &TriedFault::order);
  if (found.faults.size() > std::max(most_faults_of_gpus, found.equal))
    found.faults.resize(std::max(most_faults_of_gpus, found.equal));
}

} // namespace

bool is_of_gpus(const Scenario& scenario) {
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  return benchmark && kind_of(*benchmark).gpu;
}

Result<GpuExplanation> explain_gpus(const Scenario& scenario) {
  const auto setup = setup_of(scenario);
  const auto gpus = collectives_of(setup);
  if (!gpus)
    return gpus.errors();
  const auto& system = (*gpus)->system();
  const auto& graph = (*gpus)->graph();
  GpuExplanation found{.scenario = scenario.name,
                       .benchmark = std::get<Benchmark>(scenario.workload).name,
                       .operation = setup.operation,
                       .platform = scenario.platform->name,
                       .library = library_text(system),
                       .ranks = system.ranks.size(),
                       .nodes = system.node_count(),
                       .channels = std::min(graph.channels, setup.wishes.channels.value_or(graph.channels)),
                       .inside = graph.inside,
                       .between = graph.between,
                       .link_limit = (*gpus)->link_limit(),
                       .ways = ways_of(**gpus),
                       .calls = {},
                       .what_ifs = {},
                       .notes = system.notes};
  for (const auto size : setup.sizes) {
    auto time = (*gpus)->time(setup.operation, size, setup.wishes);
    if (!time)
      return time.errors();
    const bool is_collnet = time->pattern >= GpuPattern::collnet_chain;
    if (auto way = is_collnet ? collnet_text(system, *time->algorithm) : "";
        is_collnet && std::ranges::find(found.notes, way) == found.notes.end())
      found.notes.push_back(std::move(way));
    found.calls.push_back(
        {size, std::move(*time), (*gpus)->candidates(setup.operation, size, every_choice(setup.wishes))});
  }
  for (const auto& change : gpu_what_ifs(setup, **gpus, limits_of(found.calls))) {
    auto times = times_of(change.of(setup));
    if (times)
      found.what_ifs.push_back({change.kind, change.what, std::move(*times), ""});
    else
      found.what_ifs.push_back({change.kind, change.what, {}, times.errors().front().message});
  }
  return found;
}

Result<GpuLogExplanation> explain_gpu_logs(std::span<const Scenario> scenarios) {
  const auto gpus = collectives_of(setup_of(scenarios.front()));
  if (!gpus)
    return gpus.errors();
  GpuLogExplanation found{.platform = scenarios.front().platform->name,
                          .library = library_text((*gpus)->system()),
                          .ranks = scenarios.front().ranks.size(),
                          .tables = {},
                          .faults = {},
                          .notes = (*gpus)->system().notes};
  for (const auto& scenario : scenarios) {
    const auto setup = setup_of(scenario);
    const auto times = times_of(setup);
    if (!times)
      return times.errors();
    const auto& points = scenario.reference->curve.points;
    GpuLogTable table{
        scenario.name, std::get<Benchmark>(scenario.workload).name, setup.operation, {}, log_error(points, *times)};
    for (std::size_t i = 0; i < points.size(); ++i)
      table.rows.push_back({points[i].size, microseconds(points[i].value), (*times)[i]});
    found.error += table.error / static_cast<double>(scenarios.size());
    found.tables.push_back(std::move(table));
  }
  try_faults(scenarios, **gpus, found);
  return found;
}

} // namespace kakehashi
