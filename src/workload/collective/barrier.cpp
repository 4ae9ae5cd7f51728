#include "workload/collective/algorithms.hpp"
#include "workload/collective/folding.hpp"
#include "workload/collective/tree.hpp"

namespace kakehashi {

// In round k each rank signals the rank 2^k further on.
Program barrier_dissemination(Communicator comm, Call) {
  const int rank = comm.rank();
  const int size = comm.size();
  for (int distance = 1; distance < size; distance *= 2)
    co_await comm.sendreceive((rank + distance) % size, Nothing{}, (rank - distance + size) % size);
}

// The same, but even ranks signal upwards and odd ones downwards, so that it looks the same from both ends of the
// ranks; in the first round neighbours signal each other. An odd number of ranks uses the form above.
Program barrier_both_ways(Communicator comm, Call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const bool is_back = size % 2 == 0 && rank % 2 == 1;
  for (int distance = 1; distance < size; distance *= 2) {
    const int further = (rank + distance) % size;
    const int before = (rank - distance + size) % size;
    const bool are_neighbours = size % 2 == 0 && distance == 1;
    const int to = is_back ? before : further;
    co_await comm.sendreceive(to, Nothing{}, are_neighbours ? to : is_back ? further : before);
  }
}

// In round k, ranks that differ in bit k signal each other.
Program barrier_recursive_doubling(Communicator comm, Call) {
  const Folding folding(comm.rank(), comm.size());
  if (folding.is_idle()) {
    co_await comm.sendreceive(folding.partner(), Nothing{}, folding.partner());
    co_return;
  }
  if (folding.has_partner())
    co_await comm.receive(folding.partner());
  for (int bit = 1; bit < folding.size(); bit *= 2) {
    const int peer = folding.rank_of(folding.number() ^ bit);
    co_await comm.sendreceive(peer, Nothing{}, peer);
  }
  if (folding.has_partner())
    co_await comm.send(folding.partner(), Nothing{});
}

// All ranks signal rank 0, which then signals all.
Program barrier_linear(Communicator comm, Call) {
  const Tree tree = linear_tree(comm.rank(), comm.size());
  for (const int child : tree.children)
    co_await comm.receive(child);
  if (!tree.is_root()) {
    co_await comm.send(tree.parent, Nothing{});
    co_await comm.receive(tree.parent);
  }
  for (const int child : tree.children)
    co_await comm.send(child, Nothing{});
}

// A token goes around twice: the first time it shows that all ranks before have entered, the second time that all ranks
// have.
Program barrier_double_ring(Communicator comm, Call) {
  const int right = (comm.rank() + 1) % comm.size();
  const int left = (comm.rank() - 1 + comm.size()) % comm.size();
  for (int round = 0; round < 2 && comm.size() > 1; ++round) {
    if (comm.rank() > 0)
      co_await comm.receive(left);
    co_await comm.send(right, Nothing{});
    if (comm.rank() == 0)
      co_await comm.receive(left);
  }
}

// Signals come together along a binomial tree, and its root then signals all ranks along the tree.
Program barrier_tree(Communicator comm, Call) {
  const Tree tree = binomial_tree(comm.rank(), comm.size());
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) // the smallest subtree first
    co_await comm.receive(*child);
  if (!tree.is_root()) {
    co_await comm.send(tree.parent, Nothing{});
    co_await comm.receive(tree.parent);
  }
  for (const int child : tree.children)
    co_await comm.send(child, Nothing{});
}

// A barrier inside each node, then one among the first ranks of the nodes, which then free their nodes.
Program barrier_two_level(Communicator comm, Call call) {
  co_await perform(comm.my_node(), Collective::barrier, call);
  if (comm.is_leader())
    co_await perform(comm.leaders(), Collective::barrier, call);
  call.blocks = Blocks::whole({});
  co_await bcast_binomial(comm.my_node(), call);
}

} // namespace kakehashi
