// A sweep with too many candidates to run all → good ones, by simulated annealing.
#pragma once

#include "study/sweep/evaluation.hpp"

#include <random>

namespace kakehashi {

struct AnnealingOptions {
  std::uint64_t seed = 1;
  std::size_t most_runs = 0;
  double enough = 0;                              // a score that cannot be beaten
  std::function<double()> time_spent;             // the share that is gone, asked between batches; 0: there is no limit
  std::function<std::string()> stopped;           // why it must end, asked between batches; empty: it need not
  std::function<double(const SweepPoint&)> score; // the smaller, the better; positive
};

// The candidates that were run, each once, in the order of the search, and why it ended. Begins with the candidates
// given. Depends on the seed and the budget only, not on how many run at a time.
struct Annealed {
  std::vector<SweepPoint> points;
  std::string stopped;
};
Annealed anneal(const Sweep& sweep, const CandidateSpace& space, Evaluator& evaluator, std::vector<Candidate> first,
                const AnnealingOptions& options);

} // namespace kakehashi
