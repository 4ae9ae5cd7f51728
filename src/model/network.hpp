// The kind and the sizes of a network → its switches, and the links between them and the devices that it joins.
#pragma once

#include "base/error.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

enum class NetworkKind { one_switch, fat_tree, dragonfly, ring, mesh, torus, all_to_all };
inline constexpr std::array<std::string_view, 7> network_kind_names{"switch", "fat-tree", "dragonfly", "ring",
                                                                    "mesh",   "torus",    "all-to-all"};

struct NetworkShape {
  NetworkKind kind = NetworkKind::one_switch;
  std::size_t devices = 0;                // that it joins
  std::size_t ports = 36;                 // of a switch of a fat tree
  std::optional<std::size_t> levels;      // of a fat tree, up to 3; none: as few as have room
  std::array<std::size_t, 2> taper{1, 1}; // links down to links up of a fat tree's lowest switches
  std::vector<std::size_t> points; // a mesh's or torus's, along each dimension; a dragonfly's groups, routers of a
                                   // group and devices of a router
  std::size_t group_links = 1;     // between any two groups of a dragonfly
};

// Cables side by side act as one: traffic spreads evenly over them.
struct Wire {
  std::size_t from = 0;
  std::size_t to = 0; // the devices in their order, and then the switches
  std::size_t cables = 1;
  int dimension = 0; // of a grid that it goes up, from 1 on; 0: it is in none
};

struct Wiring {
  std::vector<std::string> switches; // "leaf0"; "": the only one
  std::vector<Wire> wires;
};

// Fat trees have all their switches, as many as the devices need, and each switch has equally many cables to all that
// it is joined with in the level above. Errors: /ports, /levels, /shape or none, and what is wrong there.
Result<Wiring> wiring_of(const NetworkShape& shape);

} // namespace kakehashi
