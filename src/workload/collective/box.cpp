#include "workload/collective/box.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// Returns the parent in the tree of a point. Points are given as steps from the root: 0 to extent - 1 on each axis.
NodePoint parent_of(const NodePoint& extent, int tree, NodePoint steps) {
  std::array<std::size_t, 3> order{}; // those of the tree's axes that have more than one point
  std::size_t axes = 0;
  for (int i = 0; i < 3; ++i)
    if (const auto axis = static_cast<std::size_t>((tree + i) % 3); extent[axis] > 1)
      order[axes++] = axis;
  const auto move = [&](std::size_t axis, int by) { steps[axis] = (steps[axis] + by + extent[axis]) % extent[axis]; };
  const auto first = order[0];
  if (steps[first] == 0)
    move(first, -1); // reached upwards, from -1
  else if (axes > 2 && steps[order[2]] != 0)
    move(order[2], -1); // reached upwards
  else if (axes > 1 && steps[order[1]] != 0)
    move(order[1], 1); // reached downwards
  else
    move(first, 1);
  return steps;
}

} // namespace

std::optional<Box> make_box(std::span<const int> members, std::span<const NodePoint> points) {
  if (points.empty() || members.empty())
    return std::nullopt;
  const auto point_of = [&](int rank) { return points[static_cast<std::size_t>(rank)]; };
  auto least = point_of(members.front());
  auto most = least;
  for (const int rank : members)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      least[axis] = std::min(least[axis], point_of(rank)[axis]);
      most[axis] = std::max(most[axis], point_of(rank)[axis]);
    }
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
    box.extent[axis] = most[axis] - least[axis] + 1;
  if (box.points() == 1 || static_cast<std::size_t>(box.points()) > members.size())
    return std::nullopt;
  std::vector<std::size_t> ranks_at(static_cast<std::size_t>(box.points()));
  box.first_at.assign(ranks_at.size(), -1);
  for (std::size_t member = 0; member < members.size(); ++member) {
    auto at = point_of(members[member]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      at[axis] -= least[axis];
    box.point_of.push_back(box.number(at));
    const auto point = static_cast<std::size_t>(box.point_of.back());
    if (ranks_at[point]++ == 0)
      box.first_at[point] = static_cast<int>(member);
  }
  if (std::any_of(ranks_at.begin(), ranks_at.end(), [&](auto ranks) { return ranks != ranks_at.front(); }))
    return std::nullopt;
  return box;
}

BoxTree box_tree(const Box& box, int tree, int root, int point) {
  const auto origin = box.at(root);
  const auto place = box.at(point);
  const int sign = tree < box_trees ? 1 : -1;
  const auto around = [&](std::size_t axis, int at) { return (at + 2 * box.extent[axis]) % box.extent[axis]; };
  NodePoint steps{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    steps[axis] = around(axis, sign * (place[axis] - origin[axis]));
  const auto point_of = [&](NodePoint at) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      at[axis] = around(axis, sign * at[axis] + origin[axis]);
    return box.number(at);
  };
  const NodePoint nowhere{};
  BoxTree found;
  if (steps != nowhere)
    found.parent = point_of(parent_of(box.extent, tree, steps));
  for (auto at = steps; at != nowhere; at = parent_of(box.extent, tree, at))
    ++found.depth;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const int by : {-1, 1}) {
      auto child = steps;
      child[axis] = around(axis, child[axis] + by);
      const bool is_known = std::find(found.children.begin(), found.children.end(), point_of(child)) !=
                            found.children.end(); // an axis of two points has the same neighbour on both sides
      if (child != nowhere && child != steps && !is_known && parent_of(box.extent, tree, child) == steps)
        found.children.push_back(point_of(child));
    }
  return found;
}

} // namespace kakehashi
