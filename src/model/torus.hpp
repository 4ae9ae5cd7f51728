// The shape of a Tofu network → the six coordinates of each node, and its place in a three-dimensional box.
//
// The axes are X, Y, Z, a, b and c; a, b and c have 2, 3 and 2 points. X, Z and b are rings, Y, a and c are meshes. A
// job sees a box of three dimensions, (X and a) × (Y and b) × (Z and c), whose lines are laid so that neighbours in the
// box are neighbours in the network. Source: Ajima, Sumimoto, Shimizu, "Tofu: a 6D mesh/torus interconnect for exascale
// computers", IEEE Computer 42 (2009).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace kakehashi {

using TorusPoint = std::array<int, 6>; // X, Y, Z, a, b, c
using BoxPoint = std::array<int, 3>;   // x, y, z

// The number of dimensions in which a job sees its nodes. A plane's first axis is x and y of the box, a line's all
// three.
enum class JobShape { line, plane, box };
inline constexpr std::array<std::string_view, 3> job_shape_names{"line", "plane", "box"};

// Its nodes are the first of the platform, in the order of the box, x fastest. All nodes are alike, so a node's devices
// and inner links have the numbers of the previous node's plus a constant; the network's links come after all of these.
struct Torus {
  TorusPoint extent{1, 1, 1, 2, 3, 2};
  std::size_t devices_per_node = 1;
  std::size_t links_per_node = 0;
  JobShape job = JobShape::box;
  std::size_t controller = 0; // the device of a node that the network's links join

  BoxPoint box() const { return {extent[0] * extent[3], extent[1] * extent[4], extent[2] * extent[5]}; }
  std::size_t nodes() const {
    std::size_t count = 1;
    for (const int points : extent)
      count *= static_cast<std::size_t>(points);
    return count;
  }
  // A ring of two points would be joined twice.
  bool is_ring(std::size_t axis) const { return (axis == 0 || axis == 2 || axis == 4) && extent[axis] > 2; }
};

inline std::size_t node_at(const BoxPoint& box, const BoxPoint& point) {
  return static_cast<std::size_t>(point[0] + box[0] * (point[1] + box[1] * point[2]));
}
inline BoxPoint box_point(const BoxPoint& box, std::size_t node) {
  const int number = static_cast<int>(node);
  return {number % box[0], number / box[0] % box[1], number / (box[0] * box[1])};
}

// The node's place as the ranks of the job see it.
inline BoxPoint job_point(const Torus& torus, std::size_t node) {
  const auto box = torus.box();
  const auto [x, y, z] = box_point(box, node);
  switch (torus.job) {
  case JobShape::line: return {static_cast<int>(node), 0, 0};
  case JobShape::plane: return {x + box[0] * y, z, 0};
  case JobShape::box: break;
  }
  return {x, y, z};
}

// A line of the box goes to and fro: along X for a = 0 and back for a = 1; the same along Z; and along b for Y = 0,
// back for Y = 1, and so on. It closes to a ring; the line along y does so only if Y has two points.
inline TorusPoint torus_point(const Torus& torus, const BoxPoint& point) {
  constexpr std::size_t fast[] = {0, 4, 2}; // the axis along which the line goes
  constexpr std::size_t slow[] = {3, 1, 5};
  TorusPoint found{};
  for (std::size_t line = 0; line < 3; ++line) {
    const int length = torus.extent[fast[line]];
    const int turn = point[line] / length;
    const int step = point[line] % length;
    found[slow[line]] = turn;
    found[fast[line]] = turn % 2 == 0 ? step : length - 1 - step;
  }
  return found;
}

// Returns the next point up an axis; none at the end of a mesh.
inline std::optional<TorusPoint> neighbour_up(const Torus& torus, TorusPoint point, std::size_t axis) {
  if (++point[axis] == torus.extent[axis]) {
    if (!torus.is_ring(axis))
      return std::nullopt;
    point[axis] = 0;
  }
  return point;
}

// Numbers the points from 0 to the number of nodes less one.
inline std::size_t point_number(const Torus& torus, const TorusPoint& point) {
  std::size_t number = 0;
  for (std::size_t axis = 6; axis-- > 0;)
    number = number * static_cast<std::size_t>(torus.extent[axis]) + static_cast<std::size_t>(point[axis]);
  return number;
}

} // namespace kakehashi
