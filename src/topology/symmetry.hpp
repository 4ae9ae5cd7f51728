// Platform, fabric and how often each device is offered → which devices may be exchanged without changing any route.
#pragma once

#include "topology/topology.hpp"

namespace kakehashi {

// Exchanges that map the graph onto itself: of two devices of a node, and of two whole nodes, device by device of the
// same local name. Other automorphisms, such as the turns of a torus, are not sought.
class Symmetry {
public:
  // None but the identity.
  explicit Symmetry(const Platform& platform);
  // `offered` counts for each device; devices are equal only if it is. Every exchange is checked: it maps links onto
  // links, and the fabric's routes between offered devices onto its routes.
  Symmetry(const Platform& platform, const Fabric& fabric, Topology& topology, std::span<const int> offered);

  // Of all ways to write these devices that the exchanges lead to, always the same one. Linear in their number.
  std::vector<std::size_t> canonical(std::span<const std::size_t> devices) const;

  // Devices that may be exchanged have equal numbers, and so have nodes.
  std::span<const std::size_t> device_classes() const { return twins_; }
  std::span<const std::size_t> node_classes() const { return node_class_; }

private:
  const Platform* platform_;
  std::vector<std::size_t> twins_;                // for each device the first one that it may be exchanged with
  std::vector<std::size_t> node_class_;           // for each node likewise
  std::vector<std::vector<std::size_t>> members_; // of each class of devices, ascending
  std::vector<std::vector<std::size_t>> nodes_;   // of each class of nodes, ascending
  std::vector<std::map<std::string_view, std::size_t>> device_by_name_; // of each node, by local name
  void index();
};

} // namespace kakehashi
