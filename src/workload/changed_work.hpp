// What a scenario changes of work → how long work takes that would take so long.
#pragma once

#include "model/scenario.hpp"
#include "workload/program.hpp"

namespace kakehashi {

// Of one run. Ranks ask for their work in its order, so the same changes give the same times whatever engine runs.
class ChangedWork {
public:
  ChangedWork(WhatIf changes, std::size_t ranks);

  Seconds time_of(const Rank& rank, const ComputeOperation& work);

  // "ranks 3 and 4 take 2 times as long: 1.2 s of work"
  std::vector<std::string> texts() const;

private:
  bool concerns(const WorkChange& change, const Rank& rank, OnDevice device) const;
  Seconds with_changes(const Rank& rank, const ComputeOperation& work);
  Seconds interruptions(int rank, Seconds time);
  Seconds gap(int rank);

  WhatIf what_if_;
  std::vector<Seconds> changed_; // work that each change concerned
  struct Source {                // of a rank's random numbers
    std::uint64_t state;
    Seconds until_next; // work, before the next interruption
  };
  std::vector<Source> sources_;
  Seconds interrupted_; // of all ranks
};

} // namespace kakehashi
