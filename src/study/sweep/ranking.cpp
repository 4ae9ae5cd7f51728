#include "study/sweep/ranking.hpp"

#include "base/interrupt.hpp"
#include "base/wire.hpp"
#include "engine/flow/network.hpp"
#include "study/run/run_parts.hpp"
#include "study/sweep/evaluation.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <tuple>

namespace kakehashi {
namespace {

constexpr std::size_t usual_runs = 2000;
constexpr std::size_t most_timed_runs = 1000000; // used if a time is the limit
constexpr std::size_t branch_steps = 2000000;
constexpr std::size_t pruned_batch = 64; // candidates that run before the best is compared with the bound again

std::string engine_text(const EngineOptions& engine) {
  const auto fluid = fluid_name(engine.tolerance);
  switch (engine.kind) {
  case EngineKind::simgrid: return "SimGrid";
  case EngineKind::fluid: return fluid;
  case EngineKind::automatic: break;
  }
  return fmt::format("SimGrid for few messages, else {}", fluid);
}

class Sweeper {
public:
  Sweeper(const Sweep& sweep, Outcomes known, const SweepOptions& options)
      : sweep_(sweep), options_(options), space_(sweep), start_(std::chrono::steady_clock::now()),
        evaluator_(sweep, std::move(known),
                   {options.jobs, options.each, options.team, settled(), options.most_time_each, goes_on()}) {
    const auto& scenario = sweep.variants.front().scenario;
    record_.scenario = scenario.name;
    record_.scenario_file = scenario.file;
    record_.platform = scenario.platform;
    record_.fabric = scenario.fabric;
    record_.engine = engine_text(options.each.engine);
    record_.tolerance = options.each.engine.kind == EngineKind::simgrid ? 0 : options.each.engine.tolerance;
    record_.objective = sweep.objective;
    if (const auto* benchmark = std::get_if<Benchmark>(&scenario.workload))
      record_.sizes = std::max<std::size_t>(1, benchmark->sizes.size());
    record_.rate_name = rate_name(scenario.workload);
    record_.fields = sweep.fields;
    for (const auto& variant : sweep.variants)
      record_.values.push_back(variant.values);
    record_.has_placement = sweep.placement.has_value();
    record_.candidates = space_.count();
    record_.seed = options.seed;
  }

  Result<SweepRecord> sweep() {
    const auto most = options_.shards > 1 || options_.only_known ? most_shared : most_exhaustive;
    auto candidates = space_.all(most, [this] { return why_stopped().empty(); });
    if (!candidates && is_interrupted())
      return interrupted("interrupted before any candidate had run");
    const bool is_within = candidates && candidates->size() <= options_.most_runs.value_or(most);
    if ((!candidates || !is_within) && (options_.shards > 1 || options_.only_known))
      return file_error(
          ErrorKind::input, record_.scenario_file,
          mismatch("too many candidates to run all of them", "at most a million for shards, and no smaller --budget"));
    if (is_within) {
      if (auto errors = exhaust(std::move(*candidates)); !errors.empty())
        return errors;
    } else {
      search();
    }
    return rank();
  }

private:
  std::function<void(const Candidate&, const Outcome&)> settled() {
    return [this](const Candidate& candidate, const Outcome& outcome) {
      if (options_.settled)
        options_.settled(candidate.key, outcome);
      ++run_;
      tell();
    };
  }
  void tell() {
    if (options_.progress)
      options_.progress(run_, to_run_ < run_ ? 0 : to_run_);
  }
  // Is called while candidates run. They are ended when the time is over; without any result, only after the same time
  // again.
  std::function<bool()> goes_on() {
    return [this] {
      tell();
      const bool is_alone = !options_.team || options_.team->size() == 1; // else all must end at the same point
      return !is_alone || !(is_interrupted() || time_spent() >= (run_ > 0 ? 1 : most_spent()));
    };
  }
  double most_spent() const {
    constexpr double patience = 10; // seconds, the least
    return options_.most_time ? std::max(2.0, 1 + patience / options_.most_time->value) : 2;
  }
  bool is_interrupted() const { return options_.is_interrupted && options_.is_interrupted(); }
  std::string why_stopped() const {
    return is_interrupted() ? "it was interrupted" : time_spent() >= 1 ? "the time is over" : "";
  }

