#include "workload/collective/algorithms.hpp"
#include "workload/collective/node_blocks.hpp"
#include "workload/collective/tree.hpp"

namespace kakehashi {

// The root receives the blocks in the order of the ranks.
Program gather_linear(Communicator comm, Call call) {
  if (comm.rank() != call.root) {
    co_await comm.send(call.root, call.blocks.block(comm.rank()));
    co_return;
  }
  for (int from = 0; from < comm.size(); ++from)
    if (from != call.root)
      co_await comm.receive(from);
}

// The root calls each rank, which then sends a first segment and the rest, so that few messages meet at the root.
Program gather_linear_synchronised(Communicator comm, Call call) {
  const auto parts_of = [&](int rank) {
    const auto size = call.blocks.size_of(rank);
    return Blocks::segments(size, call.segment).count() > 1;
  };
  if (comm.rank() != call.root) {
    const auto block = call.blocks.block(comm.rank());
    co_await comm.receive(call.root);
    if (parts_of(comm.rank())) {
      auto first = block;
      first.size = call.segment;
      auto rest = block;
      rest.from += call.segment.count;
      rest.size.count -= call.segment.count;
      co_await comm.send(call.root, first);
      co_await comm.send(call.root, rest);
    } else {
      co_await comm.send(call.root, block);
    }
    co_return;
  }
  for (int from = 0; from < comm.size(); ++from) {
    if (from == call.root)
      continue;
    const auto first = co_await comm.ireceive(from);
    co_await comm.send(from, Nothing{});
    if (parts_of(from))
      co_await comm.receive(from);
    co_await comm.wait(first);
  }
}

// Each rank collects the blocks of its subtree and passes them on.
Program gather_binomial(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const int rank = comm.rank();
  const Tree tree = binomial_tree(rank, comm.size());
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) // the smallest subtree first
    co_await comm.receive(*child);
  if (tree.is_root())
    co_return;
  const int held = std::min(rank - tree.parent, comm.size() - rank);
  co_await comm.send(tree.parent, call.blocks.blocks(rank + call.root, held));
}

// One rank of each node, the root or the node's first rank, collects the blocks. The blocks of a node go to the root in
// one message, and the root receives these messages in the order in which they come.
Program gather_two_level(Communicator comm, Call call) {
  const int root_node = comm.node_of(call.root);
  const int my_node = comm.node_of(comm.rank());
  const int collector = my_node == root_node ? comm.place_in_node(call.root) : 0;
  auto node = comm.my_node();
  if (node.rank() != collector) {
    co_await node.send(collector, call.blocks.block(comm.rank()));
    co_return;
  }
  for (int place = 0; place < node.size(); ++place)
    if (place != collector)
      co_await node.receive(place);
  if (comm.rank() != call.root) {
    const auto ranks = ranks_by_node(comm);
    co_await comm.send(call.root, NodeBlocks(ranks[static_cast<std::size_t>(my_node)], call.blocks));
    co_return;
  }
  std::vector<Request> requests;
  for (int rank = 0; rank < comm.size(); ++rank)
    if (comm.node_of(rank) != root_node && comm.place_in_node(rank) == 0)
      requests.push_back(co_await comm.ireceive(rank));
  co_await comm.wait_all(std::move(requests));
  for (const auto& ranks : ranks_by_node(comm))
    if (comm.node_of(ranks.front()) != root_node)
      co_await arrange(comm, NodeBlocks(ranks, call.blocks));
}

} // namespace kakehashi
