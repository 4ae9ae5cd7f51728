// Every rank sends to its successor, all at once. A rank's time is that of the slower of its two steps, so the slowest
// step is between the two neighbours that take longest.
#include "workload/benchmark/benchmark.hpp"

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

} // namespace kakehashi
