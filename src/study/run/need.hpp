// A scenario → the memory and time that a run of it needs, estimated before the run.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

struct Need {
  Bytes memory;
  double messages = 0;       // 0: unknown
  Seconds time;              // of this program; follows from the messages
  std::vector<Seconds> rows; // its parts for each size, if known
};
Need need_of(const Scenario& scenario);

// Returns an error if the run needs more memory than that.
Errors check_need(const Scenario& scenario, Bytes most_memory);

} // namespace kakehashi
