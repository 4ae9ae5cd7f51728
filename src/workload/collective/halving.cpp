#include "workload/collective/halving.hpp"

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

Program halve(Communicator comm, Folding folding, Blocks blocks) {
  const int number = folding.number();
  for (int distance = 1; distance < folding.size(); distance *= 2) {
    const int peer = folding.rank_of(number ^ distance);
    const auto given = blocks_of_half(folding, blocks, number ^ distance, 2 * distance);
    co_await comm.sendreceive(peer, given.to_add(), peer);
    co_await comm.add(blocks_of_half(folding, blocks, number, 2 * distance).size);
  }
}

Program join_halves(Communicator comm, Folding folding, Blocks blocks) {
  const int number = folding.number();
  for (int distance = folding.size() / 2; distance > 0; distance /= 2) {
    const int peer = folding.rank_of(number ^ distance);
    co_await comm.sendreceive(peer, blocks_of_half(folding, blocks, number, 2 * distance), peer);
  }
}

Program redouble(Communicator comm, Folding folding, Blocks blocks) {
  const int number = folding.number();
  for (int known = 1; known < folding.size(); known *= 2) {
    const int peer = folding.rank_of(number ^ known);
    co_await comm.sendreceive(peer, blocks.blocks(number & -known, known), peer);
  }
}

} // namespace kakehashi
