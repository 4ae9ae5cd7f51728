// A platform and one of its fabrics in the terms of a simulator that has only hosts, links and routes.
#pragma once

#include "base/units.hpp"
#include "model/platform.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kakehashi {

struct ExportedLink {
  std::string name;
  BytesPerSecond forward;
  BytesPerSecond backward;
  Seconds latency;
  bool is_shared = true; // false: each message has the whole capacity to itself, as copies by cores do
};

struct ExportedHop {
  std::size_t link = 0;
  bool is_forward = true;
};

struct ExportedRoute {
  std::size_t from = 0;
  std::size_t to = 0; // indices into hosts
  std::vector<ExportedHop> hops;
};

struct ExportedNetwork {
  std::string platform;
  std::string fabric;
  std::vector<std::string> hosts; // the devices that ranks run on
  std::vector<ExportedLink> links;
  std::vector<ExportedRoute> routes; // two for each pair of hosts, there and back
  std::vector<Regime> regimes;       // those of messages between nodes, or of the widest scope that the fabric has
  Seconds latency;                   // latency of a trip on the first such route
};

// The operations of the ranks of a simulated job, in order, for other simulators: messages, waits and work.
struct TracedOperation {
  enum class Kind { send, receive, wait, compute };
  Kind kind = Kind::compute;
  bool blocking = true;
  int peer = 0;
  int tag = 0;
  Bytes size;                          // a receive's size is that of the message that comes
  std::uint32_t request = 0;           // request of a nonblocking operation
  std::vector<std::uint32_t> requests; // the requests that a wait is for
  Seconds time;                        // time of work
};

struct TracedJob {
  std::vector<std::vector<TracedOperation>> ranks;
};

} // namespace kakehashi
