// Ranks on the nodes of a three-dimensional torus → whether they fill a box of it, and where in the box each is.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace kakehashi {

using NodePoint = std::array<int, 3>; // of the machine: x, y, z

// A box of nodes with as many ranks on each. Points are numbered with x fastest.
struct Box {
  NodePoint extent{1, 1, 1};
  std::vector<int> point_of; // of each member
  std::vector<int> first_at; // of each point: its first member

  bool has_three_dimensions() const { return std::min({extent[0], extent[1], extent[2]}) > 1; }
  int points() const { return extent[0] * extent[1] * extent[2]; }
  int number(const NodePoint& at) const { return at[0] + extent[0] * (at[1] + extent[1] * at[2]); }
  NodePoint at(int point) const {
    return {point % extent[0], point / extent[0] % extent[1], point / (extent[0] * extent[1])};
  }
};

// points: of each rank of the world, empty if its machine is no torus. None if the members fill no box, or are all at
// one point of it.
std::optional<Box> make_box(std::span<const int> members, std::span<const NodePoint> points);

// Where a message along one of the trees of a broadcast comes from and goes to. The points are counted from the root's,
// as on a torus: on a box that is none, steps beyond its end are long, but arrive.
struct BoxTree {
  int parent = -1; // points; of the root: none
  std::vector<int> children;
  int depth = 0; // steps from the root
};

// One of three trees over all points, each of which uses links of its own where the box is a torus with three points or
// more on each axis. Tree t goes down its axis t from the root, from there down the next axis, and up the one after it:
//
//   down axis t         the points (a, 0, 0), in the order -1, -2, …
//   down the next axis  the points (a, c, 0) with a ≠ 0
//   up the last axis    the points (a, c, b) with a ≠ 0
//   up axis t           from a = -1 to the points (0, c, b), which would else take links of other trees
//
// so the root sends each tree's share once. Axes of one point are left out of the order.
inline constexpr int box_trees = 3;
BoxTree box_tree(const Box& box, int tree, int root, int point);

} // namespace kakehashi
