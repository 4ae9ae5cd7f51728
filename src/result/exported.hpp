// A platform and one of its fabrics, in the terms of a simulator that knows hosts, links and routes only.
#pragma once

#include "model/platform.hpp"

#include <string>
#include <vector>

namespace kakehashi {

struct ExportedLink {
  std::string name;
  BytesPerSecond forward;
  BytesPerSecond backward;
  Seconds latency;
  bool is_shared = true; // false: each message has all of the capacity, as copies by cores do
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
  std::vector<ExportedRoute> routes; // of each pair, there and back
  std::vector<Regime> regimes;       // of messages between nodes, or of the widest scope that the fabric has
  Seconds latency;                   // of the first such route, a trip
};

} // namespace kakehashi
