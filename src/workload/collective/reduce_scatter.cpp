#include "workload/collective/algorithms.hpp"
#include "workload/collective/number_blocks.hpp"

namespace kakehashi {

// Each rank adds what comes from the left and passes it on, until block r arrives at rank r.
Program reduce_scatter_ring(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  for (int step = 1; step < size; ++step) {
    if (call.blocks.are_alike())
      step += comm.rounds_to_skip(size - 1 - step);
    const int given = (rank - step + size) % size;
    const int taken = (given - 1 + size) % size;
    co_await comm.sendreceive((rank + 1) % size, call.blocks.block(given).to_add(), (rank - 1 + size) % size);
    co_await comm.add(call.blocks.size_of(taken));
  }
}

// In step k each rank sends the rank k further on its part of that rank's block.
Program reduce_scatter_pairwise(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size;
    co_await comm.sendreceive(to, call.blocks.block(to).to_add(), (rank - step + size) % size);
    co_await comm.add(call.blocks.size_of(rank));
  }
}

// Recursive halving. A rank with an idle partner does the work of both.
Program reduce_scatter_halving(Communicator comm, Call call) {
  const Folding folding(comm.rank(), comm.size());
  const auto& blocks = call.blocks;
  co_await fold(comm, folding, blocks);
  if (folding.is_idle()) {
    co_await comm.receive(folding.partner());
    co_return;
  }
  const int number = folding.number();
  const auto between = [&](int first, int end) { // the blocks of the ranks for which these numbers stand
    const int begin = folding.first_rank_of(first);
    return blocks.blocks(begin, folding.first_rank_of(end) - begin);
  };
  for (int half = folding.size() / 2; half > 0; half /= 2) {
    const int peer = number ^ half;
    const int kept = number & -half;
    const int given = peer & -half;
    co_await comm.sendreceive(folding.rank_of(peer), between(given, given + half).to_add(), folding.rank_of(peer));
    co_await comm.add(between(kept, kept + half).size);
  }
  if (folding.has_partner())
    co_await comm.send(folding.partner(), blocks.block(folding.partner()));
}

// Open MPI's butterfly (coll_base_reduce_scatter.c, after Träff, EuroPVM/MPI 2005): halving with near partners first,
// so that a number ends with the block of the number with the same bits in reverse order. It sends that block to its
// ranks, an idle one first.
Program reduce_scatter_butterfly(Communicator comm, Call call) {
  const Folding folding(comm.rank(), comm.size());
  const NumberBlocks blocks(folding, call.blocks);
  co_await fold(comm, folding, call.blocks);
  const int number = folding.number();
  const int other = mirrored(number, folding.size()); // an idle rank's is that of its partner
  const int owner = folding.rank_of(other);
  if (folding.is_idle()) {
    co_await comm.receive(owner);
    co_return;
  }
  Interval kept{0, folding.size()};
  for (int distance = 1; distance < folding.size(); distance *= 2) {
    const int peer = folding.rank_of(number ^ distance);
    kept.count /= 2;
    Interval given = kept;
    ((number & distance) != 0 ? kept : given).first += kept.count;
    co_await comm.sendreceive(peer, blocks.of(given).to_add(), peer);
    co_await comm.add(blocks.of(kept).size);
  }
  if (Folding(owner, comm.size()).has_partner())
    co_await comm.send(owner ^ 1, call.blocks.block(owner ^ 1));
  if (other != number)
    co_await comm.sendreceive(owner, call.blocks.block(owner), owner);
}

// A reduce to rank 0, which then scatters the blocks.
Program reduce_scatter_by_reduce(Communicator comm, Call call) {
  auto whole = call;
  whole.blocks = Blocks::whole(call.blocks.total());
  co_await perform(comm, Collective::reduce, whole);
  co_await perform(comm, Collective::scatterv, call);
}

} // namespace kakehashi
