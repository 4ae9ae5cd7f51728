#include "study/sweep/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <unordered_map>

namespace kakehashi {
namespace {

constexpr std::size_t batch = 16;         // number of neighbours that run at once
constexpr int most_misses = 200;          // number of batches in a row in which every neighbour was known
constexpr double first_temperature = 0.2; // a score that is worse by this share is accepted once in e times
constexpr double last_temperature = 0.002;

// Deterministic on every platform, unlike the distributions of the standard library.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  double share() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

private:
  std::mt19937_64 engine_;
};

// Exchanges the devices of two ranks, or takes a free device, or another variant.
Candidate neighbour(const Sweep& sweep, const CandidateSpace& space, const Candidate& of, Dice& dice) {
  auto variant = of.variant;
  auto devices = of.devices;
  const bool has_variants = sweep.variants.size() > 1;
  if (!sweep.placement || (has_variants && dice.below(3) == 0)) {
    variant = dice.below(sweep.variants.size());
    if (!sweep.placement)
      devices = sweep.variants[variant].scenario.ranks;
    return space.candidate(variant, std::move(devices));
  }
  const auto& placement = *sweep.placement;
  const auto each = placement.ranks.size() / placement.choose;
  const auto rank_at = [&](std::size_t choice) { return placement.ranks[choice * each]; };
  std::unordered_map<std::size_t, int> used;
  for (std::size_t i = 0; i < placement.choose; ++i)
    ++used[devices[rank_at(i)]];
  std::vector<std::size_t> free;
  for (const auto slot : placement.slots)
    if (const auto at = used.find(slot); at == used.end() || at->second-- <= 0)
      free.push_back(slot);
  const auto one = dice.below(placement.choose);
  const bool takes_free = !free.empty() && (!placement.is_ordered || dice.below(2) == 0);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < placement.choose; ++i)
    chosen.push_back(devices[rank_at(i)]);
  if (takes_free)
    chosen[one] = free[dice.below(free.size())];
  else
    std::swap(chosen[one], chosen[dice.below(placement.choose)]);
  if (!placement.is_ordered) { // in the order of the slots
    const auto place = [&](std::size_t device) {
      return std::find(placement.slots.begin(), placement.slots.end(), device) - placement.slots.begin();
    };
    std::sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  }
  for (std::size_t i = 0; i < placement.ranks.size(); ++i)
    devices[placement.ranks[i]] = chosen[i / each];
  return space.candidate(variant, std::move(devices));
}

class Annealing {
public:
  Annealing(const Sweep& sweep, const CandidateSpace& space, Evaluator& evaluator, const AnnealingOptions& options)
      : sweep_(sweep), space_(space), evaluator_(evaluator), options_(options), dice_(options.seed) {}

  Annealed search(std::vector<Candidate> first) {
    run(first);
    found_.stopped = options_.stopped();
    if (first.empty())
      return std::move(found_);
    at_ = first.front();
    at_score_ = scores_.front();
    for (std::size_t i = 1; i < first.size(); ++i)
      if (scores_[i] < at_score_) {
        at_ = first[i];
        at_score_ = scores_[i];
      }
    while (found_.stopped.empty())
      step();
    return std::move(found_);
  }

private:
  double score_of(const SweepPoint& point) const {
    return point.outcome.failure.empty() ? options_.score(point) : std::numeric_limits<double>::infinity();
  }

  // Runs the new ones among the candidates, and keeps only these in the list.
  void run(std::vector<Candidate>& candidates) {
    std::vector<Candidate> fresh;
    for (const auto& candidate : candidates)
      if (keys_.size() < options_.most_runs && keys_.insert(candidate.key).second)
        fresh.push_back(candidate);
    const auto outcomes = evaluator_.run(fresh);
    scores_.clear();
    std::vector<Candidate> ran;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (!outcomes[i])
        continue;
      found_.points.push_back({fresh[i].variant, fresh[i].devices, false, *outcomes[i]});
      scores_.push_back(score_of(found_.points.back()));
      best_ = std::min(best_, scores_.back());
      ran.push_back(std::move(fresh[i]));
    }
    candidates = std::move(ran);
  }

  void step() {
    std::vector<Candidate> neighbours;
    for (std::size_t i = 0; i < batch; ++i)
      neighbours.push_back(neighbour(sweep_, space_, at_, dice_));
    const auto known = neighbours.back();
    run(neighbours);
    found_.stopped = options_.stopped();
    if (!found_.stopped.empty())
      return;
    misses_ = neighbours.empty() ? misses_ + 1 : 0;
    const double time_spent = options_.time_spent();
    const double share = std::clamp(static_cast<double>(keys_.size()) / static_cast<double>(options_.most_runs),
                                    std::min(1.0, time_spent), 1.0);
    const double temperature = first_temperature * std::pow(last_temperature / first_temperature, share);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const double worse = (scores_[i] - at_score_) / std::abs(at_score_);
      if (!std::isfinite(at_score_) || worse <= 0 || dice_.share() < std::exp(-worse / temperature)) {
        at_ = neighbours[i];
        at_score_ = scores_[i];
      }
    }
    if (misses_ > 0) { // all neighbours are known; go on elsewhere
      at_ = known;
      at_score_ = score_of({known.variant, known.devices, false, *evaluator_.known(known)});
    }
    if (best_ <= options_.enough)
      found_.stopped = "the bound is met, nothing can be better";
    else if (keys_.size() >= options_.most_runs)
      found_.stopped = fmt::format("the budget of {} runs is spent", options_.most_runs);
    else if (misses_ >= most_misses)
      found_.stopped = "no new candidate was met any more";
  }

  const Sweep& sweep_;
  const CandidateSpace& space_;
  Evaluator& evaluator_;
  const AnnealingOptions& options_;
  Dice dice_;
  Annealed found_;
  std::set<std::string> keys_;
  std::vector<double> scores_; // scores of the last candidates that were run
  Candidate at_;
  double at_score_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  int misses_ = 0;
};

} // namespace

Annealed anneal(const Sweep& sweep, const CandidateSpace& space, Evaluator& evaluator, std::vector<Candidate> first,
                const AnnealingOptions& options) {
  return Annealing(sweep, space, evaluator, options).search(std::move(first));
}

} // namespace kakehashi