  double score_of(const SweepPoint& point) const { return kakehashi::score_of(point.outcome, sweep_.objective); }
  double as_score(double bound, const Scenario& scenario) const {
    return score_of_bound(bound, scenario, sweep_.objective, options_.each.engine);
  }
  const Bound& bound_of(std::size_t variant) {
    const auto [at, is_new] = bounds_.try_emplace(variant);
    if (is_new)
      at->second = std::make_unique<Bound>(sweep_.variants[variant].scenario, sweep_.placement, sweep_.objective,
                                           [this] { return why_stopped().empty(); });
    return *at->second;
  }
  // Returns the share of the time that is used, by the first process's clock, so that all processes decide alike.
  double time_spent() const {
    if (!options_.most_time)
      return 0;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    const double share = passed.count() / options_.most_time->value;
    return options_.team ? *decode<double>(options_.team->share(encode(share))) : share;
  }

  void keep(const Candidate& candidate, std::optional<Outcome> outcome) {
    if (!outcome) {
      ++record_.not_run;
      return;
    }
    record_.points.push_back({candidate.variant, candidate.devices, false, std::move(*outcome)});
    if (record_.points.back().outcome.failure.empty())
      best_ = std::min(best_, score_of(record_.points.back()));
  }

  Errors exhaust(std::vector<Candidate> candidates) {
    record_.distinct = candidates.size();
    default_key_ = candidates.front().key;
    std::vector<Candidate> mine;
    for (std::size_t i = options_.shard; i < candidates.size(); i += options_.shards)
      mine.push_back(std::move(candidates[i]));
    record_.not_run = record_.distinct - mine.size();
    std::size_t missing = 0;
    to_run_ = 0;
    for (const auto& candidate : mine)
      missing += evaluator_.known(candidate) == nullptr;
    if (options_.only_known && missing > 0)
      return {file_error(ErrorKind::run, record_.scenario_file,
                         fmt::format("{} of {} candidates are in none of the files; merge the files of all shards",
                                     missing, record_.distinct))};
    to_run_ = missing;
    if (options_.prunes)
      sort_by_bound(mine);
    const bool in_batches = options_.prunes || options_.most_time || (options_.team && options_.team->size() > 1);
    const auto batch = in_batches ? pruned_batch : mine.size();
    for (std::size_t begin = 0; begin < mine.size(); begin += batch) {
      run_batch(std::span(mine).subspan(begin, std::min(batch, mine.size() - begin)));
      if (auto why = why_stopped(); !why.empty() && (record_.not_run > 0 || begin + batch < mine.size())) {
        record_.not_run += mine.size() - std::min(mine.size(), begin + batch);
        record_.stopped = std::move(why);
        return {};
      }
    }
    if (options_.shards == 1)
      record_.gap = 0;
    return {};
  }

  // Puts the default first, then the most promising candidates.
  void sort_by_bound(std::vector<Candidate>& candidates) {
    for (const auto& candidate : candidates)
      bound_by_key_[candidate.key] =
          as_score(bound_of(candidate.variant).of(candidate.devices), sweep_.variants[candidate.variant].scenario);
    std::stable_sort(candidates.begin() + 1, candidates.end(), [&](const Candidate& a, const Candidate& b) {
      return bound_by_key_.at(a.key) < bound_by_key_.at(b.key);
    });
  }

  void run_batch(std::span<const Candidate> candidates) {
    std::vector<Candidate> left;
    for (const auto& candidate : candidates)
      if (!options_.prunes || bound_by_key_.at(candidate.key) <= best_)
        left.push_back(candidate);
    record_.pruned += candidates.size() - left.size();
    const auto outcomes = evaluator_.run(left);
    for (std::size_t i = 0; i < left.size(); ++i)
      keep(left[i], outcomes[i]);
  }

