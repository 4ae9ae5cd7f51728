// Alltoall in order of distance, near to far, to both sides, so that not all messages of a time go one way. Where what
// a rank sends is in memory is said in alltoall.cpp.
#include "workload/collective/algorithms.hpp"

namespace kakehashi {
namespace {

// Where the ranks turn in the two steps for a distance: even ones first up, odd ones first down. In an odd number of
// ranks a neighbour of the same parity would break the pattern, so all turn alike.
int turn_of(int rank, int size, int step) {
  const bool is_odd = size % 2 == 0 && rank % 2 != 0;
  return is_odd == (step == 0) ? -1 : 1;
}

} // namespace

// One message at a time.
Program alltoall_simple_spread(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto mine = call.blocks.at(static_cast<std::uint64_t>(rank) * call.blocks.total().count);
  for (int distance = 1; 2 * distance <= size; ++distance)
    for (int step = 0; step < (2 * distance < size ? 2 : 1); ++step) {
      const int to = (rank + turn_of(rank, size, step) * distance + size) % size;
      const int senders_turn = turn_of(rank + distance, size, step); // it is as odd as that rank
      const int from = (rank - senders_turn * distance + size) % size;
      co_await comm.sendreceive(to, mine.block(to), from);
    }
}

// One message to either side at a time.
Program alltoall_double_spread(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto mine = call.blocks.at(static_cast<std::uint64_t>(rank) * call.blocks.total().count);
  for (int distance = 1; 2 * distance <= size; ++distance) {
    const int up = (rank + distance) % size;
    const int down = (rank - distance + size) % size;
    std::vector<Request> requests;
    requests.push_back(co_await comm.ireceive(down));
    if (up != down)
      requests.push_back(co_await comm.ireceive(up));
    requests.push_back(co_await comm.isend(up, mine.block(up)));
    if (up != down)
      requests.push_back(co_await comm.isend(down, mine.block(down)));
    co_await comm.wait_all(std::move(requests));
  }
}

} // namespace kakehashi
