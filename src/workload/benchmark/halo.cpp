// The ranks as a grid, row by row: each sends its border to its neighbours above, below, left and right, and receives
// theirs, all at once. The grid has edges: ranks there have fewer neighbours.
#include "workload/benchmark/benchmark.hpp"

namespace kakehashi {

Program halo_step(Rank& rank, Bytes size, int columns) {
  const int column = rank.id % columns;
  std::vector<int> neighbours;
  if (rank.id >= columns)
    neighbours.push_back(rank.id - columns);
  if (rank.id + columns < rank.size)
    neighbours.push_back(rank.id + columns);
  if (column > 0)
    neighbours.push_back(rank.id - 1);
  if (column + 1 < columns)
    neighbours.push_back(rank.id + 1);
  std::vector<Request> requests;
  for (const int neighbour : neighbours)
    requests.push_back(co_await rank.ireceive(neighbour));
  for (const int neighbour : neighbours)
    requests.push_back(co_await rank.isend(neighbour, size));
  co_await rank.wait_all(std::move(requests));
}

} // namespace kakehashi
