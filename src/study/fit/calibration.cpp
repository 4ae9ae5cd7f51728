#include "study/fit/fits.hpp"

#include "calibration/fit_steps.hpp"
#include "study/fit/fit_parts.hpp"
#include "study/pool/pool.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

using Values = std::vector<double>; // values at the points of a curve, in its unit

// Simulates the scenario on that platform; returns its value for each point of the reference, in the unit of the curve.
// Bandwidths are in 10^6 B/s.
Task<Values> predict_task(const Scenario& scenario, std::shared_ptr<const Platform> platform) {
  return [&scenario, platform]() -> Result<Values> {
    auto candidate = scenario;
    candidate.platform = platform;
    std::vector<std::uint64_t> sizes;
    for (const auto& point : candidate.reference->curve.points)
      sizes.push_back(point.size.count);
    candidate.workload = with_sizes(std::move(candidate.workload), sizes);
    const auto record = run(candidate);
    if (!record)
      return record.errors();
    Values values;
    for (const auto& figures : record->table.figures)
      values.push_back(value_of(figures, scenario.reference->curve.metric));
    return values;
  };
}

Result<std::vector<Values>> predict_all(std::span<const Scenario> scenarios, const Platform& platform, int jobs) {
  const auto shared = std::make_shared<const Platform>(platform);
  std::vector<Task<Values>> tasks;
  for (const auto& scenario : scenarios)
    tasks.push_back(predict_task(scenario, shared));
  return try_all(tasks, jobs);
}

Fabric& fabric_of(Platform& platform, const std::string& name) {
  return *std::find_if(platform.fabrics.begin(), platform.fabrics.end(),
                       [&](const Fabric& fabric) { return fabric.name == name; });
}

// Returns the amount that an adjustment adds, as a positive number for the search.
double& amount_of(Adjustment& adjustment) {
  for (double* amount : {&adjustment.latency.value, &adjustment.overhead.value, &adjustment.gap.value})
    if (*amount > 0)
      return *amount;
  return adjustment.copy_factor;
}

CalibratedCurve judge(const Curve& curve, const Values& found) {
  CalibratedCurve judged;
  judged.name = curve.name;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& point = curve.points[i];
    if (point.value <= 0 || (curve.metric == Metric::bandwidth && point.size < Bytes{8}))
      continue;
    const double error = std::abs(found[i] - point.value) / point.value;
    ++judged.points;
    judged.mean += error;
    if (judged.points == 1 || error > judged.worst) {
      judged.worst = error;
      judged.worst_size = point.size;
    }
  }
  judged.mean /= static_cast<double>(std::max<std::size_t>(1, judged.points));
  return judged;
}

// Returns a coarse grid of points around the start, over its first two coordinates.
std::vector<std::vector<double>> around(const std::vector<double>& start) {
  constexpr double offsets[] = {-2.5, -1.5, -0.7, -0.2, 0.2, 0.7, 1.5, 2.5};
  std::vector<std::vector<double>> points;
  for (const double first : offsets)
    for (const double second : offsets) {
      auto point = start;
      point[0] += first;
      if (point.size() > 1)
        point[1] += second;
      points.push_back(std::move(point));
    }
  return points;
}

} // namespace

std::vector<RuleSplit> split_rules(std::vector<Scenario>& scenarios) {
  auto platform = std::make_shared<Platform>(*scenarios.front().platform);
  Topology topology(*platform);
  std::map<std::pair<std::string, std::size_t>, std::set<Scope>> uses;
  for (const auto& scenario : scenarios) {
    if (scenario.ranks.size() != 2)
      continue;
    const auto& fabric = *find_fabric(*platform, scenario.fabric);
    const auto path = make_path(*platform, topology, fabric, scenario.ranks[0], scenario.ranks[1]);
    if (path && !path->terms.rule->scope)
      uses[{fabric.name, static_cast<std::size_t>(path->terms.rule - fabric.rules.data())}].insert(path->scope);
  }
  std::vector<RuleSplit> splits;
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) { // from the last rule on, so that indices stay valid
    const auto& [rule, scopes] = *use;
    if (scopes.size() > 1)
      splits.push_back({rule.first, rule.second, {scopes.begin(), scopes.end()}});
  }
  for (const auto& split : splits) {
    auto& rules = fabric_of(*platform, split.fabric).rules;
    const auto whole = rules[split.rule];
    for (std::size_t i = 0; i < split.scopes.size(); ++i) {
      auto own = whole;
      own.scope = split.scopes[i];
      own.moved_by_cores |= own.scope == Scope::inside_device; // inside a device there are no links
      rules.insert(rules.begin() + static_cast<std::ptrdiff_t>(split.rule + i), std::move(own));
    }
  }
  if (!splits.empty())
    for (auto& scenario : scenarios)
      scenario.platform = platform;
  return splits;
}

