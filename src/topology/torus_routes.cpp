#include "topology/torus_routes.hpp"

#include <algorithm>
#include <cstdlib>

namespace kakehashi {
namespace {

std::unique_ptr<const Platform> first_node_of(const Platform& platform) {
  const auto first = [](const auto& list, std::size_t count) {
    return std::remove_cvref_t<decltype(list)>(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count));
  };
  auto alone = std::make_unique<Platform>();
  alone->devices = first(platform.devices, platform.torus->devices_per_node);
  alone->links = first(platform.links, platform.torus->links_per_node);
  return alone;
}

// Returns the number of steps up an axis, or of steps down as a negative number.
int steps(const Torus& torus, std::size_t axis, int from, int to) {
  const int length = torus.extent[axis];
  const int up = (to - from + length) % length;
  if (!torus.is_ring(axis))
    return to - from;
  if (2 * up == length)
    return from % 2 == 0 ? up : -up;
  return 2 * up < length ? up : up - length;
}

// Appends the way between two devices inside a node, searched in the first node; false if there is none.
bool add_way(WaySearch& search, std::span<const LinkType> types, std::size_t from, std::size_t to,
             std::size_t link_offset, std::vector<std::size_t>& directions) {
  const Usable usable{bits_of(types), {}};
  if (!search.length(from, to, usable))
    return false;
  const auto first = directions.size();
  Turn turn(0);
  search.add_way(from, to, usable, turn, directions);
  for (auto at = first; at < directions.size(); ++at)
    directions[at] += 2 * link_offset;
  return true;
}

} // namespace

TorusRoutes::TorusRoutes(const Platform& platform)
    : platform_(&platform), first_node_(first_node_of(platform)), inside_(*first_node_),
      nodes_(platform.torus->nodes()), links_up_(platform.torus->nodes()) {
  const auto& torus = *platform.torus;
  for (std::size_t node = 0; node < torus.nodes(); ++node) {
    points_.push_back(torus_point(torus, box_point(torus.box(), node)));
    nodes_[point_number(torus, points_.back())] = node;
  }
  std::size_t link = torus.nodes() * torus.links_per_node; // the network's links are ordered by node and axis
  for (std::size_t node = 0; node < torus.nodes(); ++node)
    for (std::size_t axis = 0; axis < axes; ++axis)
      if (neighbour_up(torus, points_[node], axis))
        links_up_[node][axis] = link++;
}

void TorusRoutes::add_hops(std::size_t from, std::size_t to, std::vector<std::size_t>& directions) const {
  const auto& torus = *platform_->torus;
  auto point = points_[from];
  auto node = from;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const int way = steps(torus, axis, point[axis], points_[to][axis]);
    for (int step = 0; step < std::abs(way); ++step) {
      const auto before = node;
      point[axis] = (point[axis] + (way > 0 ? 1 : -1) + torus.extent[axis]) % torus.extent[axis];
      node = nodes_[point_number(torus, point)];
      directions.push_back(way > 0 ? 2 * links_up_[before][axis] : 2 * links_up_[node][axis] + 1);
    }
  }
}

std::optional<std::vector<std::size_t>> TorusRoutes::directions(std::span<const LinkType> types, std::size_t from,
                                                                std::size_t to) {
  static const auto tofu = link_type("tofu");
  const auto& torus = *platform_->torus;
  const auto start = node_of(from);
  const auto end = node_of(to);
  if (start == end || start >= torus.nodes() || end >= torus.nodes() ||
      std::find(types.begin(), types.end(), tofu) == types.end())
    return std::nullopt;
  std::vector<std::size_t> directions;
  if (!add_way(inside_, types, from % torus.devices_per_node, torus.controller, start * torus.links_per_node,
               directions))
    return std::nullopt;
  add_hops(start, end, directions);
  if (!add_way(inside_, types, torus.controller, to % torus.devices_per_node, end * torus.links_per_node, directions))
    return std::nullopt;
  return directions;
}

} // namespace kakehashi
