#include "study/sweep/operation_tuning.hpp"

#include "base/interrupt.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Sets geometric means of times, relative to those of the first placement without changes.
void compare_placements(Tuning& tuning) {
  std::vector<double> usual(tuning.placements.size()), tuned(usual), count(usual);
  for (const auto& operation : tuning.operations)
    for (const auto& each : operation.sizes) {
      const auto first = std::ranges::find_if(tuning.operations, [&](const auto& other) {
        return other.collective == operation.collective && other.ranks == operation.ranks && other.placement == 0;
      });
      const auto same = std::ranges::find(first->sizes, each.size, &TunedSize::size);
      if (same == first->sizes.end() || each.usual.time.value <= 0)
        continue;
      usual[operation.placement] += std::log(each.usual.time / same->usual.time);
      tuned[operation.placement] += std::log(each.chosen.time / same->usual.time);
      ++count[operation.placement];
    }
  for (std::size_t i = 0; i < count.size(); ++i)
    if (count[i] > 0) {
      tuning.placements[i].usual = std::exp(usual[i] / count[i]);
      tuning.placements[i].tuned = std::exp(tuned[i] / count[i]);
    }
}

// Returns a tuning in which nothing has run yet.
Tuning tuning_of(const Scenario& first, const TuneRequest& request) {
  const auto place = make_place(*first.platform, first.ranks, first.mpi);
  Tuning tuning;
  tuning.platform = first.platform->name;
  tuning.fabric = first.fabric;
  tuning.library = place->library.selector;
  if (!first.mpi.selector)
    tuning.assumed_tables = library_of(tuning.library).source;
  tuning.rules_with = library_of(tuning.library).settings.with;
  tuning.releases = releases_of_settings(tuning.library, request.release);
  tuning.has_gpus = std::ranges::count(place->kinds, DeviceKind::gpu) > 0;
  tuning.ranks = request.communicators.back();
  if (request.against)
    tuning.against = request.against->file;
  for (const auto& name : request.placements)
    tuning.placements.push_back({name});
  return tuning;
}

// Runs all open entries, until there are none. Errors: those of tune.
Errors run_all(std::vector<OperationTuning>& operations, Sweep& places, Outcomes known, const TuneRequest& request,
               Tuning& tuning) {
  const auto base = places.variants; // the sweep's own grow
  auto how = request.how;
  std::size_t done = 0, all = 0;
  how.settled = [&](const Candidate& candidate, const Outcome& outcome) {
    if (request.how.settled)
      request.how.settled(candidate, outcome);
    request.progress(++done, all);
  };
  how.goes_on = [&] {
    request.progress(done, all);
    return !is_interrupted();
  };
  Evaluator evaluator(places, std::move(known), how);
  for (;;) {
    std::vector<Candidate> candidates;
    std::vector<std::optional<Seconds>*> times;
    places.variants = base;
    for (auto& operation : operations)
      operation.open([&](std::string key, Scenario scenario, std::optional<Seconds>& time) {
        auto devices = scenario.ranks;
        places.variants.push_back({{}, std::move(scenario)});
        candidates.push_back({places.variants.size() - 1, std::move(devices), std::move(key)});
        times.push_back(&time);
      });
    if (candidates.empty())
      return {};
    for (const auto& candidate : candidates)
      all += evaluator.known(candidate) ? 0 : 1;
    const auto outcomes = evaluator.run(candidates);
    if (is_interrupted())
      return {interrupted()};
    tuning.runs += candidates.size();
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (outcomes[i] && outcomes[i]->failure.empty())
        *times[i] = outcomes[i]->time;
    if (std::ranges::any_of(operations, &OperationTuning::has_failed))
      for (std::size_t i = 0; i < candidates.size(); ++i)
        if (outcomes[i] && !outcomes[i]->failure.empty())
          return {run_error(fmt::format("{}: {}", candidates[i].key, outcomes[i]->failure))};
    for (auto& operation : operations)
      operation.refine();
  }
}

} // namespace

Result<Tuning> tune(Sweep& places, Outcomes known, const TuneRequest& request) {
  auto tuning = tuning_of(places.variants.front().scenario, request);
  std::vector<OperationTuning> operations;
  for (const auto collective : request.collectives)
    for (const auto ranks : request.communicators)
      for (std::size_t i = 0; i < places.variants.size(); ++i)
        operations.emplace_back(places.variants[i].scenario, collective, i, ranks, request);
  if (auto errors = run_all(operations, places, std::move(known), request, tuning); !errors.empty())
    return errors;
  std::set<std::string> used;
  for (auto& operation : operations) {
    used.merge(operation.correct(tuning));
    tuning.operations.push_back(operation.result());
  }
  for (const auto& [file, time] : request.measured)
    if (!used.contains(file))
      return run_error(fmt::format("{}: no choice of this tuning; names are as it proposes them, "
                                   "OPERATION-PLACEMENT-RANKS-SIZE-ALGORITHM.log",
                                   file));
  compare_placements(tuning);
  tuning.placement =
      proposed_placement(tuning.placements, request.margin.value_or(typical_factor(Collective::bcast) - 1));
  return tuning;
}

} // namespace kakehashi
