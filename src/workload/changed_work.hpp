// The changes that a scenario makes to work → how long a piece of work takes with them.
#pragma once

#include "model/scenario.hpp"
#include "workload/program.hpp"

namespace kakehashi {

// It serves one run. Ranks ask for their work in the order of their programs, so the same changes give the same times
// with any engine.
class ChangedWork {
public:
  ChangedWork(WhatIf changes, std::size_t ranks);

  Seconds time_of(const Rank& rank, const ComputeOperation& work);

  // "ranks 3 and 4 take 2 times as long: 1.2 s of work"
  std::vector<std::string> texts() const;

private:
  bool concerns(const WorkChange& change, const Rank& rank, LaneNumber lane) const;
  Seconds with_changes(const Rank& rank, const ComputeOperation& work);
  Seconds interruptions(int rank, Seconds time);
  Seconds gap(int rank);

  WhatIf what_if_;
  std::vector<Seconds> changed_; // the work that each change concerned
  struct Source {                // a rank's random numbers
    std::uint64_t state;
    Seconds until_next; // work before the next interruption
  };
  std::vector<Source> sources_;
  Seconds interrupted_; // over all ranks
};

} // namespace kakehashi
