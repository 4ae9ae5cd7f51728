// A machine and a width → where its nodes, devices and links stand.
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

// Lines that run side by side are as far apart, or further, or share one place.
inline constexpr double least_pitch = 5;

// In a node sockets stand side by side, and under each what hangs on it. Links between nodes go along lanes under the
// rows of nodes and down at their right; what belongs to no node, such as a switch, stands at the bottom.
MachineLayout lay_out(const Machine& machine, double width);

} // namespace kakehashi
