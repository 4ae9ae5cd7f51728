// Two nodes of a Tofu network → the way between them, found hop by hop: along X, then Y, Z, a, b and c.
#pragma once

#include "model/platform.hpp"
#include "topology/search.hpp"

#include <memory>
#include <optional>

namespace kakehashi {

class TorusRoutes {
public:
  explicit TorusRoutes(const Platform& platform); // which has a torus; keeps a reference to it

  // Round a ring the shorter way; where both are as long, up from even points and down from odd ones (assumed: it loads
  // both directions alike). None if the network does not join the two, or not over these link types; then other ways
  // may. Memory grows with the number of nodes, time with the number of hops.
  std::optional<std::vector<std::size_t>> directions(std::span<const LinkType> types, std::size_t from, std::size_t to);

private:
  static constexpr std::size_t axes = 6;

  std::size_t node_of(std::size_t device) const { return device / platform_->torus->devices_per_node; }
  void add_hops(std::size_t from, std::size_t to, std::vector<std::size_t>& directions) const;

  const Platform* platform_;
  std::unique_ptr<const Platform> first_node_;          // alone; all others are like it
  WaySearch inside_;                                    // that node
  std::vector<TorusPoint> points_;                      // of each node
  std::vector<std::size_t> nodes_;                      // of each point, by its number
  std::vector<std::array<std::size_t, axes>> links_up_; // of each node: its link to the next point up each axis
};

} // namespace kakehashi
