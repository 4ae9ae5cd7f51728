#include "workload/collective/algorithms.hpp"
#include "workload/collective/node_blocks.hpp"
#include "workload/collective/tree.hpp"

namespace kakehashi {

// The root sends the blocks in the order of the ranks.
Program scatter_linear(Communicator comm, Call call) {
  if (comm.rank() != call.root) {
    co_await comm.receive(call.root);
    co_return;
  }
  for (int to = 0; to < comm.size(); ++to)
    if (to != call.root)
      co_await comm.send(to, call.blocks.block(to));
}

// Each rank receives the blocks of its subtree and passes on those of its children's subtrees.
Program scatter_binomial(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const int rank = comm.rank();
  const Tree tree = binomial_tree(rank, comm.size());
  if (!tree.is_root())
    co_await comm.receive(tree.parent);
  int end = tree.is_root() ? comm.size() : std::min(2 * rank - tree.parent, comm.size());
  for (const int child : tree.children) { // the last subtree first
    co_await comm.send(child, call.blocks.blocks(child + call.root, end - child));
    end = child;
  }
}

// All of the root's sends are in flight at once.
Program scatter_linear_at_once(Communicator comm, Call call) {
  if (comm.rank() != call.root) {
    co_await comm.receive(call.root);
    co_return;
  }
  std::vector<Request> requests;
  for (int to = 0; to < comm.size(); ++to)
    if (to != call.root)
      requests.push_back(co_await comm.isend(to, call.blocks.block(to)));
  co_await comm.wait_all(std::move(requests));
}

// The first rank of each other node gets the blocks of its node in one message, then distributes them, as the root does
// in its own node.
Program scatter_two_level(Communicator comm, Call call) {
  const int root_node = comm.node_of(call.root);
  const int my_node = comm.node_of(comm.rank());
  const auto ranks = ranks_by_node(comm);
  const auto& mine = ranks[static_cast<std::size_t>(my_node)];
  const int giver = my_node == root_node ? call.root : mine.front();
  if (comm.rank() == call.root) {
    for (const auto& node : ranks)
      if (node.front() != mine.front()) {
        co_await arrange(comm, NodeBlocks(node, call.blocks));
        co_await comm.send(node.front(), NodeBlocks(node, call.blocks));
      }
  } else {
    co_await comm.receive(comm.rank() == giver ? call.root : giver);
  }
  if (comm.rank() == giver)
    for (const int to : mine)
      if (to != giver)
        co_await comm.send(to, call.blocks.block(to));
}

} // namespace kakehashi
