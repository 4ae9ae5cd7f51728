// A sweep → its candidates, run and ranked.
#pragma once

#include "base/error.hpp"
#include "study/sweep/evaluation.hpp"

namespace kakehashi {

// An exhaustive sweep runs at most so many distinct candidates; more are searched.
inline constexpr std::size_t most_exhaustive = 30000;

struct SweepOptions {
  int jobs = 1;
  CandidateRun each;
  std::optional<std::size_t> most_runs;  // a search ends there; 2000 if left out
  std::optional<Seconds> most_time;      // of the clock; the result then depends on the machine
  std::optional<Seconds> most_time_each; // of a candidate; one that takes longer has failed
  std::uint64_t seed = 1;
  bool prunes = false; // does not run what the bound proves to be worse than the best
  std::size_t shard = 0;
  std::size_t shards = 1;
  bool only_known = false; // runs nothing; all must be known
  const Team* team = nullptr;
  std::function<void(const std::string& key, const Outcome&)> settled; // by each run, as soon as it has ended
  std::function<void(std::size_t done, std::size_t all)> progress;     // all: 0 if nobody knows
  std::function<bool()> is_interrupted; // ends it with what there is; of one process only
};

// Errors: there are too many candidates to share or merge; some are missing; none could be run.
Result<SweepRecord> sweep(const Sweep& sweep, Outcomes known, const SweepOptions& options);

} // namespace kakehashi
