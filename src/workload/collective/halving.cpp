#include "workload/collective/halving.hpp"

#include <algorithm>

namespace kakehashi {

Data blocks_of_half(const Folding& folding, const Blocks& blocks, int number, int distance) {
  int first = 0;
  int count = folding.size();
  for (int bit = 1; bit < distance; bit *= 2) {
    count /= 2;
    first += (number & bit) != 0 ? count : 0;
  }
  return blocks.blocks(first, count);
}

// A round goes through what is given, what is taken and what that is added to, which the round before has touched.
Bytes used_in_round(Bytes all, Bytes part) {
  return std::min(all, Bytes{3 * part.count});
}

Program halve(Communicator comm, Folding folding, Blocks blocks) {
  const int number = folding.number();
  const auto all = comm.self().working_set;
  for (int distance = 1; distance < folding.size(); distance *= 2) {
    const int peer = folding.rank_of(number ^ distance);
    const auto given = blocks_of_half(folding, blocks, number ^ distance, 2 * distance);
    comm.self().working_set = used_in_round(all, given.size);
    co_await comm.sendreceive(peer, given.to_add(), peer);
    co_await comm.add(blocks_of_half(folding, blocks, number, 2 * distance).size);
  }
  comm.self().working_set = all;
}

Program join_halves(Communicator comm, Folding folding, Blocks blocks) {
  const int number = folding.number();
  const auto all = comm.self().working_set;
  for (int distance = folding.size() / 2; distance > 0; distance /= 2) {
    const int peer = folding.rank_of(number ^ distance);
    const auto given = blocks_of_half(folding, blocks, number, 2 * distance);
    comm.self().working_set = used_in_round(all, given.size);
    co_await comm.sendreceive(peer, given, peer);
  }
  comm.self().working_set = all;
}

Program redouble(Communicator comm, Folding folding, Blocks blocks) {
  const int number = folding.number();
  const auto all = comm.self().working_set;
  for (int known = 1; known < folding.size(); known *= 2) {
    const int peer = folding.rank_of(number ^ known);
    const auto given = blocks.blocks(number & -known, known);
    comm.self().working_set = used_in_round(all, given.size);
    co_await comm.sendreceive(peer, given, peer);
  }
  comm.self().working_set = all;
}

} // namespace kakehashi
