// A machine → a drawing of its nodes with sockets and slots, and of links with widths that show their rates.
#pragma once

#include "report/draw/drawing.hpp"
#include "report/page/page.hpp"
#include "result/machine.hpp"

#include <map>
#include <vector>

namespace kakehashi {

// A machine → the same with similar devices drawn as one: those without ranks, and with the same links to the same
// neighbours.

// Three or more devices of a node become one, which is named after the first and the last: "node0.hca0-hca15".
Machine with_alike_as_one(const Machine& machine);

// A node of a machine → its devices as trees, in rows of sockets that fit into a width.
inline constexpr double device_height = 34;
inline constexpr double row_pitch = 66; // from a device to the one below
inline constexpr double bar_height = 22;
inline constexpr double bar_pitch = 46;
inline constexpr double title_height = 22;
inline constexpr double node_padding = 10;
inline constexpr double group_gap = 22; // between sockets, where their link is seen

// Nodes of this many GPUs are drawn once if all are alike.
inline constexpr std::size_t many_gpus = 4;

// Sockets, and the devices attached to each.
struct DeviceTree {
  std::vector<std::size_t> roots;
  std::map<std::size_t, std::vector<std::size_t>> children;
  std::vector<std::size_t> bars; // switches between GPUs, which lie below all of them
};
// How many devices are side by side under a device, and how many are below each other.
std::size_t columns_of(const DeviceTree& tree, std::size_t device);
std::size_t depth_of(const DeviceTree& tree, std::size_t device);

// A row of sockets.
struct Shelf {
  std::vector<std::size_t> roots;
  std::size_t columns = 0;
  std::size_t depth = 1;

  double width(double column) const;
  double height() const;
};

// The room that a node needs.
struct NodeShape {
  DeviceTree tree;
  std::vector<Shelf> shelves; // at least one

  std::size_t columns() const; // number of columns of the widest shelf
  double width(double column) const;
  double widest_column(double room) const; // the widest that fits
  double height() const;
};

// Uses as many shelves as needed to keep columns readable.
NodeShape shape_of(const Machine& machine, std::size_t node, double room);

// A machine and a width → the places of its nodes, devices and links.
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
  std::vector<PlacedNode> nodes; // one of GPUs may stand for all, if these are alike
  std::vector<PlacedDevice> devices;
  std::vector<PlacedLink> links;
  double height = 0;
};

// Parallel lines are at least this far apart, or share one place.
inline constexpr double least_pitch = 5;

// The sockets of a node are side by side, each above the devices attached to it. Links between nodes run along lanes
// under the rows of nodes and down at their right. Devices that belong to no node, such as switches, are at the bottom.
MachineLayout lay_out(const Machine& machine, double width);

// Nodes with ranks or used links come first; for a large machine only some nodes are drawn.
Drawing draw(const Machine& machine, double width);

Figure machine_figure(const Machine& machine, std::string title);

// Returns the width of each placed link in px: it shows the rate, and all are thinner where they would touch side by
// side.
std::vector<double> line_widths(const Machine& machine, const MachineLayout& layout);

} // namespace kakehashi
