// Rank 0 writes or reads the memory of rank 1, which takes no part.
#include "workload/benchmark/kind.hpp"
#include "workload/program.hpp"

namespace kakehashi {

Program put_once(Rank& rank, Bytes size, int) {
  if (rank.id == 0)
    co_await rank.put(1, size);
}

Program get_once(Rank& rank, Bytes size, int) {
  if (rank.id == 0)
    co_await rank.get(1, size);
}

} // namespace kakehashi
