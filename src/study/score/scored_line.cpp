#include "study/score/score.hpp"

#include "study/run/scenario_run.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <numeric>

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

std::vector<ScoredLine> lines_of(const Catalogue& catalogue, bool large) {
  std::vector<ScoredLine> lines;
  for (const auto& item : catalogue.curves) {
    lines.emplace_back().curve = &item;
    lines.back().row.now = row_of(item);
  }
  for (const auto& item : catalogue.claims) {
    lines.emplace_back().claim = &item;
    lines.back().row.now = row_of(item, large);
  }
  return lines;
}

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

bool is_crossover(const ScoredLine& line) {
  return line.claim && is_crossover(*line.claim);
}

Wanted Runs::want(const ScoredLine& line, const Changes& changes) {
  Wanted wanted;
  const auto units = is_crossover(line) ? 1 : scenarios_of(line).size();
  for (std::size_t unit = 0; unit < units; ++unit)
    wanted.push_back(want(line, unit, changes));
  return wanted;
}

std::size_t Runs::want(const ScoredLine& line, std::size_t unit, const Changes& changes) {
  const bool crosses = is_crossover(line);
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
  if (!is_new)
    return at->second;
  ranks_.push_back(scenario->ranks.size());
  if (crosses)
    tasks_.push_back([claim = line.claim, own] { return crossover_figures(*claim, own); });
  else
    tasks_.push_back([scenario, own, curve = line.curve] { return figures_of(changed(*scenario, own), curve); });
  return at->second;
}

void Runs::run(int jobs, const Team* team, const StudyProgress& progress) {
  std::vector<std::size_t> order(tasks_.size()); // the longest runs first
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t task) { return ranks_[task]; });
  std::vector<Task<RunFigures>> in_order;
  for (const auto task : order)
    in_order.push_back(tasks_[task]);
  auto results = run_in_children(in_order, jobs, progress, team);
  results_.assign(tasks_.size(), Errors());
  for (std::size_t i = 0; i < order.size(); ++i)
    results_[order[i]] = std::move(results[i]);
}

std::size_t Runs::number_of_scenario(const Scenario& scenario) {
  const auto is_it = [&](const Scenario* known) { return is_same_run(*known, scenario); };
  const auto found = std::ranges::find_if(scenarios_, is_it);
  const auto number = static_cast<std::size_t>(found - scenarios_.begin());
  if (found == scenarios_.end())
    scenarios_.push_back(&scenario);
  return number;
}

std::optional<LineNumbers> outcome_of(const ScoredLine& line, const Runs& runs, const Wanted& wanted,
                                      ValidationRow& row) {
  for (const auto run : wanted)
    if (!runs[run]) {
      row.verdict = Verdict::fail;
      row.reason = to_text(runs[run].errors().front());
      return std::nullopt;
    }
  if (line.curve) {
    const auto& figures = *runs[wanted.front()];
    judge(row, line.curve->target, figures.errors);
    return LineNumbers{row.mean, figures.predicted, row.verdict};
  }
  const auto& claim = line.claim->claim;
  std::vector<double> numbers;
  for (const auto run : wanted)
    numbers.push_back(claim.number == Claim::Number::time ? runs[run]->time : runs[run]->rate);
  const auto value = value_of(claim, numbers); // a crossover has only one number
  judge(row, claim, value);
  return LineNumbers{value, {value}, row.verdict};
}

} // namespace kakehashi
