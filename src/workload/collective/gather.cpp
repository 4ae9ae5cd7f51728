#include "workload/collective/algorithms.hpp"
#include "workload/collective/tree.hpp"

namespace kakehashi {

// The root takes the blocks in the order of the ranks.
Program gather_linear(Communicator comm, Call call) {
  if (comm.rank() != call.root) {
    co_await comm.send(call.root, call.blocks.block(comm.rank()));
    co_return;
  }
  for (int from = 0; from < comm.size(); ++from)
    if (from != call.root)
      co_await comm.receive(from);
}

// The root calls up each rank, which then sends a first segment and the rest, so that few messages meet at the root.
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

} // namespace kakehashi
