// Two endpoints and a fabric → everything about messages between them that does not depend on their size.
#pragma once

#include "topology/topology.hpp"

namespace kakehashi {

// All that the phases of a message's cost depend on, besides its size: messages over paths with equal terms have equal
// phases, and take equal times where their channels give equal rates.
struct PathTerms {
  DeviceKind from_kind = DeviceKind::cpu;
  DeviceKind to_kind = DeviceKind::cpu;
  Side initiator = Side::sender;
  const Fabric* fabric = nullptr;
  const Rule* rule = nullptr;
  int stripes = 1; // equal parts of a message, which flow at once and at one rate; the route has the channels of all
  std::vector<int> crossings; // for each adjustment of the fabric, how often the route crosses its link type
  Seconds latency;            // of the route
  Seconds fetch;              // of an eager payload from the sender's memory by the first adapter
  std::size_t legs = 1;       // of the route
  bool has_links = false;     // likewise; none inside a device
  bool has_worker = false;    // of the path

  DeviceKind initiator_kind() const { return initiator == Side::sender ? from_kind : to_kind; }
  auto operator<=>(const PathTerms&) const = default;
};

struct Path {
  std::size_t from = 0;
  std::size_t to = 0; // devices
  Scope scope = Scope::between_nodes;
  PathTerms terms;
  Route route;
  // Besides the route's, channels of the memories at its ends: a message loads them unless what its ranks go through
  // fits in caches. What cores copy takes these and the links of the route; else they are those of stated memories.
  std::vector<std::size_t> memory;
  std::vector<std::size_t> caches;        // channels that what cores copy takes instead if it fits
  std::optional<std::size_t> worker;      // of a stage: a device between the ranks', one of whose threads moves it
  std::optional<std::size_t> sending_nic; // devices with a message rate that it passes, the first and the last
  std::optional<std::size_t> receiving_nic;
};

// The channels that a payload, or its copy by cores, takes on a leg; it may load the memories at the ends, too. Empty:
// a copy that takes none.
std::vector<std::size_t> channels_of(const Path& path, std::size_t leg, bool loads_memory, const Platform& platform);

// All that the phases on a way depend on, besides a message's size.
struct WayTerms {
  std::vector<PathTerms> stages;
  std::optional<Bytes> chunk; // stages work on pieces of this size at the same time
  auto operator<=>(const WayTerms&) const = default;
};

// The way of a message: one path, or those of a staged fabric one behind the other.
struct Way {
  std::vector<Path> stages;
  std::optional<Bytes> chunk; // likewise
};
WayTerms terms_of(const Way& way);

// The scope that two devices are in.
Scope scope_of(const Platform& platform, std::size_t from, std::size_t to);

// The size tells whether messages are cut in stripes. Errors: no route, or no rule of the fabric matches.
Result<Path> make_path(const Platform& platform, Topology& topology, const Fabric& fabric, std::size_t from,
                       std::size_t to, Side initiator = Side::sender, Bytes size = {});
// Likewise for any fabric.
Result<Way> make_way(const Platform& platform, Topology& topology, const Fabric& fabric, std::size_t from,
                     std::size_t to, Side initiator = Side::sender, Bytes size = {});

} // namespace kakehashi
