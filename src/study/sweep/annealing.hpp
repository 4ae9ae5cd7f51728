// A sweep with too many candidates to run all → good ones, found by simulated annealing.
#pragma once

#include "study/sweep/evaluation.hpp"

#include <random>

namespace kakehashi {

struct AnnealingOptions {
  std::uint64_t seed = 1;
  std::size_t most_runs = 0;
  double enough = 0;                  // a score that cannot be beaten
  std::function<double()> time_spent; // the share of the time that is used, asked between batches; 0: there is no limit
  std::function<std::string()> stopped;           // why the search must end, asked between batches; empty: it may go on
  std::function<double(const SweepPoint&)> score; // the smaller, the better; positive
};

// The candidates that were run, each once, in the order of the search, and why it ended. It begins with `first`. The
// result depends only on the seed and the budget, not on the number of jobs.
struct Annealed {
  std::vector<SweepPoint> points;
  std::string stopped;
};
Annealed anneal(const Sweep& sweep, const CandidateSpace& space, Evaluator& evaluator, std::vector<Candidate> first,
                const AnnealingOptions& options);

} // namespace kakehashi
