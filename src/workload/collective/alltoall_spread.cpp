// Alltoall in order of distance, from near to far and to both sides, so that not all messages of a time go one way.
// Ranks put their blocks into the others' memory between two barriers, so that no rank writes before all have entered,
// or leaves before everything is written (the barriers are assumed). alltoall.cpp explains the blocks' places in
// memory.
#include "workload/collective/algorithms.hpp"

namespace kakehashi {

// One put at a time. Even ranks go up first, odd ones down, also in the barriers.
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

// One put to each side at a time.
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
