#include "study/score/score.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr double no_change = 1e-3; // relative

// The runs of a line with each change.
struct Plans {
  Wanted now;
  struct Effect {
    const Parameter* parameter;
    Wanted halved;
    Wanted doubled;
  };
  std::vector<Effect> effects;
  Wanted named_worse; // empty: no source names the line
  Wanted named_better;
  Wanted combined; // empty: the claim has no combination
};

bool is_fitted(SourceKind kind) {
  return kind == SourceKind::calibrated || kind == SourceKind::hand_fitted;
}

bool lists(std::string_view names, std::string_view wanted) {
  while (!names.empty()) {
    const auto comma = names.find(", ");
    if (names.substr(0, comma) == wanted)
      return true;
    names = comma == std::string_view::npos ? "" : names.substr(comma + 2);
  }
  return false;
}

bool names(const Source& source, const ScoredLine& line) {
  if (line.claim)
    return std::ranges::find(source.claims, line.claim->claim.id) != source.claims.end();
  const auto& curve = line.curve->scenario.reference->curve.name;
  return std::ranges::find(source.curves, curve) != source.curves.end() ||
         (is_fitted(source.kind) && lists(source.from, curve));
}

bool names(const Parameter& parameter, const ScoredLine& line) {
  return std::ranges::any_of(parameter.sources, [&](const Source& source) { return names(source, line); });
}

Parameters all_of(const ScoredLine& line) {
  Parameters all;
  for (const auto& each : line.parameters)
    all.insert(each.begin(), each.end());
  return all;
}

Plans plan_of(Runs& runs, ScoredLine& line, const Parameters& parameters, bool only_named) {
  Plans plans;
  plans.now = runs.want(line, {});
  Changes worse;
  Changes better;
  for (const auto& [name, parameter] : parameters) {
    if (only_named && !names(parameter, line))
      continue;
    plans.effects.push_back({&parameter, runs.want(line, {{&parameter, 0.5}}), runs.want(line, {{&parameter, 2}})});
    if (names(parameter, line)) {
      worse.push_back({&parameter, parameter.better == Better::more ? 0.5 : 2});
      better.push_back({&parameter, parameter.better == Better::more ? 2 : 0.5});
    }
  }
  if (line.claim && !worse.empty()) {
    plans.named_worse = runs.want(line, worse);
    plans.named_better = runs.want(line, better);
  }
  Changes combined;
  for (const auto& part : line.claim ? line.claim->claim.turned_by : std::vector<ScaledParameter>{}) {
    const auto found = parameters.find(part.name);
    if (found == parameters.end()) {
      line.row.faults.push_back("turned_by names " + part.name + ", on which it does not depend");
      continue;
    }
    combined.push_back({&found->second, part.factor});
    line.row.combination +=
        fmt::format("{}{} x{:g}", line.row.combination.empty() ? "" : " with ", part.name, part.factor);
  }
  if (!combined.empty())
    plans.combined = runs.want(line, combined);
  return plans;
}

// Has a sign for claims.
double change_of(const LineNumbers& now, const LineNumbers& then) {
  if (now.predicted.size() == 1 && then.predicted.size() == 1) {
    const double from = now.predicted.front();
    const double to = then.predicted.front();
    return from == to ? 0 : from == 0 ? 1 : (to - from) / std::abs(from);
  }
  double sum = 0;
  for (std::size_t i = 0; i < std::min(now.predicted.size(), then.predicted.size()); ++i)
    if (now.predicted[i] > 0)
      sum += std::abs(then.predicted[i] / now.predicted[i] - 1);
  return now.predicted.empty() ? 0 : sum / static_cast<double>(now.predicted.size());
}

std::optional<ScaledValue> scaled(const ScoredLine& line, const Runs& runs, const Wanted& wanted,
                                  const LineNumbers& now) {
  ValidationRow row;
  const auto then = outcome_of(line, runs, wanted, row);
  if (!then)
    return std::nullopt;
  return ScaledValue{then->value, change_of(now, *then), then->verdict != now.verdict};
}

// Whether the claim only orders two things, so that it allows any amount.
bool is_order(const Claim& claim) {
  constexpr double room = 1.5;
  return claim.comparison == Claim::Comparison::crossover || claim.low <= 0 || std::isinf(claim.high) ||
         (claim.comparison == Claim::Comparison::ratio && claim.high > room * claim.low);
}

// Whether the claim compares sizes of curves to which its fabrics were fitted.
bool reads_fitted_curves(const ClaimCase& claim, const Catalogue& catalogue) {
  return std::ranges::all_of(claim.runs, [&](const Scenario& run) {
    return std::ranges::any_of(catalogue.curves, [&](const ReferenceCase& curve) {
      return curve.scenario.reference->use == CurveUse::calibration && is_one_size_of(run, curve.scenario);
    });
  });
}

