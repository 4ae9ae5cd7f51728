// Ranks on a grid of one to three axes. They are numbered along the last axis first, as by MPI_Cart_create; or as they
// come when the grid is halved again and again along one axis after the other.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

inline constexpr std::size_t grid_axes = 3;
using GridPlace = std::array<int, grid_axes>;
using GridStep = std::array<int, grid_axes>; // to a neighbour: -1, 0 or 1 on each axis

struct Grid {
  GridPlace extent{1, 1, 1}; // 1: the axis does not exist
  bool is_halved = false;    // all axes have the same length, a power of two

  int ranks() const { return extent[0] * extent[1] * extent[2]; }
  std::size_t axes() const; // number of axes longer than 1
  GridPlace place_of(int rank) const;
  int rank_of(const GridPlace& place) const;
  bool operator==(const Grid&) const = default;
};
std::string axes_text(std::size_t axes); // "one axis", "3 axes"
std::string text_of(const Grid& grid);   // "4 x 4 x 2"

// Returns the step from one rank to another, if they are neighbours, perhaps across the grid's ends.
std::optional<GridStep> step_between(const Grid& grid, int from, int to);
int neighbour(const Grid& grid, int rank, const GridStep& step);

// The kind of a rank shows which neighbours it has: whether it is the first, inside, or the last on each axis.
inline constexpr int rank_kinds = 27;
int kind_of(const Grid& grid, int rank);

// Returns all grids with so many ranks and axes: the most cubic one first, the halved one last. Of those with axes of
// the same lengths, the one whose lengths fall comes first, as MPI_Dims_create gives them.
std::vector<Grid> grids_of(int ranks, std::size_t axes);

} // namespace kakehashi
