// A scenario → about how much memory and time a run of it takes, before it runs.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

struct Need {
  Bytes memory;
  double messages = 0;       // 0: nobody knows
  Seconds time;              // of this program, from the messages
  std::vector<Seconds> rows; // of it for each size, if it is known
};
Need need_of(const Scenario& scenario);

// Nothing, or why it is not begun: it needs more memory than that.
Errors check_need(const Scenario& scenario, Bytes most_memory);

} // namespace kakehashi