  void search() {
    record_.method = SweepMethod::search;
    const auto first = space_.default_candidate();
    default_key_ = first.key;
    std::vector<Candidate> starts{first};
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t variant = 0; variant < sweep_.variants.size(); ++variant) {
      const auto& scenario = sweep_.variants[variant].scenario;
      const auto& bound = bound_of(variant);
      auto found = bound.exists() && sweep_.placement
                       ? least_bound(bound, scenario, *sweep_.placement, branch_steps / sweep_.variants.size(),
                                     [this] { return why_stopped().empty(); })
                       : LeastBound{};
      least = std::min({least, as_score(found.value, scenario), as_score_of_default(variant)});
      if (!found.devices.empty() && starts.size() < 16)
        starts.push_back(space_.candidate(variant, std::move(found.devices)));
    }
    AnnealingOptions how;
    how.seed = options_.seed;
    how.most_runs = options_.most_runs.value_or(options_.most_time ? most_timed_runs : usual_runs);
    to_run_ = options_.most_time ? 0 : how.most_runs; // 0: unknown
    how.stopped = [this] { return why_stopped(); };
    how.enough = least;
    how.time_spent = [this] { return time_spent(); };
    how.score = [this](const SweepPoint& point) { return score_of(point); };
    auto found = anneal(sweep_, space_, evaluator_, std::move(starts), how);
    record_.points = std::move(found.points);
    record_.stopped = std::move(found.stopped);
    for (const auto& point : record_.points)
      if (point.outcome.failure.empty())
        best_ = std::min(best_, score_of(point));
    if (least > 0)
      record_.gap = std::max(0.0, best_ / least - 1);
  }
  // The unchanged scenario need not be one of the placements.
  double as_score_of_default(std::size_t variant) {
    const auto& scenario = sweep_.variants[variant].scenario;
    return variant == 0 && bound_of(0).exists() ? as_score(bound_of(0).of(scenario.ranks), scenario)
                                                : std::numeric_limits<double>::infinity();
  }

  Result<SweepRecord> rank() {
    for (auto& point : record_.points) {
      point.is_default = space_.candidate(point.variant, point.devices).key == default_key_;
      if (point.is_default) // an equal candidate may have run in its place
        point.devices = sweep_.variants.front().scenario.ranks;
      record_.failed += !point.outcome.failure.empty();
      record_.lost += point.outcome.is_lost;
    }
    record_.is_interrupted = is_interrupted();
    if (record_.is_interrupted && record_.points.empty())
      return interrupted("interrupted before any candidate had run");
    if (record_.points.empty() && !record_.stopped.empty())
      return file_error(ErrorKind::run, record_.scenario_file,
                        record_.stopped + ", and no candidate has run to its end");
    if (!record_.points.empty() && record_.failed == record_.points.size())
      return file_error(ErrorKind::run, record_.scenario_file,
                        "no candidate could be run; the first: " + record_.points.front().outcome.failure);
    std::sort(record_.points.begin(), record_.points.end(), [&](const SweepPoint& a, const SweepPoint& b) {
      const auto key = [&](const SweepPoint& point) {
        const bool has_failed = !point.outcome.failure.empty();
        return std::tuple(has_failed, has_failed ? 0 : record_.score(point), !point.is_default, point.variant,
                          point.devices);
      };
      return key(a) < key(b);
    });
    return std::move(record_);
  }

  const Sweep& sweep_;
  const SweepOptions& options_;
  CandidateSpace space_;
  std::chrono::steady_clock::time_point start_;
  Evaluator evaluator_;
  SweepRecord record_;
  std::map<std::size_t, std::unique_ptr<Bound>> bounds_; // bounds by variant
  std::map<std::string, double> bound_by_key_;
  std::string default_key_;
  double best_ = std::numeric_limits<double>::infinity();
  std::size_t run_ = 0;
  std::size_t to_run_ = 0;
};

} // namespace

Result<SweepRecord> sweep(const Sweep& sweep, Outcomes known, const SweepOptions& options) {
  return Sweeper(sweep, std::move(known), options).sweep();
}

} // namespace kakehashi
