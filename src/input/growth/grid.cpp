#include "input/growth/rank_calls.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace kakehashi {

std::size_t Grid::axes() const {
  return static_cast<std::size_t>(std::ranges::count_if(extent, [](int length) { return length > 1; }));
}

// In a halved grid the bits of a rank are those of its coordinates in turn.
GridPlace Grid::place_of(int rank) const {
  if (is_halved) {
    GridPlace place{};
    for (int bit = 0; rank >> bit != 0; ++bit)
      place[static_cast<std::size_t>(bit) % axes()] |= (rank >> bit & 1) << (static_cast<std::size_t>(bit) / axes());
    return place;
  }
  return {rank / extent[2] / extent[1], rank / extent[2] % extent[1], rank % extent[2]};
}

int Grid::rank_of(const GridPlace& place) const {
  if (is_halved) {
    int rank = 0;
    for (int bit = 0; 1 << bit < ranks(); ++bit)
      rank |= (place[static_cast<std::size_t>(bit) % axes()] >> (static_cast<std::size_t>(bit) / axes()) & 1) << bit;
    return rank;
  }
  return (place[0] * extent[1] + place[1]) * extent[2] + place[2];
}

std::string axes_text(std::size_t axes) {
  return axes == 1 ? "one axis" : std::to_string(axes) + " axes";
}

std::string text_of(const Grid& grid) {
  std::string text = std::to_string(grid.extent[0]);
  for (std::size_t axis = 1; axis < grid.axes(); ++axis)
    text += " x " + std::to_string(grid.extent[axis]);
  return text;
}

std::optional<GridStep> step_between(const Grid& grid, int from, int to) {
  const auto start = grid.place_of(from);
  const auto end = grid.place_of(to);
  GridStep step{};
  for (std::size_t axis = 0; axis < grid_axes; ++axis) {
    const int length = grid.extent[axis];
    int distance = end[axis] - start[axis];
    if (length > 2 && std::abs(distance) == length - 1)
      distance = distance > 0 ? -1 : 1; // across the ends
    if (std::abs(distance) > 1)
      return std::nullopt;
    step[axis] = distance;
  }
  return step;
}

int neighbour(const Grid& grid, int rank, const GridStep& step) {
  auto place = grid.place_of(rank);
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    place[axis] = (place[axis] + step[axis] + grid.extent[axis]) % grid.extent[axis];
  return grid.rank_of(place);
}

int kind_of(const Grid& grid, int rank) {
  const auto place = grid.place_of(rank);
  int kind = 0;
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    kind = 3 * kind + (place[axis] == 0 ? 0 : place[axis] == grid.extent[axis] - 1 ? 2 : 1);
  return kind;
}

std::vector<Grid> grids_of(int ranks, std::size_t axes) {
  std::vector<Grid> grids;
  for (int x = 1; x <= ranks; ++x)
    for (int y = 1; ranks % x == 0 && y <= ranks / x; ++y)
      if (const Grid grid{{x, y, ranks / x / y}};
          ranks / x % y == 0 && grid.axes() == axes && (y > 1 || grid.extent[2] == 1) && x > 1)
        grids.push_back(grid);
  std::ranges::sort(grids, {}, [](const Grid& grid) {
    const auto [x, y, z] = grid.extent;
    return std::array{x + y + z, -x, -y};
  });
  if (axes > 1 && !grids.empty())
    if (auto halved = grids.front();
        std::ranges::count(halved.extent, halved.extent[0]) == static_cast<std::ptrdiff_t>(axes) &&
        std::has_single_bit(static_cast<unsigned>(halved.extent[0])) && halved.extent[0] > 2) {
      halved.is_halved = true;
      grids.push_back(halved);
    }
  return grids;
}

} // namespace kakehashi
