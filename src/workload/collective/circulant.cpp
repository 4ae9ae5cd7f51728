// Allgather, Reduce_scatter and Allreduce over a circulant graph: Träff, "Optimal, Non-pipelined Reduce-scatter and
// Allreduce Algorithms", 2024. Any number p of ranks takes the fewest rounds, the logarithm of p to the base 2, rounded
// up, and sends p - 1 blocks. Distances are p halved and rounded up again and again; in each round a rank sends to the
// one so far before or behind it, whatever the rank is.
#include "workload/collective/algorithms.hpp"

namespace kakehashi {
namespace {

// From 1 up to the number of ranks; between two of them lie the blocks of a round.
std::vector<int> distances(int ranks) {
  std::vector<int> all{ranks};
  while (all.back() > 1)
    all.push_back((all.back() + 1) / 2);
  std::reverse(all.begin(), all.end());
  return all;
}

} // namespace

// A rank knows the blocks from its own on, and gives the first of them to the rank before it that lacks them. All but
// rank 0 turn them into their order at the end.
Program allgather_circulant(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto known = distances(size);
  for (std::size_t round = 0; round + 1 < known.size(); ++round) {
    const auto given = call.blocks.blocks(rank, known[round + 1] - known[round]);
    co_await comm.sendreceive((rank - known[round] + size) % size, given, (rank + known[round]) % size);
  }
  if (rank > 0)
    co_await comm.move(call.blocks.total());
}

// The same in reverse: a rank sends the sums that are not for it or for the nearer ones behind it.
Program reduce_scatter_circulant(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto kept = distances(size);
  for (std::size_t round = kept.size() - 1; round > 0; --round) {
    const int distance = kept[round - 1];
    const int count = kept[round] - distance;
    const auto given = call.blocks.blocks(rank + distance, count);
    co_await comm.sendreceive((rank + distance) % size, given.to_add(), (rank - distance + size) % size);
    co_await comm.add(call.blocks.blocks(rank, count).size);
  }
}

Program allreduce_circulant(Communicator comm, Call call) {
  call.blocks = Blocks::even(call.blocks.total(), comm.size());
  co_await reduce_scatter_circulant(comm, call);
  co_await allgather_circulant(comm, call);
}

} // namespace kakehashi
