#include "workload/benchmark/kind.hpp"
#include "workload/program.hpp"

namespace kakehashi {

Program ping_pong(Rank& rank, Bytes size, int) {
  const int other = 1 - rank.id;
  if (rank.id == 0) {
    co_await rank.send(other, size);
    co_await rank.receive(other);
  } else {
    co_await rank.receive(other);
    co_await rank.send(other, size);
  }
}

} // namespace kakehashi
