// Prefix sums. In the imagined memory of these programs, vectors follow each other: what a rank gives, its result, and
// what the two-level form needs besides.
#include "workload/collective/algorithms.hpp"

namespace kakehashi {
namespace {

enum Place { given, result, of_node, up_to_node };

// The sender's vector at one place; the receiver may need it at two places.
struct Sum {
  Data vector; // at the place `given`
  Bytes size;
  Place from;
  Place to;
  Place also;
  bool adds; // false: the vector is copied, since there is nothing to add it to

  Sum(const Data& given_vector, Place its_from, Place its_to) : Sum(given_vector, its_from, its_to, its_to, true) {}
  Sum(const Data& given_vector, Place its_from, Place its_to, Place its_also, bool it_adds)
      : vector(given_vector), size(vector.size), from(its_from), to(its_to), also(its_also), adds(it_adds) {}
  template <class Visitor> void for_each_piece(Visitor visit) const {
    const auto at = [&](Place place) { return vector.from + place * size.count; };
    visit(Piece{at(from), at(to), size.count, adds});
    if (also != to)
      visit(Piece{at(from), at(also), size.count, adds});
  }
};

// In round k, ranks that differ in bit k exchange the sums of their 2^k neighbours. Sums of lower ranks also belong to
// the result.
Program recursive_doubling(Communicator comm, Data vector, bool has_own) {
  bool has_result = has_own;
  for (int bit = 1; bit < comm.size(); bit *= 2) {
    const int peer = comm.rank() ^ bit;
    if (peer >= comm.size())
      continue;
    const Sum sum{vector, given, given, peer > comm.rank() ? result : given, true};
    co_await comm.sendreceive(peer, sum, peer);
    co_await comm.add(vector.size);
    if (peer < comm.rank() && has_result)
      co_await comm.add(vector.size);
    has_result = has_result || peer < comm.rank();
  }
}

// The first rank of a node gets the sum of the nodes before its own, in place of its own vector.
Program scan_leaders(Communicator leaders, Call call) {
  const auto vector = call.blocks.all();
  auto across = call;
  across.blocks = call.blocks.at(vector.from + of_node * vector.size.count);
  co_await perform(leaders, Collective::scan, across);
  if (leaders.rank() + 1 < leaders.size())
    co_await leaders.send(leaders.rank() + 1, Sum{vector, up_to_node, given, given, false});
  if (leaders.rank() > 0)
    co_await leaders.receive(leaders.rank() - 1);
}

} // namespace

// Each rank adds its vector to the one that comes from the previous rank, and passes the sum on.
Program scan_linear(Communicator comm, Call call) {
  if (comm.rank() > 0) {
    co_await comm.receive(comm.rank() - 1);
    co_await comm.add(call.blocks.total());
  }
  if (comm.rank() + 1 < comm.size())
    co_await comm.send(comm.rank() + 1, Sum{call.blocks.all(), result, result});
}

Program scan_recursive_doubling(Communicator comm, Call call) {
  return recursive_doubling(comm, call.blocks.all(), true);
}

// A scan inside each node, whose last rank then has the node's sum; a scan among the first ranks of the nodes; then
// each rank adds the sum of the nodes before its own. The ranks of each node must be adjacent.
Program scan_two_level(Communicator comm, Call call) {
  const auto vector = call.blocks.all();
  auto node = comm.my_node();
  const int last = node.size() - 1;
  co_await perform(node, Collective::scan, call);
  const Sum sum{vector, result, of_node, up_to_node, false};
  if (last == 0)
    co_await node.copy(sum);
  else if (node.rank() == last)
    co_await node.send(0, sum);
  else if (comm.is_leader())
    co_await node.receive(last);
  if (comm.is_leader())
    co_await scan_leaders(comm.leaders(), call);
  if (comm.node_of(comm.rank()) == 0)
    co_return;
  co_await perform(node, Collective::bcast, call);
  co_await node.copy(Sum{vector, given, result});
  co_await node.add(vector.size);
}

// The vector from the previous rank is the result; each rank but the last adds its own vector and passes the sum on.
Program exscan_linear(Communicator comm, Call call) {
  const auto size = call.blocks.total();
  const int next = comm.rank() + 1;
  if (comm.rank() > 0) {
    co_await comm.receive(comm.rank() - 1);
    if (next < comm.size())
      co_await comm.add(size);
  }
  if (next < comm.size()) {
    const Sum sum{call.blocks.all(), given, result, next + 1 < comm.size() ? given : result, true};
    co_await comm.send(next, sum);
  }
}

Program exscan_recursive_doubling(Communicator comm, Call call) {
  return recursive_doubling(comm, call.blocks.all(), false);
}

} // namespace kakehashi
