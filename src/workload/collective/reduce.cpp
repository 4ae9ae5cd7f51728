#include "workload/collective/algorithms.hpp"
#include "workload/collective/folding.hpp"
#include "workload/collective/halving.hpp"
#include "workload/collective/tree.hpp"

namespace kakehashi {
namespace {} // namespace

Program reduce_linear(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await reduce_along(comm, linear_tree(comm.rank(), comm.size()), call.segments());
}

Program reduce_binomial(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await reduce_along(comm, binomial_tree(comm.rank(), comm.size()), call.segments());
}

Program reduce_binary(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await reduce_along(comm, binary_tree(comm.rank(), comm.size()), call.segments());
}

// A binary tree of contiguous ranks, whatever the root is; the last rank adds everything and sends the sum to the root.
Program reduce_binary_in_order(Communicator comm, Call call) {
  const int last = comm.size() - 1;
  co_await reduce_along(comm, in_order_tree(comm.rank(), comm.size()), call.segments());
  if (call.root == last)
    co_return;
  if (comm.rank() == last)
    co_await comm.send(call.root, call.blocks.all());
  else if (comm.rank() == call.root)
    co_await comm.receive(last);
}

Program reduce_chain(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await reduce_along(comm, chain_tree(comm.rank(), comm.size(), call.width), call.segments());
}

// Rabenseifner: a reduce-scatter by recursive halving, then a binomial gather.
Program reduce_rabenseifner(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const Folding folding(comm.rank(), comm.size());
  const auto vector = call.blocks;
  co_await fold(comm, folding, vector);
  if (folding.is_idle())
    co_return;
  const auto blocks = Blocks::even(vector.total(), folding.size());
  co_await halve(comm, folding, blocks);
  const int number = folding.number();
  for (int distance = folding.size() / 2; distance > 0; distance /= 2) {
    const int peer = folding.rank_of(number ^ distance);
    if (number & distance) {
      co_await comm.send(peer, blocks_of_half(folding, blocks, number, 2 * distance));
      co_return;
    }
    co_await comm.receive(peer);
  }
}

// A reduce inside each node, then one among the first ranks of the nodes, with the root's node last.
Program reduce_two_level(Communicator comm, Call call) {
  const int root_node = comm.node_of(call.root);
  auto inside = call;
  inside.root = 0;
  co_await perform(comm.my_node(), Collective::reduce, inside);
  if (comm.is_leader()) {
    auto across = call;
    across.root = root_node;
    co_await perform(comm.leaders(), Collective::reduce, across);
  }
  auto node = comm.my_node();
  const int place = comm.place_in_node(call.root);
  if (comm.node_of(comm.rank()) != root_node || place == 0)
    co_return;
  if (comm.is_leader())
    co_await node.send(place, call.blocks.all());
  else if (comm.rank() == call.root)
    co_await node.receive(0);
}

} // namespace kakehashi
