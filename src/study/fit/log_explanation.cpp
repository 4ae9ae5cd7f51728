#include "study/fit/log_explanation.hpp"

#include "study/fit/fault.hpp"
#include "study/fit/protocol_changes.hpp"
#include "study/run/pool.hpp"
#include "study/run/run.hpp"
#include "topology/capacity.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// A fault explains a log if it leaves so much of the error at most, and takes away so much at least.
constexpr double most_left = 0.5;
constexpr double least_gain = 0.015;
// Two faults are alike if their errors differ by no more than this, or by that share of the lesser.
constexpr double no_difference = 0.002;
constexpr double small_difference = 0.15;
constexpr std::size_t most_faults = 8; // that are kept

// The mean |ln(predicted / measured)| of each table's sizes, averaged over the tables.
Result<double> error_of(std::span<const Scenario> scenarios, const PlantableFault& fault) {
  double sum = 0;
  for (const auto& scenario : scenarios) {
    const auto record = run(with_fault(scenario, fault));
    if (!record)
      return record.errors();
    double error = 0;
    std::size_t points = 0;
    for (std::size_t i = 0; i < record->measured.size(); ++i) {
      const auto measured = record->measured[i].measured;
      const double predicted = value_of(record->table.figures[i], record->reference->metric);
      if (!measured || *measured <= 0 || predicted <= 0)
        continue;
      error += std::abs(std::log(predicted / *measured));
      ++points;
    }
    sum += error / static_cast<double>(std::max<std::size_t>(1, points));
  }
  return sum / static_cast<double>(scenarios.size());
}

std::vector<AllowedRate> rates_on_way(const Scenario& scenario) {
  std::vector<AllowedRate> rates;
  const auto& links = scenario.platform->links;
  for (const auto& group : groups_on_way(scenario)) {
    rates.push_back({{}, sheet_text(links[group.links.front()]), group.rate});
    for (const auto link : group.links)
      rates.back().links.push_back(short_name(links[link]));
  }
  return rates;
}

// Of each sort the slowest one of data sheets that could carry what was measured.
std::vector<AllowedRate> known_rates(BytesPerSecond best) {
  std::vector<AllowedRate> rates;
  const auto add_least = [&](const std::vector<Link>& links) {
    std::optional<AllowedRate> least;
    for (const auto& link : links)
      if (const auto rate = capacity_of(link).forward; rate >= best && (!least || rate < least->rate))
        least = AllowedRate{{}, sheet_text(link), rate};
    if (least)
      rates.push_back(std::move(*least));
  };
  const auto link_of = [](std::string_view type) {
    Link link;
    link.type = link_type(type);
    link.rating.emplace();
    return link;
  };
  std::vector<Link> cables, slots, lines;
  for (std::size_t signalling = 0; signalling < infiniband_rates().size(); ++signalling) {
    cables.push_back(link_of("infiniband"));
    cables.back().rating->signalling = signalling;
    cables.back().rating->lanes = 4;
  }
  for (int generation = 1; generation <= 6; ++generation)
    for (const int lanes : {4, 8, 16}) {
      slots.push_back(link_of("pcie"));
      slots.back().rating->generation = generation;
      slots.back().rating->lanes = lanes;
    }
  for (const double gbits : {1, 10, 25, 40, 50, 100, 200, 400, 800}) {
    lines.push_back(link_of("ethernet"));
    lines.back().rating->line_rate = BytesPerSecond{gbits * 1e9 / 8};
  }
  add_least(cables);
  add_least(lines);
  add_least(slots);
  return rates;
}

bool has_assumed_costs(const Scenario& scenario) {
  const auto planned = plan(scenario);
  if (!planned)
    return false;
  const auto& regimes = (*planned->ways)[*planned->ways->find(0, 1)].stages.front().terms.rule->regimes;
  return std::ranges::any_of(regimes, [](const Regime& regime) { return regime.source.kind == SourceKind::assumed; });
}

void find_faults(LogExplanation& found, std::span<const Scenario> scenarios, int jobs, const StudyProgress& progress) {
  const auto faults = possible_faults(scenarios);
  std::vector<Task<double>> tasks;
  for (const auto& fault : faults)
    tasks.push_back([&fault, scenarios] { return error_of(scenarios, fault); });
  std::size_t done = 0;
  const auto errors = run_in_children(tasks, jobs, [&](std::size_t more) { progress(done += more, tasks.size()); });
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (errors[i]) // some cannot be on this platform, as a fabric that does not join the ranks
      found.faults.push_back({faults[i].kind, faults[i].what, faults[i].check, *errors[i]});
  std::ranges::stable_sort(found.faults, {}, &TriedFault::error);
  if (found.faults.size() > most_faults)
    found.faults.resize(most_faults);
  if (found.faults.empty())
    return;
  const double best = found.faults.front().error;
  found.is_explained = best <= most_left * found.error && found.error - best >= least_gain;
  found.equal = static_cast<std::size_t>(std::ranges::count_if(found.faults, [&](const TriedFault& fault) {
    return fault.error <= best + std::max(no_difference, small_difference * best);
  }));
}

} // namespace

Result<LogExplanation> explain_logs(std::span<const Scenario> scenarios, bool is_known, int jobs,
                                    const StudyProgress& progress) {
  LogExplanation found;
  BytesPerSecond best;
  for (const auto& scenario : scenarios) {
    found.tables.push_back(explain_table(scenario, is_known));
    best = std::max(best, found.tables.back().best);
  }
  found.links = is_known ? rates_on_way(scenarios.front()) : known_rates(best);
  for (auto& link : found.links)
    link.reached = best / link.rate;
  std::ranges::stable_sort(found.links, {}, &AllowedRate::rate);
  if (!is_known)
    return found;
  const auto& first = scenarios.front();
  found.platform = first.platform->name;
  found.fabric = first.fabric;
  for (const auto rank : first.ranks)
    found.ranks.push_back(first.platform->devices[rank].name);
  const auto error = error_of(scenarios, {});
  if (!error)
    return error.errors();
  found.error = *error;
  found.is_assumed = has_assumed_costs(first);
  find_faults(found, scenarios, jobs, progress);
  return found;
}

} // namespace kakehashi
