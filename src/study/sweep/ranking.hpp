// A sweep → its candidates, run and ranked.
#pragma once

#include "base/error.hpp"
#include "study/sweep/evaluation.hpp"

namespace kakehashi {

// An exhaustive sweep runs at most this many distinct candidates; with more, it searches.
inline constexpr std::size_t most_exhaustive = 30000;
inline constexpr std::size_t most_shared = 1000000; // if the candidates are shared

struct SweepOptions {
  int jobs = 1;
  CandidateRun each;
  std::optional<std::size_t> most_runs;  // the limit of a search; none: 2000
  std::optional<Seconds> most_time;      // the most wall-clock time; the result then depends on the machine
  std::optional<Seconds> most_time_each; // the most time of each candidate; one that takes longer has failed
  std::uint64_t seed = 1;
  bool prunes = false; // leaves out candidates that the bound proves to be worse than the best
  std::size_t shard = 0;
  std::size_t shards = 1;
  bool only_known = false; // runs nothing; all candidates must be known
  const Team* team = nullptr;
  // Is called after each run, as soon as it has ended.
  std::function<void(const std::string& key, const Outcome&)> settled;
  std::function<void(std::size_t done, std::size_t all)> progress; // all: 0 if unknown
  std::function<bool()> is_interrupted; // ends the sweep with the outcomes so far; for one process only
};

// Errors: there are too many candidates to share or merge; some are missing; none could be run.
Result<SweepRecord> sweep(const Sweep& sweep, Outcomes known, const SweepOptions& options);

} // namespace kakehashi
