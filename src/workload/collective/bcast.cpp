#include "workload/collective/algorithms.hpp"
#include "workload/collective/tree.hpp"

namespace kakehashi {
namespace {

// A binomial scatter from rank 0: block i goes to rank i.
Program scatter_blocks(Communicator comm, Blocks blocks) {
  const Tree tree = binomial_tree(comm.rank(), comm.size());
  if (!tree.is_root())
    co_await comm.receive(tree.parent);
  int end = comm.rank() + (tree.is_root() ? comm.size() : comm.rank() - tree.parent);
  end = std::min(end, comm.size());
  for (const int child : tree.children) { // the last subtree first
    co_await comm.send(child, blocks.blocks(child, end - child));
    end = child;
  }
}

} // namespace

Program bcast_linear(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await bcast_along(comm, linear_tree(comm.rank(), comm.size()), call.segments());
}

Program bcast_binomial(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await bcast_along(comm, binomial_tree(comm.rank(), comm.size()), call.segments());
}

Program bcast_nearest_first(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await bcast_along(comm, nearest_first_tree(comm.rank(), comm.size()), call.segments());
}

Program bcast_binary(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await bcast_along(comm, binary_tree(comm.rank(), comm.size()), call.segments());
}

// A tree like the binomial one, to the base `width` (4 if it is not stated).
Program bcast_knomial(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const int base = call.width > 1 ? call.width : 4;
  co_await bcast_along(comm, knomial_tree(comm.rank(), comm.size(), base), call.segments());
}

// One or more chains; one chain is a pipeline through all ranks.
Program bcast_chain(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await bcast_along(comm, chain_tree(comm.rank(), comm.size(), call.width), call.segments());
}

// The first half of the vector flows down the odd ranks of a binary tree, the second half down the even ones; then
// neighbours exchange the halves.
Program bcast_split_binary(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const int rank = comm.rank();
  const int size = comm.size();
  const auto halves = Blocks::even(call.blocks.total(), 2);
  const auto half = [&](int side) {
    return Blocks::segments(halves.size_of(side), call.segment).at(halves.begin_of(side));
  };
  Tree tree = binary_tree(rank, size);
  if (tree.is_root()) {
    for (int side = 0; side < static_cast<int>(tree.children.size()); ++side) {
      const auto segments = half(side);
      for (int i = 0; i < segments.count(); ++i)
        co_await comm.send(tree.children[static_cast<std::size_t>(side)], segments.block(i));
    }
    if (size % 2 == 0 && size > 1) // the last odd rank has no neighbour
      co_await comm.send(size - 1, halves.block(1));
    co_return;
  }
  const int side = rank % 2 == 1 ? 0 : 1;
  co_await bcast_along(comm, std::move(tree), half(side));
  const int neighbour = rank % 2 == 1 ? rank + 1 : rank - 1;
  if (neighbour < size)
    co_await comm.sendreceive(neighbour, halves.block(side), neighbour);
  else
    co_await comm.receive(0);
}

// Van de Geijn: a scatter, then an allgather. This needs a power of two of ranks; other numbers use Bruck's allgather,
// which takes as many steps.
Program bcast_scatter_doubling(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  call.blocks = Blocks::rounded_up(call.blocks.total(), comm.size());
  co_await scatter_blocks(comm, call.blocks);
  co_await allgather_recursive_doubling(comm, call);
}

Program bcast_scatter_ring(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  call.blocks = Blocks::rounded_up(call.blocks.total(), comm.size());
  co_await scatter_blocks(comm, call.blocks);
  co_await allgather_ring(comm, call);
}

// A bcast inside the root's node, then one among the first ranks of the nodes, then one inside each other node.
Program bcast_two_level(Communicator comm, Call call) {
  const int root_node = comm.node_of(call.root);
  const bool is_with_root = comm.node_of(comm.rank()) == root_node;
  auto inside = call;
  inside.root = is_with_root ? comm.place_in_node(call.root) : 0;
  if (is_with_root)
    co_await perform(comm.my_node(), Collective::bcast, inside);
  if (comm.is_leader()) {
    call.root = root_node;
    co_await perform(comm.leaders(), Collective::bcast, call);
  }
  if (!is_with_root)
    co_await perform(comm.my_node(), Collective::bcast, inside);
}

} // namespace kakehashi
