// Allgather, Reduce_scatter and Allreduce over a circulant graph: Träff, "Optimal, Non-pipelined Reduce-scatter and
// Allreduce Algorithms", 2024. Any number p of ranks takes the smallest possible number of rounds, log2(p) rounded up,
// and sends p - 1 blocks. Distances are p halved and rounded up again and again. In each round every rank sends to the
// rank at the round's distance before or after it.
#include "workload/collective/algorithms.hpp"

namespace kakehashi {
namespace {

// From 1 up to the number of ranks. The blocks of a round lie between two of them.
std::vector<int> distances(int ranks) {
  std::vector<int> all{ranks};
  while (all.back() > 1)
    all.push_back((all.back() + 1) / 2);
  std::reverse(all.begin(), all.end());
  return all;
}

} // namespace

// A rank has a run of blocks that begins with its own, and sends the first of them to the rank before it that lacks
// them. At the end all ranks but 0 rotate the blocks into order.
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

// The reverse: a rank sends the sums that are neither its own nor for the nearer ranks after it.
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
