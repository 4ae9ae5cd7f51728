// The ranks form a grid, row by row. Each sends its border to its neighbours above, below, left and right and receives
// theirs, all at once. Ranks at the edges of the grid have fewer neighbours.
#include "workload/benchmark/kind.hpp"
#include "workload/program.hpp"

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

std::vector<Edge> halo_edges(std::size_t ranks, std::size_t columns) {
  std::vector<Edge> edges;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (rank + columns < ranks) {
      edges.push_back({rank, rank + columns});
      edges.push_back({rank + columns, rank});
    }
    if (rank % columns + 1 < columns) {
      edges.push_back({rank, rank + 1});
      edges.push_back({rank + 1, rank});
    }
  }
  return edges;
}

} // namespace kakehashi
