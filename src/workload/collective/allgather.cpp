#include "workload/collective/algorithms.hpp"
#include "workload/collective/halving.hpp"
#include "workload/collective/node_blocks.hpp"

namespace kakehashi {

// In each step a rank passes on to the right what came from the left in the step before.
Program allgather_ring(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  for (int step = 0; step + 1 < size; ++step)
    co_await comm.sendreceive((rank + 1) % size, call.blocks.block((rank - step + size) % size),
                              (rank - 1 + size) % size);
}

// In round k ranks that differ in bit k exchange all that they know. For a power of two of ranks; other numbers use
// Bruck's algorithm, which takes as many steps.
Program allgather_recursive_doubling(Communicator comm, Call call) {
  const Folding folding(comm.rank(), comm.size());
  if (folding.size() == comm.size())
    co_await redouble(comm, folding, call.blocks);
  else
    co_await allgather_bruck(comm, call);
}

// Each rank knows the blocks from its own on; in each step it gives them to the rank as far before it as they are many.
Program allgather_bruck(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  for (int known = 1; known < size; known *= 2) {
    const auto given = call.blocks.blocks(rank, std::min(known, size - known));
    co_await comm.sendreceive((rank - known + size) % size, given, (rank + known) % size);
  }
}

// Even and odd neighbours exchange in turn to one side and to the other, after the first step always the two blocks
// that came last. For an even number of ranks; odd ones use the ring.
Program allgather_neighbour_exchange(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  if (size % 2 == 1) {
    co_await allgather_ring(comm, call);
    co_return;
  }
  const int outward = rank % 2 == 0 ? 1 : -1; // towards the first neighbour
  const int neighbours[] = {(rank + outward + size) % size, (rank - outward + size) % size};
  co_await comm.sendreceive(neighbours[0], call.blocks.block(rank), neighbours[0]);
  int held = rank - rank % 2; // the first of the two that came last
  for (int step = 1; step < size / 2; ++step) {
    const int neighbour = neighbours[step % 2];
    co_await comm.sendreceive(neighbour, call.blocks.blocks(held, 2), neighbour);
    // From one side come the pairs before one's own, from the other those behind it, each time the next but one.
    const int distance = (step + 1) / 2 * 2;
    const int side = step % 2 == 1 ? -outward : outward;
    held = (rank - rank % 2 + side * distance + size) % size;
  }
}

// Each rank sends its block to every other, all at once.
Program allgather_linear(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  std::vector<Request> requests;
  for (int step = 1; step < size; ++step)
    requests.push_back(co_await comm.ireceive((rank - step + size) % size));
  for (int step = 1; step < size; ++step)
    requests.push_back(co_await comm.isend((rank + step) % size, call.blocks.block(rank)));
  co_await comm.wait_all(std::move(requests));
}

// All blocks go to rank 0, which passes the whole on.
Program allgather_gather_bcast(Communicator comm, Call call) {
  co_await perform(comm, Collective::gather, call);
  call.blocks = Blocks::whole(call.blocks.total());
  co_await perform(comm, Collective::bcast, call);
}

// The first of each node collects its blocks, passes those of nodes round the ring of the first ones, and gives the
// whole to its node.
Program allgather_two_level(Communicator comm, Call call) {
  auto node = comm.my_node();
  if (comm.is_leader()) {
    for (int place = 1; place < node.size(); ++place)
      co_await node.receive(place);
    auto leaders = comm.leaders();
    const int rank = leaders.rank();
    const int size = leaders.size();
    const auto ranks = ranks_by_node(comm);
    for (int step = 0; step + 1 < size; ++step) {
      const NodeBlocks last(ranks[static_cast<std::size_t>((rank - step + size) % size)], call.blocks);
      co_await leaders.sendreceive((rank + 1) % size, last, (rank - 1 + size) % size);
    }
  } else {
    co_await node.send(0, call.blocks.block(comm.rank()));
  }
  call.blocks = Blocks::whole(call.blocks.total());
  co_await perform(node, Collective::bcast, call);
}

} // namespace kakehashi
