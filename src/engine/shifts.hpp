// A job on planned routes → the ranks that can stand for all of it.
#pragma once

#include "transport/shift.hpp"
#include "workload/job.hpp"

#include <map>
#include <memory>

namespace kakehashi {

// Remembers what it has found of the ways, for several jobs of the same ranks.
class Shifts {
public:
  // Keeps references.
  Shifts(const WayTable& ways, Topology& topology) : ways_(ways), topology_(topology) {}

  // Null: nothing is won, or less than the search takes. time: of a run of the job with all ranks.
  std::shared_ptr<const Shift> find(const Job& job, Seconds time);

private:
  std::shared_ptr<const Shift> find_by_looking(const AlikeRanks& alike);

  const WayTable& ways_;
  Topology& topology_;
  std::map<std::pair<int, bool>, std::shared_ptr<const Shift>> stated_; // keys are what jobs state
  std::map<std::pair<int, bool>, std::shared_ptr<const Shift>>
      looked_; // keys are ranks, and whether blocks change places
};

} // namespace kakehashi
