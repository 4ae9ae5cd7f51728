#include "study/sweep/evaluation.hpp"

#include "base/hash.hpp"
#include "base/wire.hpp"
#include "study/explain/explanations.hpp"
#include "study/pool/pool.hpp"
#include "study/run/run_parts.hpp"
#include "study/run/scenario_run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

Outcome outcome_of_record(const RunRecord& record, const Scenario& scenario) {
  const auto& figures = record.table.figures;
  Outcome outcome;
  outcome.time = total_cost(record.table);
  const auto largest = std::ranges::max_element(figures, {}, &Figures::size);
  outcome.rate = printed_rate(scenario.workload, largest->rate);
  if (largest->slowest_step) {
    const auto name = [&](int rank) {
      return scenario.platform->devices[scenario.ranks[static_cast<std::size_t>(rank)]].name;
    };
    outcome.step = fmt::format("{} to {}", name((*largest->slowest_step)[0]), name((*largest->slowest_step)[1]));
  }
  return outcome;
}

Result<ReasonedRun> run_without_reason(const Scenario& scenario, const EngineOptions& engine) {
  auto record = run(scenario, nullptr, engine);
  if (!record)
    return record.errors();
  return ReasonedRun{std::move(*record), {}};
}

Result<Outcome> run_candidate(const Sweep& sweep, const Candidate& candidate, const CandidateRun& how) {
  auto scenario = sweep.variants[candidate.variant].scenario;
  scenario.ranks = candidate.devices;
  scenario.reference.reset();
  const auto done = how.reasons ? run_with_reason(scenario, how.engine) : run_without_reason(scenario, how.engine);
  if (!done)
    return done.errors();
  auto outcome = outcome_of_record(done->record, scenario);
  if (how.reasons)
    outcome.reason = to_text(done->reason);
  return outcome;
}

Outcome outcome_of(const Result<Outcome>& result) {
  if (result)
    return *result;
  Outcome outcome;
  const auto& error = result.errors().front();
  outcome.failure = to_text(error);
  outcome.is_lost = error.kind == ErrorKind::system;
  return outcome;
}

} // namespace

double score_of(const Outcome& outcome, Objective objective) {
  return objective == Objective::time ? outcome.time.value : 1 / outcome.rate;
}

double score_of_bound(double bound, const Scenario& scenario, Objective objective, const EngineOptions& engine) {
  bound *= 1 - most_noise(engine, scenario.ranks.size());
  return objective == Objective::time ? bound : 1 / bandwidth_of(scenario.workload, Seconds{bound});
}

std::uint64_t fingerprint_of(const Sweep& sweep, const CandidateRun& how) {
  return hash_of(encode(how), sweep.fingerprint);
}

const Outcome* Evaluator::known(const Candidate& candidate) const {
  const auto at = known_.find(candidate.key);
  return at == known_.end() ? nullptr : &at->second;
}

std::vector<std::optional<Outcome>> Evaluator::run(std::span<const Candidate> candidates) {
  std::vector<const Candidate*> open;
  std::set<std::string_view> queued;
  for (const auto& candidate : candidates)
    if (!known(candidate) && queued.insert(candidate.key).second)
      open.push_back(&candidate);
  stream_from_children<Outcome>(
      open.size(), [&](std::size_t task) { return run_candidate(sweep_, *open[task], options_.each); },
      {.jobs = options_.jobs, .most_time = options_.most_time, .goes_on = options_.goes_on, .team = options_.team},
      [&](std::size_t task, const Result<Outcome>& result) {
        const auto& outcome = known_[open[task]->key] = outcome_of(result);
        if (options_.settled && (!options_.team || options_.team->rank() == 0))
          options_.settled(*open[task], outcome);
      });
  std::vector<std::optional<Outcome>> outcomes;
  for (const auto& candidate : candidates) {
    const auto* outcome = known(candidate);
    outcomes.push_back(outcome ? std::optional(*outcome) : std::nullopt);
  }
  return outcomes;
}

} // namespace kakehashi
