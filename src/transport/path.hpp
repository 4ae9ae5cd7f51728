// Two devices and a fabric → everything about messages between them that does not depend on the size.
#pragma once

#include "topology/topology.hpp"

namespace kakehashi {

// Everything but the size that the phases of a message's cost depend on. Messages over paths with equal terms have
// equal phases, and take equal times if their channels give equal rates.
struct PathTerms {
  DeviceKind from_kind = DeviceKind::cpu;
  DeviceKind to_kind = DeviceKind::cpu;
  Side initiator = Side::sender;
  const Fabric* fabric = nullptr;
  const Rule* rule = nullptr;
  // Equal parts of a message, which flow at once and at one rate; the route lists the channels of all stripes.
  int stripes = 1;
  std::vector<int> crossings; // how often the route crosses the link type of each adjustment of the fabric
  Seconds latency;            // the route's latency
  Seconds fetch;              // time in which the first adapter fetches an eager payload from the sender's memory
  std::size_t legs = 1;       // the route's legs
  bool has_links = false;     // whether the route has links; inside a device it has none
  bool has_worker = false;    // whether threads of a host move the stage's payload
  bool has_engines = false;   // whether DMA engines do

  DeviceKind initiator_kind() const { return initiator == Side::sender ? from_kind : to_kind; }
  auto operator<=>(const PathTerms&) const = default;
};

// What a payload, or its copy by cores, loads besides its links.
struct Loads {
  bool memory = false;  // the memories at the ends, else their caches
  bool domains = false; // what passes between the caches of a node, instead of the caches

  std::size_t number() const { return (memory ? 1 : 0) + (domains ? 2 : 0); }
};

// Who moves a payload: threads of a host between the ranks, or DMA engines of a device, which has some for itself and
// some for a cpu that asks.
enum class WorkerKind { threads, own_engines, engines_for_others };
struct Worker {
  std::size_t device = 0;
  WorkerKind kind = WorkerKind::threads;
};
int at_a_time(const Device& device, WorkerKind kind); // payloads that it moves

struct Path {
  std::size_t from = 0;
  std::size_t to = 0; // both are devices
  Scope scope = Scope::between_nodes;
  PathTerms terms;
  Route route;
  // Channels of the memories at the path's ends. A message loads them unless the data of its ranks fits in caches.
  // Messages that cores copy load these and the links of the route. For other messages only memories that the platform
  // states are listed.
  std::vector<std::size_t> memory;
  std::vector<std::size_t> caches;        // the channels that a copy by cores loads instead if the data fits in caches
  std::optional<std::size_t> domains;     // the channel of what a copy by cores carries from one cache to another
  std::optional<Worker> worker;           // none: nobody who is busy meanwhile
  std::optional<std::size_t> sending_nic; // the first and the last device with a message rate that the path passes
  std::optional<std::size_t> receiving_nic;
};

// Returns the channels that a payload, or its copy by cores, loads on a leg. Empty for a copy that loads none.
std::vector<std::size_t> channels_of(const Path& path, std::size_t leg, Loads loads, const Platform& platform);

// Everything but the size that the phases on a way depend on.
struct WayTerms {
  std::vector<PathTerms> stages;
  std::optional<Bytes> chunk; // as in Way
  auto operator<=>(const WayTerms&) const = default;
};

// The way of a message: one path, or the paths of a staged fabric one after the other.
struct Way {
  std::vector<Path> stages;
  std::optional<Bytes> chunk; // stages work on pieces of this size at the same time; none: one stage after the other
};
WayTerms terms_of(const Way& way);

// The scope of messages between two devices.
Scope scope_of(const Platform& platform, std::size_t from, std::size_t to);

// Finds the device of this name in the node of another device.
std::optional<std::size_t> named_near(const Platform& platform, std::size_t device, std::string_view name);

// The size decides whether messages are striped. Errors: there is no route, or no rule of the fabric matches.
Result<Path> make_path(const Platform& platform, Topology& topology, const Fabric& fabric, std::size_t from,
                       std::size_t to, Side initiator = Side::sender, Bytes size = {});
// The same for any fabric, staged or plain.
Result<Way> make_way(const Platform& platform, Topology& topology, const Fabric& fabric, std::size_t from,
                     std::size_t to, Side initiator = Side::sender, Bytes size = {});

} // namespace kakehashi
