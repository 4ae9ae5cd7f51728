// An imported machine before it becomes a platform: its parts by name, each with the source that it comes from.
#pragma once

#include "model/network_shape.hpp"
#include "model/platform.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kakehashi {

struct PlannedDevice {
  std::string name; // unique in its node, or among the devices outside nodes
  DeviceKind kind = DeviceKind::cpu;
  std::optional<Source> source;
  int cores = 0;                  // 0: unknown
  std::optional<Memory> memory{}; // none: unknown
  std::string model{};            // as sold; empty: unknown
  std::vector<MemoryPart> memories{};
  int numa_domains = 1;
  std::optional<BytesPerSecond> duplex_bandwidth{}; // of an adapter; none: it is not known to be limited
  std::optional<ComputeSheet> compute{};
};

// The kind and rate of a link, whatever devices it joins.
struct Cable {
  LinkType type;
  LinkRating rating;                       // the data sheet's numbers; they are not written if a bandwidth is stated
  std::optional<BytesPerSecond> bandwidth; // the stated one; none: it follows from the rating
  Seconds latency;
  Source source;
  std::optional<BytesPerSecond> both{}; // what an adapter at its end carries in both directions together; none: unknown
};

struct PlannedLink {
  std::string from;
  std::string to; // both are devices of the node, or NODE.DEVICE outside nodes
  Cable cable;
};

// The parts of one node, or all parts outside the nodes.
struct Assembly {
  std::vector<PlannedDevice> devices;
  std::vector<PlannedLink> links;
  std::string processor{};             // the model name of the sockets; empty: unknown
  std::vector<std::string> adapters{}; // adapters of a node: those that join the network; empty: not chosen yet
};

// A port of a host on the network between nodes.
struct NetworkPort {
  std::size_t host = 0; // index into NetworkPlan::hosts
  std::size_t rail = 0; // index of the host's adapter that has the port
  std::string far_end;  // a switch; empty: the port of another host, which peer_host and peer_rail name
  std::size_t peer_host = 0;
  std::size_t peer_rail = 0;
  Cable cable;
};

// The links between nodes.
struct NetworkPlan {
  std::vector<std::string> hosts; // in the order of their numbers
  Assembly switches;
  std::vector<NetworkPort> ports;
};

// NVLink switches that join the GPUs of several nodes.
struct NvlinkDomain {
  std::size_t nodes = 0;
  std::string joins; // the devices of a node, as a name with ranges
  Cable link;
};

// A network that joins many devices in one pattern: an entry of a platform's "networks".
struct PlannedNetwork {
  std::string name;
  NetworkShape shape;
  std::vector<std::string> joins; // the devices, as names with ranges
  Cable link;
  std::size_t rails = 1; // networks of this shape, which the devices join in turn
};

struct Blueprint {
  std::string name;
  std::string description;
  std::vector<std::pair<std::string, Assembly>> templates;
  std::vector<std::pair<std::string, std::string>> nodes; // each name, which may have a range, and its template
  Assembly outside;                                       // devices outside nodes, and links between nodes
  std::vector<PlannedNetwork> networks;
  std::vector<std::pair<Fabric, std::string>> fabrics; // each with its description
  std::optional<MpiSettings> mpi{};
};

// The capacity of a cable: the stated bandwidth, or else the one that follows from its rating.
inline BytesPerSecond capacity_of(const Cable& cable) {
  return cable.bandwidth ? *cable.bandwidth : row_of(cable.type).capacity(cable.rating);
}

} // namespace kakehashi
