// A node of a machine → its devices as trees, in rows of sockets that fit into a width.
#pragma once

#include "result/machine.hpp"

#include <map>
#include <vector>

namespace kakehashi {

inline constexpr double device_height = 34;
inline constexpr double row_pitch = 66; // from a device to the one below
inline constexpr double title_height = 22;
inline constexpr double node_padding = 10;
inline constexpr double group_gap = 22; // between sockets, where their link is seen

// Sockets, and the devices attached to each.
struct DeviceTree {
  std::vector<std::size_t> roots;
  std::map<std::size_t, std::vector<std::size_t>> children;
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

  std::size_t columns() const; // of the widest shelf
  double width(double column) const;
  double widest_column(double room) const; // the widest that fits
  double height() const;
};

// Uses as many shelves as needed to keep columns readable.
NodeShape shape_of(const Machine& machine, std::size_t node, double room);

} // namespace kakehashi
