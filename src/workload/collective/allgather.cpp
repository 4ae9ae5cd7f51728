#include "workload/collective/algorithms.hpp"
#include "workload/collective/halving.hpp"
#include "workload/collective/node_blocks.hpp"
#include "workload/collective/tree.hpp"

#include <bit>

namespace kakehashi {
namespace {

// The first rank of a node collects the blocks of the others along a binomial tree. `ranks` are those of the node.
Program collect(Communicator node, const std::vector<int>& ranks, const Blocks& blocks) {
  const int place = node.rank();
  const Tree tree = binomial_tree(place, node.size());
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) // the smallest subtree first
    co_await node.receive(*child);
  if (tree.is_root())
    co_return;
  const int end = std::min(2 * place - tree.parent, node.size());
  const std::vector<int> held(ranks.begin() + place, ranks.begin() + end);
  co_await node.send(tree.parent, NodeBlocks(held, blocks));
}

} // namespace

// In each step a rank passes on to the right the block that came from the left in the previous step.
Program allgather_ring(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  for (int step = 0; step + 1 < size; ++step) {
    if (call.blocks.are_alike())
      step += comm.rounds_to_skip(size - 2 - step);
    co_await comm.sendreceive((rank + 1) % size, call.blocks.block((rank - step + size) % size),
                              (rank - 1 + size) % size);
  }
}

// In round k, ranks that differ in bit k exchange all blocks that they have. This needs a power of two of ranks; other
// numbers use Bruck's algorithm, which takes as many steps.
Program allgather_recursive_doubling(Communicator comm, Call call) {
  const Folding folding(comm.rank(), comm.size());
  if (folding.size() == comm.size())
    co_await redouble(comm, folding, call.blocks);
  else
    co_await allgather_bruck(comm, call);
}

// Each rank has a run of blocks that begins with its own. In each step it sends them to the rank as far before it as
// the run is long; with a base of `width`, also to ranks twice, three times … as far. At the end all ranks but 0 rotate
// the blocks into order.
Program allgather_bruck(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const int base = std::max(call.width, 2);
  for (int known = 1; known < size; known *= base) {
    if (base > 2) {
      std::vector<Request> requests;
      for (int away = known; away < size && away < known * base; away += known)
        requests.push_back(co_await comm.ireceive((rank + away) % size));
      for (int away = known; away < size && away < known * base; away += known) {
        const auto given = call.blocks.blocks(rank, std::min(known, size - away));
        requests.push_back(co_await comm.isend((rank - away + size) % size, given));
      }
      co_await comm.wait_all(std::move(requests));
      continue;
    }
    const auto given = call.blocks.blocks(rank, std::min(known, size - known));
    co_await comm.sendreceive((rank - known + size) % size, given, (rank + known) % size);
  }
  if (rank > 0)
    co_await comm.move(call.blocks.total());
}

// Even and odd ranks exchange with the neighbour on one side and then on the other; after the first step always the two
// blocks that came last. This needs an even number of ranks; odd numbers use the ring.
Program allgather_neighbour_exchange(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  if (size % 2 == 1) {
    co_await allgather_ring(comm, call);
    co_return;
  }
  const int outward = rank % 2 == 0 ? 1 : -1; // direction of the first neighbour
  const int neighbours[] = {(rank + outward + size) % size, (rank - outward + size) % size};
  co_await comm.sendreceive(neighbours[0], call.blocks.block(rank), neighbours[0]);
  for (int step = 1; step < size / 2; ++step) {
    if (call.blocks.are_alike())
      step += comm.rounds_to_skip(size / 2 - 1 - step);
    // The two blocks that came last. Pairs before the rank's own come from one side, pairs after it from the other,
    // every second pair each time.
    const int distance = step / 2 * 2;
    const int side = step % 2 == 0 ? -outward : outward;
    const auto held = call.blocks.blocks((rank - rank % 2 + side * distance + size) % size, 2);
    co_await comm.sendreceive(neighbours[step % 2], held, neighbours[step % 2]);
  }
}

