// Two endpoints and a fabric → everything about messages between them that does not depend on their size.
#pragma once

#include "topology/topology.hpp"

namespace kakehashi {

struct Path {
  std::size_t from = 0;
  std::size_t to = 0; // devices
  DeviceKind from_kind = DeviceKind::cpu;
  DeviceKind to_kind = DeviceKind::cpu;
  Scope scope = Scope::between_nodes;
  Route route;
  const Fabric* fabric = nullptr;
  const Rule* rule = nullptr;
  std::vector<int> crossings; // for each adjustment of the fabric, how often the route crosses its link type
};

// The scope that two devices are in.
Scope scope_of(const Platform& platform, std::size_t from, std::size_t to);

// Errors: no route, or no rule of the fabric matches.
Result<Path> make_path(const Platform& platform, const Topology& topology, const Fabric& fabric, std::size_t from,
                       std::size_t to);

} // namespace kakehashi
