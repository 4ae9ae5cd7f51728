// A machine and a width → the places of its nodes, devices and links.
#pragma once

#include "report/draw/drawing.hpp"
#include "result/machine.hpp"

namespace kakehashi {

struct PlacedBox {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};
struct PlacedNode {
  std::size_t node = 0;
  PlacedBox box;
};
struct PlacedDevice {
  std::size_t device = 0;
  PlacedBox box;
};
struct PlacedLink {
  std::size_t link = 0;
  std::vector<Spot> spots;
};
struct MachineLayout {
  std::vector<PlacedNode> nodes;
  std::vector<PlacedDevice> devices;
  std::vector<PlacedLink> links;
  double height = 0;
};

// Parallel lines are at least this far apart, or share one place.
inline constexpr double least_pitch = 5;

// The sockets of a node are side by side, each above the devices attached to it. Links between nodes run along lanes
// under the rows of nodes and down at their right. Devices that belong to no node, such as switches, are at the bottom.
MachineLayout lay_out(const Machine& machine, double width);

} // namespace kakehashi