// Sparbit: from far to near, each rank sends all blocks that it has over distances that halve, each block as a message
// of its own. If the number of ranks is no power of two, some steps leave out a block that the receiver gets otherwise.
Program allgather_sparbit(Communicator comm, Call call) {
  const auto size = static_cast<unsigned>(comm.size());
  const int low_zeros = std::countr_zero(size);
  const unsigned shortened = (~(size >> low_zeros) | 1U) << low_zeros; // distances of the steps that leave out a block
  const auto before = [&](int distance) {
    return ((comm.rank() - distance) % comm.size() + comm.size()) % comm.size();
  };
  int known = 1;
  for (unsigned distance = std::bit_ceil(size) / 2; distance > 0; distance /= 2) {
    const int step = static_cast<int>(distance);
    const int left_out = (distance & shortened) == distance ? 1 : 0;
    std::vector<Request> requests;
    for (int i = 0; i < known - left_out; ++i) {
      requests.push_back(co_await comm.ireceive(before(step)));
      requests.push_back(co_await comm.isend(before(-step), call.blocks.block(before(2 * i * step))));
    }
    co_await comm.wait_all(std::move(requests));
    known = 2 * known - left_out;
  }
}

// Each rank sends its block to all others at once.
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

// Rank 0 gathers all blocks and broadcasts them.
Program allgather_gather_bcast(Communicator comm, Call call) {
  co_await perform(comm, Collective::gather, call);
  call.blocks = Blocks::whole(call.blocks.total());
  co_await perform(comm, Collective::bcast, call);
}

// All ranks write their blocks into the memory of rank 0, between two barriers as in the spreads of alltoall. Rank 0
// broadcasts them.
Program allgather_rdma_gather_bcast(Communicator comm, Call call) {
  co_await barrier_dissemination(comm, {});
  if (comm.rank() != 0)
    co_await comm.put(0, call.blocks.block(comm.rank()));
  co_await barrier_dissemination(comm, {});
  call.blocks = Blocks::whole(call.blocks.total());
  co_await perform(comm, Collective::bcast, call);
}

namespace {

// The ranks of each node, by the node's number.
using NodeRanks = std::vector<std::vector<int>>;

// In each step a leader passes on to the right the blocks of the node that came from the left in the previous step.
Program pass_nodes_round(Communicator leaders, const Blocks& blocks, const NodeRanks& ranks) {
  const int rank = leaders.rank();
  const int size = leaders.size();
  for (int step = 0; step + 1 < size; ++step) {
    const NodeBlocks last(ranks[static_cast<std::size_t>((rank - step + size) % size)], blocks);
    co_await leaders.sendreceive((rank + 1) % size, last, (rank - 1 + size) % size);
  }
}

// Bruck's algorithm among leaders, which takes fewer steps; for short blocks.
Program pass_nodes_doubling(Communicator leaders, const Blocks& blocks, const NodeRanks& ranks) {
  const int rank = leaders.rank();
  const int size = leaders.size();
  for (int known = 1; known < size; known *= 2) {
    std::vector<int> given; // ranks of the nodes whose blocks are sent
    for (int i = 0; i < std::min(known, size - known); ++i) {
      const auto& more = ranks[static_cast<std::size_t>((rank + i) % size)];
      given.insert(given.end(), more.begin(), more.end());
    }
    co_await leaders.sendreceive((rank - known + size) % size, NodeBlocks(given, blocks), (rank + known) % size);
  }
}

// The first rank of each node collects the node's blocks, exchanges nodes' blocks with the other first ranks, and
// broadcasts all blocks in its node.
template <class Exchange> Program allgather_by_leaders(Communicator comm, Call call, Exchange exchange) {
  auto node = comm.my_node();
  const auto ranks = ranks_by_node(comm);
  co_await collect(node, ranks[static_cast<std::size_t>(comm.node_of(comm.rank()))], call.blocks);
  if (comm.is_leader()) {
    co_await exchange(comm.leaders(), call.blocks, ranks);
    for (const auto& node_ranks : ranks)
      co_await arrange(comm, NodeBlocks(node_ranks, call.blocks));
  }
  call.blocks = Blocks::whole(call.blocks.total());
  co_await perform(node, Collective::bcast, call);
}

} // namespace

Program allgather_two_level(Communicator comm, Call call) {
  return allgather_by_leaders(comm, call, pass_nodes_round);
}

Program allgather_two_level_bruck(Communicator comm, Call call) {
  return allgather_by_leaders(comm, call, pass_nodes_doubling);
}

} // namespace kakehashi
