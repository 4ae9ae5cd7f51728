// Boss and workers: workers ask for a work item, compute it and report by asking for the next one.
#pragma once

#include "model/scenario.hpp"
#include "workload/collective/collective.hpp"

namespace kakehashi {

// For each size of work item how many were done and when the boss began and ended.
struct WorkTiming {
  std::uint64_t work_item = 0;
  std::size_t items = 0;
  Seconds time;
};

// Rank 0. Fills the timings.
Program run_boss(Communicator world, const BossWorker& workload, std::vector<WorkTiming>& timings);
// The others; `unit` is the time of a work item of size 1.
Program run_worker(Communicator world, const BossWorker& workload, Seconds unit);

} // namespace kakehashi
