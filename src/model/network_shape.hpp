// The kind and the sizes of a network → its switches and links.
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
  std::size_t devices = 0;                // number of devices that it joins
  std::size_t ports = 36;                 // per switch of a fat tree
  std::optional<std::size_t> levels;      // number of a fat tree's levels, up to 3; none: as few as suffice
  std::array<std::size_t, 2> taper{1, 1}; // links down to links up of a fat tree's lowest switches
  std::vector<std::size_t> points; // the length of a mesh or torus in each dimension; a dragonfly's groups, routers
                                   // of a group and devices of a router
  std::size_t group_links = 1;     // links between any two groups of a dragonfly
  bool adds = false;               // its switches add what calls of many nodes send through them (SHARP)
};

// One or more cables between two devices or switches. Traffic spreads evenly over them.
struct Wire {
  std::size_t from = 0;
  std::size_t to = 0; // devices come first, in their order, then the switches
  std::size_t cables = 1;
  int dimension = 0; // the dimension of the grid along which it goes up, from 1; 0: no grid
};

struct Wiring {
  std::vector<std::string> switches; // their names, such as "leaf0"; a single switch has the name ""
  std::vector<Wire> wires;
};

// Returns the switches and links. A fat tree is complete: it has as many switches as its devices need, and each switch
// has equally many cables to all its neighbours in the level above. The place of an error is /ports, /levels, /shape or
// empty.
Result<Wiring> wiring_of(const NetworkShape& shape);

} // namespace kakehashi
