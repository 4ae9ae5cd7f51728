// Ranks on the nodes of a three-dimensional torus → the box that they fill, if they do, and each rank's point in it.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace kakehashi {

using NodePoint = std::array<int, 3>; // a point of the machine: x, y, z

// A box of nodes with equally many ranks on each. Points are numbered with x fastest.
struct Box {
  NodePoint extent{1, 1, 1};
  std::vector<int> point_of; // the point of each member
  std::vector<int> first_at; // the first member at each point

  bool has_three_dimensions() const { return std::min({extent[0], extent[1], extent[2]}) > 1; }
  int points() const { return extent[0] * extent[1] * extent[2]; }
  int number(const NodePoint& at) const { return at[0] + extent[0] * (at[1] + extent[1] * at[2]); }
  NodePoint at(int point) const {
    return {point % extent[0], point / extent[0] % extent[1], point / (extent[0] * extent[1])};
  }
};

// `points` has one for each rank of the world; it is empty if the machine is no torus. Returns none if the members fill
// no box, or are all at one point.
std::optional<Box> make_box(std::span<const int> members, std::span<const NodePoint> points);

// The parent and children of a point in one of the trees of a broadcast. Points are counted from the root's and wrap
// around as on a torus; on a box that is no torus, steps beyond its end are long.
struct BoxTree {
  int parent = -1; // a point; -1 for the root
  std::vector<int> children;
  int depth = 0; // number of steps from the root
};

// One of six trees over all points. Each of the first three uses links of its own if the box is a torus with at least
// three points on each axis. Tree t goes from the root down its axis t, from there down the next axis, and up the axis
// after that:
//
//   down axis t         the points (a, 0, 0), in the order -1, -2, …
//   down the next axis  the points (a, c, 0) with a ≠ 0
//   up the last axis    the points (a, c, b) with a ≠ 0
//   up axis t           from a = -1 to the points (0, c, b), which would else take links of other trees
//
// So the root sends each tree's share once. The order leaves out axes of one point. Trees 3 to 5 are mirror images of
// these, and so use the links of a torus that are left: the root sends a sixth to each of six neighbours.
inline constexpr int box_trees = 3;
inline constexpr int mirrored_box_trees = 6; // with the images
BoxTree box_tree(const Box& box, int tree, int root, int point);

} // namespace kakehashi
