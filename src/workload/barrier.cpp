#include "workload/program.hpp"

namespace kakehashi {
namespace {
constexpr int barrier_tag = 1 << 30;
}

Program barrier(Rank& rank) {
  for (int distance = 1; distance < rank.size; distance *= 2)
    co_await rank.sendreceive((rank.id + distance) % rank.size, Bytes{0}, (rank.id - distance + rank.size) % rank.size,
                              barrier_tag);
}

} // namespace kakehashi
