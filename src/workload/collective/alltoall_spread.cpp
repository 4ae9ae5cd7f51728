// Alltoall in order of distance, near to far, to both sides, so that not all messages of a time go one way. All by puts
// into the others' memory, between two barriers: nobody writes before all have come, nor leaves before all is written
// (the barriers are assumed). Where what a rank sends is in memory is said in alltoall.cpp.
#include "workload/collective/algorithms.hpp"

namespace kakehashi {

// One put at a time; even ranks turn up first, odd ones down, and so in the barriers.
Program alltoall_simple_spread(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto mine = call.blocks.at(static_cast<std::uint64_t>(rank) * call.blocks.total().count);
  co_await barrier_both_ways(comm, {});
  for (int step = 1; step < size; ++step) {
    const int distance = (step + 1) / 2;
    const bool is_up = (rank + step) % 2 == 1;
    const int to = (is_up ? rank + distance : rank + size - distance) % size;
    co_await comm.put(to, mine.block(to));
  }
  co_await barrier_both_ways(comm, {});
}

// One put to either side at a time.
Program alltoall_double_spread(Communicator comm, Call call) {
  const int rank = comm.rank();
  const int size = comm.size();
  const auto mine = call.blocks.at(static_cast<std::uint64_t>(rank) * call.blocks.total().count);
  co_await barrier_dissemination(comm, {});
  for (int distance = 1; 2 * distance <= size; ++distance) {
    const int up = (rank + distance) % size;
    const int down = (rank - distance + size) % size;
    std::vector<Request> requests;
    requests.push_back(co_await comm.iput(up, mine.block(up)));
    if (up != down)
      requests.push_back(co_await comm.iput(down, mine.block(down)));
    co_await comm.wait_all(std::move(requests));
  }
  co_await barrier_dissemination(comm, {});
}

} // namespace kakehashi