std::vector<std::vector<Scenario>> fitted_together(const std::vector<Scenario>& scenarios) {
  std::vector<std::vector<Scenario>> groups;
  const auto key = [](const Scenario& scenario) {
    return std::pair(scenario.fabric, scope_of(*scenario.platform, scenario.ranks.front(), scenario.ranks.back()));
  };
  for (const auto& scenario : scenarios) {
    const auto group =
        std::ranges::find_if(groups, [&](const auto& each) { return key(each.front()) == key(scenario); });
    (group == groups.end() ? groups.emplace_back() : *group).push_back(scenario);
  }
  return groups;
}

Result<CalibrationRecord> calibrate_regimes(std::span<const Scenario> scenarios, CalibrationOptions options, int jobs,
                                            const StepsDone& progress) {
  assert(!scenarios.empty());
  std::vector<Observation> tests;
  std::map<std::size_t, std::size_t> class_of_rule;
  for (const auto& scenario : scenarios) {
    auto test = observe(scenario);
    if (!test)
      return test.errors();
    test->path_class = class_of_rule.emplace(test->path_class, class_of_rule.size()).first->second;
    tests.push_back(std::move(*test));
  }
  std::vector<std::size_t> rules(class_of_rule.size());
  for (const auto& [rule, path_class] : class_of_rule)
    rules[path_class] = rule;

  const auto& first = scenarios.front();
  options.cores_move_payload = find_fabric(*first.platform, first.fabric)->rules[rules.front()].moved_by_cores;
  const auto simulate = [&](const std::vector<std::vector<Regime>>& regimes) {
    Platform platform = *first.platform;
    for (std::size_t c = 0; c < rules.size(); ++c)
      fabric_of(platform, first.fabric).rules[rules[c]].regimes = regimes[c];
    return predict_all(scenarios, platform, jobs);
  };
  auto record = calibrate(std::move(tests), options, simulate, progress);
  if (record) {
    record->rules = std::move(rules);
    record->scope = scope_of(*first.platform, first.ranks.front(), first.ranks.back());
  }
  return record;
}

Result<TunedAdjustments> tune_adjustments(std::span<const Scenario> scenarios, const std::vector<std::size_t>& indices,
                                          int jobs) {
  assert(!scenarios.empty() && !indices.empty());
  Platform platform = *scenarios.front().platform;
  auto& adjustments = fabric_of(platform, scenarios.front().fabric).adjustments;
  // The search does not start from the platform's present values, so that the same curves always give the same result.
  std::vector<double> start;
  for (const auto index : indices)
    start.push_back(std::log(&amount_of(adjustments[index]) == &adjustments[index].copy_factor ? 1.3 : 1e-7));
  Errors errors;
  const auto set = [&](const std::vector<double>& logarithms) {
    for (std::size_t i = 0; i < indices.size(); ++i)
      amount_of(adjustments[indices[i]]) = std::stod(fmt::format("{:.3g}", std::exp(logarithms[i])));
    for (auto& adjustment : adjustments)
      adjustment.copy_factor = std::max(1.0, adjustment.copy_factor);
  };
  const auto cost = [&](const std::vector<double>& logarithms) {
    set(logarithms);
    const auto found = predict_all(scenarios, platform, jobs);
    if (!found) {
      errors = found.errors();
      return 1e9;
    }
    double sum = 0;
    for (std::size_t i = 0; i < scenarios.size(); ++i)
      sum += judge(scenarios[i].reference->curve, (*found)[i]).mean;
    return sum;
  };
  Minimum best{start, cost(start)};
  for (const auto& at : around(start)) // a search finds the minimum near its start
    if (const double value = cost(at); value < best.value)
      best = {at, value};
  for (const double step : {0.7, -0.5, 1.5, 0.1}) {
    auto found = minimise(cost, best.at, step, 60);
    if (found.value < best.value)
      best = std::move(found);
  }
  if (!errors.empty())
    return errors;
  set(best.at);
  const auto found = predict_all(scenarios, platform, jobs);
  if (!found)
    return found.errors();
  TunedAdjustments tuned{indices, {}, {}};
  std::string names;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    tuned.curves.push_back(judge(scenarios[i].reference->curve, (*found)[i]));
    names += (names.empty() ? "" : ", ") + scenarios[i].reference->curve.name;
  }
  for (const auto index : indices) {
    adjustments[index].source = {SourceKind::calibrated, names};
    tuned.adjustments.push_back(adjustments[index]);
  }
  return tuned;
}

} // namespace kakehashi
