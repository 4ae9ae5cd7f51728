#include "workload/collective/halving.hpp"

namespace kakehashi {

Program halve(Communicator comm, Folding folding, Blocks blocks) {
  const int number = folding.number();
  for (int half = folding.size() / 2; half > 0; half /= 2) {
    const int peer = number ^ half;
    const auto kept = blocks.blocks(number & -half, half);
    const auto given = blocks.blocks(peer & -half, half);
    co_await comm.sendreceive(folding.rank_of(peer), given.to_add(), folding.rank_of(peer));
    co_await comm.add(kept.size);
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
