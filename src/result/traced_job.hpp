// What the ranks of a simulated job did, for other simulators to do the same: messages, waits and work, in order.
#pragma once

#include "base/units.hpp"

#include <cstdint>
#include <vector>

namespace kakehashi {

struct TracedOperation {
  enum class Kind { send, receive, wait, compute };
  Kind kind = Kind::compute;
  bool blocking = true;
  int peer = 0;
  int tag = 0;
  Bytes size;                          // of a receive: of what comes
  std::uint32_t request = 0;           // of one that does not block
  std::vector<std::uint32_t> requests; // that a wait is for
  Seconds time;                        // of work
};

struct TracedJob {
  std::vector<std::vector<TracedOperation>> ranks;
};

} // namespace kakehashi
