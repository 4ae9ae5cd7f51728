// The operations of the ranks of a simulated job, in order, for other simulators: messages, waits and work.
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
  Bytes size;                          // of a receive: of the message that comes
  std::uint32_t request = 0;           // of a nonblocking operation
  std::vector<std::uint32_t> requests; // the requests that a wait is for
  Seconds time;                        // of work
};

struct TracedJob {
  std::vector<std::vector<TracedOperation>> ranks;
};

} // namespace kakehashi
