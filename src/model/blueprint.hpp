// A machine as it is imported: parts by their names, each with where it is known from, before it becomes a platform.
#pragma once

#include "model/network.hpp"
#include "model/platform.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kakehashi {

struct PlannedDevice {
  std::string name; // in its node, or outside any node
  DeviceKind kind = DeviceKind::cpu;
  std::optional<Source> source;
  int cores = 0;                  // 0: not known
  std::optional<Memory> memory{}; // none: not known
};

// The kind and rate of a link, whatever it joins.
struct Cable {
  LinkType type;
  LinkRating rating;                       // what the data sheet gives; not written if a bandwidth is stated
  std::optional<BytesPerSecond> bandwidth; // stated
  Seconds latency;
  Source source;
};

struct PlannedLink {
  std::string from;
  std::string to; // names of devices in the node, or NODE.DEVICE outside
  Cable cable;
};

// The parts of a node, or those outside the nodes.
struct Assembly {
  std::vector<PlannedDevice> devices;
  std::vector<PlannedLink> links;
  std::string processor{}; // the name of the sockets' kind; empty: not known
};

// A host's port in the network.
struct NetworkPort {
  std::size_t host = 0; // index into NetworkPlan::hosts
  std::size_t rail = 0; // which of the host's adapters it is on
  std::string far_end;  // a switch; empty: another host's port, peer_host and peer_rail
  std::size_t peer_host = 0;
  std::size_t peer_rail = 0;
  Cable cable;
};

// A link between nodes.
struct NetworkPlan {
  std::vector<std::string> hosts; // in the order of their numbers
  Assembly switches;
  std::vector<NetworkPort> ports;
};

// A network that joins many devices alike, as an entry of a platform's "networks".
struct PlannedNetwork {
  std::string name;
  NetworkShape shape;
  std::string joins; // devices, as a name with ranges
  Cable link;
};

struct Blueprint {
  std::string name;
  std::string description;
  std::vector<std::pair<std::string, Assembly>> templates;
  std::vector<std::pair<std::string, std::string>> nodes; // name, which may have a range: template
  Assembly outside;                                       // devices outside nodes, and links between nodes
  std::vector<PlannedNetwork> networks;
  std::vector<std::pair<Fabric, std::string>> fabrics; // with their descriptions
  std::optional<MpiSettings> mpi{};
};

// The rate of a cable: the stated one, or else the one that follows from its rating.
inline BytesPerSecond capacity_of(const Cable& cable) {
  return cable.bandwidth ? *cable.bandwidth : row_of(cable.type).capacity(cable.rating);
}

} // namespace kakehashi
