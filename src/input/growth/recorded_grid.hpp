// A recording → the grid that its ranks are on; the grids of recordings → that of a larger job.
#pragma once

#include "input/growth/grown_source.hpp"

namespace kakehashi {

struct RecordedGrid {
  Grid grid;
  std::vector<GridLine> lines; // for each communicator
};
// Ranks call only their neighbours, and rank 0 and the last rank, on as few axes as possible, or on `axes` of them if
// that is not 0. Of several such grids it is one on which ranks with the same neighbours make the same calls; then the
// one on which messages have the fewest axes to go along; then the first of grids_of. Errors: a file has a fault, or
// there is no such grid.
Result<RecordedGrid> recorded_grid(const RecordedSize& recording, std::size_t axes);

struct GrownGrid {
  Grid grid;
  std::string text; // which of the grids of as many ranks this is; empty: nothing to add
};
// `stated`: the numbers of ranks along the axes; empty: it is like those of the recordings. Errors: there is no such
// grid.
Result<GrownGrid> grown_grid(const GrowthBasis& basis, int ranks, const std::vector<int>& stated);

} // namespace kakehashi
