// A platform and one of its fabrics in the terms of a simulator that has only hosts, links and routes.
#pragma once

#include "base/units.hpp"
#include "model/platform.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kakehashi {

enum class Sharing {
  duplex, // messages of one direction share its capacity
  shared, // all messages share the capacity
  none    // each message has the whole capacity to itself
};

struct ExportedLink {
  std::string name;
  BytesPerSecond forward;
  BytesPerSecond backward; // of duplex links only
  Seconds latency;
  Sharing sharing = Sharing::duplex;
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

// The costs of messages of a size and more, besides the times on links.
struct ExportedCosts {
  Bytes from;
  Protocol protocol = Protocol::eager;
  Seconds send; // of the sending core
  SecondsPerByte send_per_byte;
  Seconds receive; // of the receiving core
  SecondsPerByte receive_per_byte;
  double latency_factor = 1; // of the latency of a route
  double bandwidth_factor = 1;
};

struct ExportedNetwork {
  std::string platform;
  std::string fabric;
  std::vector<std::string> hosts; // the devices that ranks run on
  std::vector<ExportedLink> links;
  std::vector<ExportedRoute> routes; // two for each pair of hosts, there and back
  std::string first, second;         // the hosts whose messages have the costs
  std::vector<ExportedCosts> costs;  // by size
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
  std::size_t puts = 0; // number of sends that are puts
};

} // namespace kakehashi
