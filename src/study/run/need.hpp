// A scenario → the memory and time that a run of it needs, estimated before the run.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "workload/job.hpp"

namespace kakehashi {

struct Need {
  Bytes memory;
  double messages = 0;       // 0: unknown
  Seconds time;              // of this program; follows from the messages
  std::vector<Seconds> rows; // its parts for each size, if known
};
Need need_of(const Scenario& scenario, const SharedPlace& place);
Need need_of(const Scenario& scenario);

// Returns an error if the run needs more memory than that.
Errors check_need(const Scenario& scenario, const Need& need, Bytes most_memory);

} // namespace kakehashi
