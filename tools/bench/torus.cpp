#include "torus.hpp"

namespace kakehashi {
namespace {

Fabric make_fabric() {
  Regime eager;
  eager.to = Bytes{16384};
  eager.send_overhead = all_kinds(microseconds(0.3));
  eager.receive_overhead = all_kinds(microseconds(0.3));
  eager.cap = gigabytes_per_second(4.76);
  Regime rendezvous = eager;
  rendezvous.from = Bytes{16384};
  rendezvous.to = std::nullopt;
  rendezvous.trips = 3;
  Fabric fabric;
  fabric.name = "tofu";
  fabric.links = {link_type("pcie"), link_type("tofu")};
  fabric.rules = {{std::nullopt, std::nullopt, std::nullopt, {eager, rendezvous}}};
  return fabric;
}

} // namespace

std::shared_ptr<const Platform> torus(std::array<std::size_t, 3> nodes) {
  auto platform = std::make_shared<Platform>();
  platform->name = "torus";
  const auto count = nodes[0] * nodes[1] * nodes[2];
  const auto link = [&](std::size_t from, std::size_t to, LinkType type, double rate, Seconds latency,
                        int dimension = 0) {
    Link made;
    made.name = platform->devices[from].name + "-" + platform->devices[to].name;
    made.from = from;
    made.to = to;
    made.type = type;
    made.bandwidth = gigabytes_per_second(rate);
    made.latency = latency;
    made.dimension = dimension;
    platform->links.push_back(made);
  };
  for (std::size_t node = 0; node < count; ++node) {
    platform->nodes.push_back("n" + std::to_string(node));
    platform->devices.push_back({platform->nodes.back() + ".cpu", DeviceKind::cpu, node, std::nullopt});
    platform->devices.push_back({platform->nodes.back() + ".icc", DeviceKind::tofu, node, std::nullopt});
    link(2 * node, 2 * node + 1, link_type("pcie"), 15, microseconds(0.2));
  }
  for (std::size_t node = 0; node < count; ++node) {
    const std::array at{node % nodes[0], node / nodes[0] % nodes[1], node / nodes[0] / nodes[1]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      auto next = at;
      next[axis] = (at[axis] + 1) % nodes[axis];
      const auto neighbour = next[0] + nodes[0] * (next[1] + nodes[1] * next[2]);
      if (neighbour != node && !(nodes[axis] == 2 && at[axis] == 1))
        link(2 * node + 1, 2 * neighbour + 1, link_type("tofu"), 4.76, microseconds(0.1), static_cast<int>(axis) + 1);
    }
  }
  platform->fabrics.push_back(make_fabric());
  return platform;
}

std::vector<std::size_t> ranks_of(const Platform& platform, int ranks) {
  std::vector<std::size_t> devices;
  for (std::size_t node = 0; node < platform.nodes.size(); ++node)
    devices.insert(devices.end(), static_cast<std::size_t>(ranks) / platform.nodes.size(), 2 * node);
  return devices;
}

} // namespace kakehashi
