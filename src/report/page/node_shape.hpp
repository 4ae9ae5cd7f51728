// A node of a machine → its devices as trees, in rows of sockets that fit into a width.
#pragma once

#include "result/machine.hpp"

#include <map>
#include <vector>

namespace kakehashi {

inline constexpr double device_height = 34;
inline constexpr double row_pitch = 66; // from a device to the one below it
inline constexpr double title_height = 22;
inline constexpr double node_padding = 10;
inline constexpr double group_gap = 22; // between sockets, where their link is seen

// Sockets, and what hangs on each.
struct DeviceTree {
  std::vector<std::size_t> roots;
  std::map<std::size_t, std::vector<std::size_t>> children;
};
// How many devices stand side by side under one, and how many one below the other.
std::size_t columns_of(const DeviceTree& tree, std::size_t device);
std::size_t depth_of(const DeviceTree& tree, std::size_t device);

// Sockets side by side.
struct Shelf {
  std::vector<std::size_t> roots;
  std::size_t columns = 0;
  std::size_t depth = 1;

  double width(double column) const;
  double height() const;
};

// How much room a node needs.
struct NodeShape {
  DeviceTree tree;
  std::vector<Shelf> shelves; // one at least

  std::size_t columns() const; // of the widest shelf
  double width(double column) const;
  double widest_column(double room) const; // with which it fits
  double height() const;
};

// As many shelves as it takes, so that columns can still be read.
NodeShape shape_of(const Machine& machine, std::size_t node, double room);

} // namespace kakehashi
