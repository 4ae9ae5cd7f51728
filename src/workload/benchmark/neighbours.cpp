// The ranks form a closed chain; each exchanges messages with its predecessor and its successor.
#include "workload/benchmark/kind.hpp"
#include "workload/program.hpp"

namespace kakehashi {

Program neighbour_sendrecv(Rank& rank, Bytes size, int) {
  const int right = (rank.id + 1) % rank.size;
  const int left = (rank.id - 1 + rank.size) % rank.size;
  co_await rank.sendreceive(right, size, left);
}

Program neighbour_exchange(Rank& rank, Bytes size, int) {
  const int right = (rank.id + 1) % rank.size;
  const int left = (rank.id - 1 + rank.size) % rank.size;
  const auto to_right = co_await rank.isend(right, size);
  const auto to_left = co_await rank.isend(left, size);
  co_await rank.receive(left);
  co_await rank.receive(right);
  co_await rank.wait(to_right);
  co_await rank.wait(to_left);
}

std::vector<Edge> exchange_edges(std::size_t ranks, std::size_t) {
  std::vector<Edge> edges;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    edges.push_back({rank, (rank + 1) % ranks});
    edges.push_back({(rank + 1) % ranks, rank});
  }
  return edges;
}

} // namespace kakehashi
