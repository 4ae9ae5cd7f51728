#include "study/fit/predicted_curve.hpp"

#include "study/pool/pool.hpp"
#include "study/run/run.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {
namespace {

std::vector<PredictedPoint> points_of(const RunRecord& record) {
  std::vector<PredictedPoint> points;
  for (std::size_t i = 0; i < record.table.figures.size(); ++i) {
    const auto& figures = record.table.figures[i];
    points.push_back({figures.size, value_of(figures, record.reference->metric), record.measured[i].measured,
                      record.measured[i].error});
  }
  return points;
}

template <class Change> std::vector<Scenario> on_changed(std::span<const Scenario> scenarios, const Change& change) {
  auto platform = std::make_shared<Platform>(*scenarios.front().platform);
  const auto fabric = std::ranges::find(platform->fabrics, scenarios.front().fabric, &Fabric::name);
  assert(fabric != platform->fabrics.end());
  change(*fabric);
  std::vector<Scenario> changed(scenarios.begin(), scenarios.end());
  for (auto& scenario : changed)
    scenario.platform = platform;
  return changed;
}

} // namespace

std::vector<PredictedCurve> predict_curves(std::span<const Scenario> scenarios, int jobs) {
  std::vector<Task<std::vector<PredictedPoint>>> tasks;
  for (const auto& scenario : scenarios)
    tasks.push_back([&scenario]() -> Result<std::vector<PredictedPoint>> {
      const auto record = run(scenario);
      return record ? Result(points_of(*record)) : record.errors();
    });
  const auto results = run_in_children(tasks, jobs);
  std::vector<PredictedCurve> curves;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const auto& reference = *scenarios[i].reference;
    if (results[i])
      curves.push_back(
          {scenarios[i].platform->name, scenarios[i].name, reference.curve.metric, reference.use, *results[i]});
  }
  return curves;
}

std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const CalibrationRecord& record) {
  return on_changed(scenarios, [&](Fabric& fabric) {
    for (std::size_t c = 0; c < record.rules.size(); ++c)
      fabric.rules[record.rules[c]].regimes = record.regimes[c];
  });
}

std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const TunedAdjustments& tuned) {
  return on_changed(scenarios, [&](Fabric& fabric) {
    for (std::size_t i = 0; i < tuned.indices.size(); ++i)
      fabric.adjustments[tuned.indices[i]] = tuned.adjustments[i];
  });
}

} // namespace kakehashi
