#include "workload/collective/algorithms.hpp"
#include "workload/collective/halving.hpp"

namespace kakehashi {

// In round k, ranks that differ in bit k exchange and add their whole vectors.
Program allreduce_recursive_doubling(Communicator comm, Call call) {
  const Folding folding(comm.rank(), comm.size());
  const auto vector = call.blocks;
  co_await fold(comm, folding, vector);
  for (int bit = 1; bit < folding.size() && !folding.is_idle(); bit *= 2) {
    const int peer = folding.rank_of(folding.number() ^ bit);
    co_await comm.sendreceive(peer, vector.all().to_add(), peer);
    co_await comm.add(vector.total());
  }
  co_await unfold(comm, folding, vector);
}

// Rabenseifner: reduce-scatter by recursive halving, then allgather the same way back.
Program allreduce_rabenseifner(Communicator comm, Call call) {
  const Folding folding(comm.rank(), comm.size());
  const auto vector = call.blocks;
  co_await fold(comm, folding, vector);
  if (!folding.is_idle()) {
    const auto blocks = Blocks::even(vector.total(), folding.size());
    co_await halve(comm, folding, blocks);
    co_await join_halves(comm, folding, blocks);
  }
  co_await unfold(comm, folding, vector);
}

// A reduce-scatter around the ring, then an allgather around the ring.
Program allreduce_ring(Communicator comm, Call call) {
  call.blocks = Blocks::even(call.blocks.total(), comm.size());
  co_await reduce_scatter_ring(comm, call);
  co_await allgather_ring(comm, call);
}

// Does the ring's reduce-scatter for one segment of all blocks after the other.
Program allreduce_segmented_ring(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto blocks = Blocks::even(call.blocks.total(), size);
  const int phases = Blocks::segments(blocks.size_of(0), call.segment).count();
  for (int phase = 0; phase < phases; ++phase)
    for (int step = 1; step < size; ++step) {
      if (blocks.are_alike())
        step += comm.rounds_to_skip(size - 1 - step);
      const int given = (rank - step + size) % size;
      const int taken = (given - 1 + size) % size;
      co_await comm.sendreceive((rank + 1) % size, blocks.part_of(given, phase, phases).to_add(),
                                (rank - 1 + size) % size);
      co_await comm.add(blocks.part_of(taken, phase, phases).size);
    }
  call.blocks = blocks;
  co_await allgather_ring(comm, call);
}

Program allreduce_reduce_bcast(Communicator comm, Call call) {
  co_await perform(comm, Collective::reduce, call);
  co_await perform(comm, Collective::bcast, call);
}

// Inside each node all cores add a share of the vector; then the first ranks of the nodes do a reduction.
Program allreduce_reduce_bcast_by_node(Communicator comm, Call call) {
  co_await reduce_rabenseifner(comm.my_node(), call);
  if (comm.is_leader())
    co_await perform(comm.leaders(), Collective::reduce, call);
  co_await perform(comm, Collective::bcast, call);
}

// All ranks send rank 0 their vectors in turn, and receive the sum from it in turn.
Program allreduce_linear(Communicator comm, Call call) {
  co_await reduce_linear(comm, call);
  co_await bcast_linear(comm, call);
}

// A reduce inside each node, an allreduce among the first ranks of the nodes, and a bcast inside each node.
Program allreduce_two_level(Communicator comm, Call call) {
  co_await perform(comm.my_node(), Collective::reduce, call);
  if (comm.is_leader())
    co_await perform(comm.leaders(), Collective::allreduce, call);
  co_await perform(comm.my_node(), Collective::bcast, call);
}

} // namespace kakehashi
