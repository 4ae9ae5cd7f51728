#include "study/fit/fits.hpp"

#include "study/fit/fit_parts.hpp"
#include "study/pool/pool.hpp"
#include "study/run/scenario_run.hpp"
#include "topology/capacity.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cmath>

namespace kakehashi {
namespace {

// A fault explains a log if it leaves at most this share of the error, and removes at least this much error.
constexpr double most_left = 0.5;
constexpr double least_gain = 0.015;
// Two faults fit equally well if their errors differ by no more than this, or by that share of the smaller error.
constexpr double no_difference = 0.002;
constexpr double small_difference = 0.15;
constexpr std::size_t most_faults = 8; // number of faults that are kept

// For each scenario and point of its log: a prediction, or the weight of the point.
using Points = std::vector<std::vector<double>>;

Result<Points> predict(std::span<const Scenario> scenarios, const PlantableFault& fault) {
  Points points;
  for (const auto& scenario : scenarios) {
    const auto record = run(with_fault(scenario, fault));
    if (!record)
      return record.errors();
    auto& values = points.emplace_back();
    for (const auto& figures : record->table.figures)
      values.push_back(value_of(figures, record->reference->metric));
  }
  return points;
}

// Returns the mean |ln(predicted / measured)| over each table's sizes, averaged over the tables.
double error_of(std::span<const Scenario> scenarios, const Points& predicted, const Points& weights) {
  double sum = 0;
  for (std::size_t s = 0; s < scenarios.size(); ++s) {
    const auto& measured = scenarios[s].reference->curve.points;
    double error = 0, weight = 0;
    for (std::size_t i = 0; i < measured.size(); ++i)
      if (measured[i].value > 0 && predicted[s][i] > 0) {
        error += weights[s][i] * std::abs(std::log(predicted[s][i] / measured[i].value));
        weight += weights[s][i];
      }
    sum += weight > 0 ? error / weight : 0;
  }
  return sum / static_cast<double>(scenarios.size());
}

// Weights points by the links' share of the predicted time if links are better known than the other costs; else
// equally.
Points weights_of(std::span<const Scenario> scenarios, const Points& predicted,
                  std::optional<BytesPerSecond> narrowest) {
  Points weights;
  for (std::size_t s = 0; s < scenarios.size(); ++s) {
    auto as_predicted = scenarios[s];
    auto& points = as_predicted.reference->curve.points;
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i].value = predicted[s][i];
    auto& values = weights.emplace_back();
    if (!narrowest || !pair_test(scenarios[s].workload)) {
      values.assign(points.size(), 1);
      continue;
    }
    const auto times = message_times(as_predicted);
    for (const auto& point : points) {
      const auto time = times.at(point.size);
      values.push_back(!narrowest ? 1 : time ? std::min(1.0, in_microseconds(point.size / *narrowest) / *time) : 0);
    }
  }
  return weights;
}

std::vector<AllowedRate> rates_on_way(const Scenario& scenario) {
  std::vector<AllowedRate> rates;
  for (auto& group : groups_on_way(scenario))
    rates.push_back({std::move(group.names), std::move(group.what), group.rate});
  return rates;
}

// For each type of link: the slowest data sheet that could carry the measured rate.
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
  for (const double gbits : ethernet_gbits) {
    lines.push_back(link_of("ethernet"));
    lines.back().rating->line_rate = BytesPerSecond{gbits * 1e9 / 8};
  }
  add_least(cables);
  add_least(lines);
  add_least(slots);
  return rates;
}

bool has_assumed_costs(const Scenario& scenario) {
  const auto planned = routes_of(scenario);
  if (!planned)
    return false;
  const auto& regimes =
      (*planned->ways)[*planned->ways->find(0, far_rank(scenario))].stages.front().terms.rule->regimes;
  return std::ranges::any_of(regimes, [](const Regime& regime) { return regime.source.kind == SourceKind::assumed; });
}

void find_faults(LogExplanation& found, std::span<const Scenario> scenarios, const Points& weights, int jobs,
                 const StudyProgress& progress) {
  const auto faults = possible_faults(scenarios);
  std::vector<Task<double>> tasks;
  for (const auto& fault : faults)
    tasks.push_back([&fault, &weights, scenarios]() -> Result<double> {
      const auto predicted = predict(scenarios, fault);
      return predicted ? Result<double>(error_of(scenarios, *predicted, weights)) : predicted.errors();
    });
  const auto errors = run_in_children(tasks, jobs, progress);
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (errors[i]) // some faults are impossible on this platform, such as a fabric that does not join the ranks
      found.faults.push_back({i, faults[i].kind, faults[i].what, faults[i].check, *errors[i]});
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
  std::ranges::sort(found.faults.begin(), found.faults.begin() + static_cast<std::ptrdiff_t>(found.equal), {},
                    &TriedFault::order);
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
  const auto predicted = predict(scenarios, {});
  if (!predicted)
    return predicted.errors();
  found.is_assumed = has_assumed_costs(first);
  const bool links_count = found.is_assumed && !found.links.empty() && found.tables.front().is_pair;
  const auto weights =
      weights_of(scenarios, *predicted, links_count ? std::optional(found.links.front().rate) : std::nullopt);
  found.error = error_of(scenarios, *predicted, weights);
  find_faults(found, scenarios, weights, jobs, progress);
  found.is_explained = found.is_explained && (!found.is_assumed || links_count); // else nothing can be concluded
  return found;
}

} // namespace kakehashi
