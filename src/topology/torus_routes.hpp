// Two nodes of a Tofu network → the way between them, found hop by hop: along X, then Y, Z, a, b and c.
#pragma once

#include "model/platform.hpp"
#include "topology/search.hpp"

#include <memory>
#include <optional>

namespace kakehashi {

class TorusRoutes {
public:
  explicit TorusRoutes(const Platform& platform); // requires a platform with a torus; keeps a reference to it

  // Returns the directions of the way. Around a ring it takes the shorter direction; if both are equally short, it goes
  // up from even points and down from odd ones (assumed: this loads both directions equally). None if the network does
  // not join the two devices, or not over these link types; another way may exist. Memory grows with the number of
  // nodes, time with the number of hops.
  std::optional<std::vector<std::size_t>> directions(std::span<const LinkType> types, std::size_t from, std::size_t to);

private:
  static constexpr std::size_t axes = 6;

  std::size_t node_of(std::size_t device) const { return device / platform_->torus->devices_per_node; }
  void add_hops(std::size_t from, std::size_t to, std::vector<std::size_t>& directions) const;

  const Platform* platform_;
  std::unique_ptr<const Platform> first_node_;          // one node, which all others are like
  WaySearch inside_;                                    // searches in that node
  std::vector<TorusPoint> points_;                      // each node's point
  std::vector<std::size_t> nodes_;                      // the node at each point, by the point's number
  std::vector<std::array<std::size_t, axes>> links_up_; // each node's link to the next point up each axis
};

} // namespace kakehashi