Role role_of(const ScoredLine& line, const Plans& plans, const Catalogue& catalogue) {
  for (const auto& plan : plans.effects) {
    const auto effect = std::ranges::find(line.row.effects, plan.parameter->name(), &SensitivityEffect::parameter);
    if (!effect->is_named || effect->largest_change() < no_change)
      continue;
    const bool fitted = line.curve || std::ranges::any_of(plan.parameter->sources, [&](const Source& source) {
                          return names(source, line) && is_fitted(source.kind);
                        });
    return fitted ? Role::fit : Role::input;
  }
  if (line.curve)
    return Role::prediction;
  if (reads_fitted_curves(*line.claim, catalogue))
    return Role::fit;
  return is_order(line.claim->claim) ? Role::ordering : Role::prediction;
}

std::string name_of(Role role) {
  return std::string(role_names[static_cast<std::size_t>(role)]);
}

void find_faults(SensitivityRow& row) {
  if (!row.now.role)
    row.faults.push_back(fmt::format("no role is declared; it is {}", name_of(*row.found)));
  else if (row.now.role != row.found)
    row.faults.push_back(fmt::format("declared {}, found {}", name_of(*row.now.role), name_of(*row.found)));
  if (row.now.verdict == Verdict::pass && !row.turns())
    row.faults.push_back("nothing turns it");
}

void finish(ScoredLine& line, const Plans& plans, const Runs& runs, const Catalogue& catalogue) {
  auto& row = line.row;
  const auto now = outcome_of(line, runs, plans.now, row.now);
  if (!now) {
    row.faults.push_back("it cannot be run: " + row.now.reason);
    return;
  }
  for (const auto& plan : plans.effects)
    row.effects.push_back({plan.parameter->name(), names(*plan.parameter, line), scaled(line, runs, plan.halved, *now),
                           scaled(line, runs, plan.doubled, *now)});
  std::ranges::stable_sort(row.effects, std::greater(), &SensitivityEffect::largest_change);
  if (!plans.combined.empty())
    row.combined = scaled(line, runs, plans.combined, *now);
  if (!plans.named_worse.empty()) {
    row.named_worse = scaled(line, runs, plans.named_worse, *now);
    row.named_better = scaled(line, runs, plans.named_better, *now);
  }
  row.found = role_of(line, plans, catalogue);
  find_faults(row);
}

// Returns false if the line cannot be run, or is not to be.
bool find_parameters(ScoredLine& line) {
  if (!line.row.now.reason.empty()) {
    if (line.row.now.verdict == Verdict::fail)
      line.row.faults.push_back(line.row.now.reason);
    return false;
  }
  for (const auto* scenario : scenarios_of(line)) {
    auto parameters = parameters_of(*scenario);
    if (!parameters) {
      line.row.faults.push_back(to_text(parameters.errors().front()));
      return false;
    }
    line.parameters.push_back(std::move(*parameters));
  }
  if (is_crossover(line))
    line.parameters = {all_of(line)};
  return true;
}

// Varies all parameters of the lines, or only those whose sources name the lines.
std::size_t vary(const std::vector<ScoredLine*>& lines, bool only_named, const Catalogue& catalogue, int jobs,
                 const Team* team, const StudyProgress& progress) {
  Runs runs;
  std::vector<Parameters> parameters; // the plans point into these
  std::vector<Plans> plans;
  parameters.reserve(lines.size());
  for (auto* line : lines)
    plans.push_back(plan_of(runs, *line, parameters.emplace_back(all_of(*line)), only_named));
  runs.run(jobs, team, progress);
  for (std::size_t i = 0; i < lines.size(); ++i)
    finish(*lines[i], plans[i], runs, catalogue);
  return runs.count();
}

} // namespace

Sensitivity sensitivity(const Catalogue& catalogue, bool large, Depth depth, int jobs, const Team* team,
                        const StudyProgress& progress) {
  auto lines = lines_of(catalogue, large);
  std::vector<ScoredLine*> to_vary;
  for (auto& line : lines)
    if (find_parameters(line))
      to_vary.push_back(&line);
  Sensitivity result;
  if (depth == Depth::faults) {
    result.runs = vary(to_vary, true, catalogue, jobs, team, progress);
    std::erase_if(to_vary,
                  [](const ScoredLine* line) { return line->row.now.verdict != Verdict::pass || line->row.turns(); });
    for (auto* line : to_vary) { // nothing has changed its verdict yet
      SensitivityRow anew;
      anew.now = line->row.now;
      line->row = anew;
    }
  }
  result.runs += vary(to_vary, false, catalogue, jobs, team, progress);
  for (auto& line : lines)
    result.rows.push_back(std::move(line.row));
  return result;
}

} // namespace kakehashi
