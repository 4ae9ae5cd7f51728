// Every rank has a block for every other rank. These programs give each block a place in an imagined memory, the same
// at the sender and at the receiver: the blocks of rank s begin at s times the bytes that it sends in all.
#include "workload/collective/algorithms.hpp"

#include <numeric>

namespace kakehashi {
namespace {

Blocks sent_by(int rank, const Blocks& blocks) {
  return blocks.at(static_cast<std::uint64_t>(rank) * blocks.total().count);
}

// The blocks that a rank of Bruck's algorithm sends in the step for `bit`: among those that it holds, the ones whose
// remaining distance has that bit. A block that has come from l ranks before (l < bit) and still has to go h ranks (a
// multiple of bit) goes l + h ranks in all.
struct PackedBlocks {
  int rank;
  int bit;
  Blocks blocks; // all of the same size
  Bytes size;

  PackedBlocks(int its_rank, int its_bit, const Blocks& its_blocks)
      : rank(its_rank), bit(its_bit), blocks(its_blocks), size{blocks.size_of(0).count * number()} {}

  std::uint64_t number() const { // number of distances below the number of ranks that have the bit
    const auto period = 2 * bit;
    const auto rest = blocks.count() % period;
    return static_cast<std::uint64_t>(blocks.count() / period * bit + std::max(0, rest - bit));
  }
  template <class Visitor> void for_each_piece(Visitor visit) const {
    const int ranks = blocks.count();
    for (int distance = 0; distance < ranks; ++distance)
      if (distance & bit) {
        const int from = (rank - distance % bit + ranks) % ranks;
        sent_by(from, blocks).block(from + distance).for_each_piece(visit);
      }
  }
};

// All exchanges at once, or a limited number of receives and of sends at a time. Partners follow each other by
// `stride`.
Program alltoall_windows(Communicator comm, Call call, int stride) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto away = [&](int step) { return static_cast<int>(static_cast<std::int64_t>(step) * stride % size); };
  const auto mine = sent_by(rank, call.blocks);
  const int window = call.width > 0 ? call.width : size;
  for (int first = 1; first < size; first += window) {
    const int end = std::min(first + window, size);
    std::vector<Request> requests;
    for (int step = first; step < end; ++step)
      requests.push_back(co_await comm.ireceive((rank + away(step)) % size));
    for (int step = first; step < end; ++step) {
      const int to = (rank - away(step) + size) % size;
      requests.push_back(co_await comm.isend(to, mine.block(to)));
    }
    co_await comm.wait_all(std::move(requests));
  }
}

} // namespace

Program alltoall_linear(Communicator comm, Call call) {
  return alltoall_windows(comm, std::move(call), 1);
}

// Multiples of about the golden section of the number of ranks are spread evenly. So each window goes to near and far
// ranks alike, and from and to all adapters of a node; windows of neighbours would load one adapter after the other.
Program alltoall_linear_strided(Communicator comm, Call call) {
  int stride = static_cast<int>(0.618 * comm.size()) + 1;
  while (std::gcd(stride, comm.size()) != 1)
    ++stride;
  return alltoall_windows(comm, std::move(call), stride);
}

// In step k each rank sends to the rank k further on.
Program alltoall_pairwise(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto mine = sent_by(rank, call.blocks);
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size;
    co_await comm.sendreceive(to, mine.block(to), (rank - step + size) % size);
  }
}

// In step k each rank exchanges with the rank whose number differs in the bits of k. This needs a power of two of
// ranks; other numbers use the pairwise form above.
Program alltoall_exclusive_or(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  if ((size & (size - 1)) != 0) {
    co_await alltoall_pairwise(comm, call);
    co_return;
  }
  const auto mine = sent_by(rank, call.blocks);
  for (int step = 1; step < size; ++step)
    co_await comm.sendreceive(rank ^ step, mine.block(rank ^ step), rank ^ step);
}

// Bruck: in step k each rank sends to the rank 2^k further on all blocks whose distance has bit k. It rotates its
// blocks so that its own is the first, packs and unpacks those of each step, and rotates them back.
Program alltoall_bruck(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto all = call.blocks.total();
  co_await comm.move(all);
  for (int bit = 1; bit < size; bit *= 2) {
    const PackedBlocks packed(rank, bit, call.blocks);
    co_await comm.move(packed.size + packed.size, packed.number());
    co_await comm.sendreceive((rank + bit) % size, packed, (rank - bit + size) % size);
  }
  co_await comm.move(all);
}

} // namespace kakehashi
