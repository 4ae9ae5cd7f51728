// Every rank sends to its successor, all at once. A rank's time is that of the slower of its two steps, so the slowest
// step joins the two neighbours that take longest.
#include "workload/benchmark/kind.hpp"
#include "workload/program.hpp"

namespace kakehashi {

Program ring_step(Rank& rank, Bytes size, int) {
  co_await rank.sendreceive((rank.id + 1) % rank.size, size, (rank.id - 1 + rank.size) % rank.size);
}

Program open_ring_step(Rank& rank, Bytes size, int) {
  if (rank.id == 0)
    co_await rank.send(1, size);
  else if (rank.id + 1 == rank.size)
    co_await rank.receive(rank.id - 1);
  else
    co_await rank.sendreceive(rank.id + 1, size, rank.id - 1);
}

std::vector<Edge> closed_edges(std::size_t ranks, std::size_t) {
  std::vector<Edge> edges;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    edges.push_back({rank, (rank + 1) % ranks});
  return edges;
}

std::vector<Edge> open_edges(std::size_t ranks, std::size_t) {
  auto edges = closed_edges(ranks, 0);
  edges.pop_back();
  return edges;
}

} // namespace kakehashi
