#include "workload/collective/algorithms.hpp"
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

// Each rank gets the blocks of its subtree and passes on those of its children's.
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

} // namespace kakehashi
