#include "study/scored_line.hpp"

#include "study/run.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace kakehashi {
namespace {

Result<RunFigures> figures_of(const Scenario& scenario, const ReferenceCase* curve) {
  const auto record = run(scenario);
  if (!record)
    return record.errors();
  RunFigures figures{number_of(*record, Claim::Number::time), number_of(*record, Claim::Number::bandwidth), {}, {}};
  if (!curve)
    return figures;
  const auto errors = errors_of(*record, *curve);
  if (!errors)
    return errors.errors();
  figures.errors = *errors;
  for (const auto& row : record->measured)
    if (row.error)
      figures.predicted.push_back(*row.measured * (1 + *row.error));
  return figures;
}

Result<RunFigures> crossover_figures(const ClaimCase& claim, const Changes& changes) {
  auto item = claim;
  for (auto& run : item.runs)
    run = changed(run, changes);
  const auto size = crossover_of(item, 1);
  return size ? Result<RunFigures>(RunFigures{*size, 0, {}, {}}) : size.errors();
}

} // namespace

std::vector<const Scenario*> scenarios_of(const ScoredLine& line) {
  assert(line.curve || line.claim);
  std::vector<const Scenario*> scenarios;
  if (line.curve)
    scenarios.push_back(&line.curve->scenario);
  else
    for (const auto& run : line.claim->runs)
      scenarios.push_back(&run);
  return scenarios;
}

std::size_t Runs::want(const ScoredLine& line, std::size_t unit, const Changes& changes) {
  const bool crosses = line.claim && is_crossover(*line.claim);
  const auto* scenario = scenarios_of(line)[unit];
  auto key = crosses ? line.claim->claim.platform + "/" + line.claim->claim.id
                     : fmt::format("{}", number_of_scenario(*scenario));
  Changes own;
  for (const auto& change : changes)
    if (line.parameters[unit].contains(change.parameter->name())) {
      own.push_back(change);
      key += fmt::format("|{} {}", change.parameter->name(), change.factor);
    }
  const auto [at, is_new] = known_.emplace(key, tasks_.size());
  if (is_new && crosses)
    tasks_.push_back([claim = line.claim, own] { return crossover_figures(*claim, own); });
  else if (is_new)
    tasks_.push_back([scenario, own, curve = line.curve] { return figures_of(changed(*scenario, own), curve); });
  return at->second;
}

void Runs::run(int jobs, const StudyProgress& progress) {
  std::size_t done = 0;
  results_ = run_in_children(tasks_, jobs, [&](std::size_t more) { progress(done += more, tasks_.size()); });
}

std::size_t Runs::number_of_scenario(const Scenario& scenario) {
  const auto is_it = [&](const Scenario* known) { return is_same_run(*known, scenario); };
  const auto found = std::ranges::find_if(scenarios_, is_it);
  const auto number = static_cast<std::size_t>(found - scenarios_.begin());
  if (found == scenarios_.end())
    scenarios_.push_back(&scenario);
  return number;
}

} // namespace kakehashi
