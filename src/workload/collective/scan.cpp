// Prefix sums. In the memory that these programs speak of, a rank's result is behind its own vector.
#include "workload/collective/algorithms.hpp"

namespace kakehashi {
namespace {

// A partial sum, which the receiver may need in two places. What is added to nothing is a copy.
struct Sum {
  Bytes size;
  bool to_own;    // adds to the receiver's running sum
  bool to_result; // adds to the receiver's result
  template <class Visitor> void for_each_piece(Visitor visit) const {
    if (to_own)
      visit(Piece{0, 0, size.count, true});
    if (to_result)
      visit(Piece{0, size.count, size.count, true});
  }
};

// In round k ranks that differ in bit k exchange the sums of their 2^k neighbours; sums of lower ranks belong to the
// result too.
Program recursive_doubling(Communicator comm, Bytes size, bool has_own) {
  bool has_result = has_own;
  for (int bit = 1; bit < comm.size(); bit *= 2) {
    const int peer = comm.rank() ^ bit;
    if (peer >= comm.size())
      continue;
    const Sum sum{size, true, peer > comm.rank()};
    co_await comm.sendreceive(peer, sum, peer);
    co_await comm.add(size);
    if (peer < comm.rank() && has_result)
      co_await comm.add(size);
    has_result = has_result || peer < comm.rank();
  }
}

} // namespace

// Each rank adds its vector to what comes from the rank before it, and passes the result on.
Program scan_linear(Communicator comm, Call call) {
  if (comm.rank() > 0) {
    co_await comm.receive(comm.rank() - 1);
    co_await comm.add(call.blocks.total());
  }
  if (comm.rank() + 1 < comm.size())
    co_await comm.send(comm.rank() + 1, call.blocks.at(call.blocks.total().count).all().to_add());
}

Program scan_recursive_doubling(Communicator comm, Call call) {
  return recursive_doubling(comm, call.blocks.total(), true);
}

// What comes from the rank before is the result; each but the last adds its vector and passes the sum on.
Program exscan_linear(Communicator comm, Call call) {
  const auto size = call.blocks.total();
  const int next = comm.rank() + 1;
  if (comm.rank() > 0) {
    co_await comm.receive(comm.rank() - 1);
    if (next < comm.size())
      co_await comm.add(size);
  }
  if (next < comm.size()) {
    const Sum sum{size, next + 1 < comm.size(), true};
    co_await comm.send(next, sum);
  }
}

Program exscan_recursive_doubling(Communicator comm, Call call) {
  return recursive_doubling(comm, call.blocks.total(), false);
}

} // namespace kakehashi
