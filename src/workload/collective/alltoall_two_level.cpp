// Alltoall by nodes: the first rank of each node collects what its node sends to other nodes, exchanges that with the
// other first ranks, and distributes what has come. Ranks of a node exchange directly. alltoall.cpp explains the
// blocks' places in memory.
#include "workload/collective/algorithms.hpp"
#include "workload/collective/node_blocks.hpp"

namespace kakehashi {
namespace {

// The blocks of some ranks for some other ranks, as one message.
struct Exchanged {
  const std::vector<int>& from;
  const std::vector<int>& to;
  Blocks blocks; // blocks of each rank, all of one size
  Bytes size;

  Exchanged(const std::vector<int>& its_from, const std::vector<int>& its_to, const Blocks& its_blocks)
      : from(its_from), to(its_to), blocks(its_blocks), size{from.size() * to.size() * blocks.size_of(0).count} {}

  template <class Visitor> void for_each_piece(Visitor visit) const {
    for (const int rank : from)
      for (const int other : to)
        blocks.at(static_cast<std::uint64_t>(rank) * blocks.total().count).block(other).for_each_piece(visit);
  }
};

} // namespace

Program alltoall_two_level(Communicator comm, Call call) {
  const auto ranks = ranks_by_node(comm);
  const int node = comm.node_of(comm.rank());
  const int nodes = static_cast<int>(ranks.size());
  const auto& mine = ranks[static_cast<std::size_t>(node)];
  const std::vector<int> self{comm.rank()};
  std::vector<int> others; // the ranks of other nodes
  for (int rank = 0; rank < comm.size(); ++rank)
    if (comm.node_of(rank) != node)
      others.push_back(rank);

  const int place = comm.place_in_node(comm.rank());
  const int places = static_cast<int>(mine.size());
  for (int step = 1; step < places; ++step) {
    const int to = mine[static_cast<std::size_t>((place + step) % places)];
    const std::vector<int> receiver{to};
    const Exchanged given(self, receiver, call.blocks);
    co_await comm.sendreceive(to, given, mine[static_cast<std::size_t>((place - step + places) % places)]);
  }
  if (!comm.is_leader()) {
    co_await comm.send(mine.front(), Exchanged(self, others, call.blocks));
    co_await comm.receive(mine.front());
    co_return;
  }
  for (int i = 1; i < places; ++i)
    co_await comm.receive(mine[static_cast<std::size_t>(i)]);
  auto leaders = comm.leaders();
  for (int step = 1; step < nodes; ++step) {
    const int to = (node + step) % nodes;
    const auto& theirs = ranks[static_cast<std::size_t>(to)];
    const Exchanged given(mine, theirs, call.blocks);
    co_await comm.move(given.size + given.size, mine.size() + theirs.size()); // out of rows by rank, and into such rows
    co_await leaders.sendreceive(to, given, (node - step + nodes) % nodes);
  }
  for (int i = 1; i < places; ++i) {
    const std::vector<int> receiver{mine[static_cast<std::size_t>(i)]};
    co_await comm.send(receiver.front(), Exchanged(others, receiver, call.blocks));
  }
}

} // namespace kakehashi
