// A platform, a fabric and how often each device is offered → the devices that may be exchanged without any change of
// routes.
#pragma once

#include "topology/topology.hpp"

namespace kakehashi {

// Exchanges of devices that map the platform's graph onto itself: of two devices in a node, or of two whole nodes,
// where each device becomes the one with the same local name. It does not look for others, such as turns of a torus.
class Symmetry {
public:
  // Contains only the identity.
  explicit Symmetry(const Platform& platform);
  // `offered` is the number of ranks that each device is offered to; only devices with equal numbers are exchanged.
  // Every exchange is checked: it maps links onto links, and the fabric's routes between offered devices onto routes.
  Symmetry(const Platform& platform, const Fabric& fabric, Topology& topology, std::span<const int> offered);

  // Returns one fixed representative of all lists that the exchanges turn these devices into. Its time is linear in
  // their number.
  std::vector<std::size_t> canonical(std::span<const std::size_t> devices) const;

  // Devices that may be exchanged have equal numbers; so have nodes.
  std::span<const std::size_t> device_classes() const { return twins_; }
  std::span<const std::size_t> node_classes() const { return node_class_; }

private:
  const Platform* platform_;
  std::vector<std::size_t> twins_;                // the first device with which each may be exchanged
  std::vector<std::size_t> node_class_;           // the first node with which each may be exchanged
  std::vector<std::vector<std::size_t>> members_; // the devices of each class, ascending
  std::vector<std::vector<std::size_t>> nodes_;   // the nodes of each class, ascending
  std::vector<std::map<std::string_view, std::size_t>> device_by_name_; // each node's devices by local name
  void index();
};

} // namespace kakehashi
