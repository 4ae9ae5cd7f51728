// Every rank has a block for every other. What rank s sends is at s · (its bytes in all) in the memory that these
// programs speak of, at the sender and at the receiver.
#include "workload/collective/algorithms.hpp"

#include <numeric>

namespace kakehashi {
namespace {

Blocks sent_by(int rank, const Blocks& blocks) {
  return blocks.at(static_cast<std::uint64_t>(rank) * blocks.total().count);
}

// What a rank of Bruck's algorithm passes on in the step for `bit`: of the blocks that it holds, those that have still
// to go a distance with that bit. A block that has come from l ranks before (l < bit) and has still to go h ranks (a
// multiple of bit) goes l + h in all.
struct Bundle {
  int rank;
  int bit;
  Blocks blocks; // all of the same size
  Bytes size;

  Bundle(int its_rank, int its_bit, const Blocks& its_blocks)
      : rank(its_rank), bit(its_bit), blocks(its_blocks), size{blocks.size_of(0).count * number()} {}

  std::uint64_t number() const { // of distances below the number of ranks with the bit
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

// All at once, or a limited number of receives and of sends at a time. Partners follow each other by `stride`.
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

// The multiples of about the golden section of the ranks are spread evenly. So each window goes to near and far ranks
// alike, and from and to all adapters of a node, where windows of neighbours load one after the other.
Program alltoall_linear_strided(Communicator comm, Call call) {
  int stride = static_cast<int>(0.618 * comm.size()) + 1;
  while (std::gcd(stride, comm.size()) != 1)
    ++stride;
  return alltoall_windows(comm, std::move(call), stride);
}

// In step k each rank sends to the one k further on.
Program alltoall_pairwise(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto mine = sent_by(rank, call.blocks);
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size;
    co_await comm.sendreceive(to, mine.block(to), (rank - step + size) % size);
  }
}

// In step k each rank exchanges with the one whose number differs by the bits of k. For a power of two of ranks; other
// numbers do as above.
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

// Bruck: in step k each rank passes on, 2^k ranks further, all blocks whose way has bit k. It turns its blocks so that
// its own is the first, packs and unpacks those of each step, and turns them back.
Program alltoall_bruck(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto all = call.blocks.total();
  co_await comm.move(all);
  for (int bit = 1; bit < size; bit *= 2) {
    const Bundle bundle(rank, bit, call.blocks);
    co_await comm.move(bundle.size + bundle.size, bundle.number());
    co_await comm.sendreceive((rank + bit) % size, bundle, (rank - bit + size) % size);
  }
  co_await comm.move(all);
}

} // namespace kakehashi
