// The ranks as a closed chain: each talks to the one before and the one behind it.
#include "workload/benchmark/benchmark.hpp"

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

} // namespace kakehashi
