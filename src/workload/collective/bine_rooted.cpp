// Bcast, Reduce, Gather and Scatter along bine trees.
#include "workload/collective/algorithms.hpp"
#include "workload/collective/bine.hpp"

namespace kakehashi {

Program bcast_bine(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await bcast_along(comm, bine_tree(comm.rank(), comm.size()), call.segments());
}

Program bcast_bine_nearest_first(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await bcast_along(comm, bine_tree_nearest_first(comm.rank(), comm.size()), call.segments());
}

// A scatter from near to far, then an allgather from far to near, in which no rank gets back what it passed on.
Program bcast_bine_scatter(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const Folding folding(comm.rank(), comm.size());
  if (!folding.is_idle()) {
    const Bine bine(folding.size());
    const int number = folding.number();
    const int own = bine.step_of(number);
    const NumberBlocks blocks(Folding(0, folding.size()), Blocks::even(call.blocks.total(), folding.size()));
    const auto peer_in = [&](int step) { return folding.rank_of(bine.partner(number, step)); };
    if (number > 0)
      co_await comm.receive(peer_in(own));
    for (int step = own + 1; step < bine.steps(); ++step)
      co_await comm.send(peer_in(step), blocks.of(bine.reach(bine.partner(number, step), step)));
    for (int step = bine.steps() - 1; step >= 0; --step) {
      const auto held = blocks.of(bine.reach(number, step));
      if (step > own)
        co_await comm.send(peer_in(step), held);
      else if (step == own)
        co_await comm.receive(peer_in(step));
      else
        co_await comm.sendreceive(peer_in(step), held, peer_in(step));
    }
  }
  co_await unfold(comm, folding, call.blocks);
}

Program reduce_bine(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  co_await reduce_along(comm, bine_tree(comm.rank(), comm.size()), call.segments());
}

// A reduce-scatter over the butterfly, then a gather the way back.
Program reduce_bine_rabenseifner(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const Folding folding(comm.rank(), comm.size());
  co_await fold(comm, folding, call.blocks);
  if (folding.is_idle())
    co_return;
  const Bine bine(folding.size());
  const int number = folding.number();
  const int own = bine.step_of(number);
  const NumberBlocks blocks(Folding(0, folding.size()), Blocks::even(call.blocks.total(), folding.size()));
  co_await bine_halve(comm, folding, blocks, {});
  for (int step = bine.steps() - 1; step > own; --step)
    co_await comm.receive(folding.rank_of(bine.partner(number, step)));
  if (number > 0)
    co_await comm.send(folding.rank_of(bine.partner(number, own)), blocks.of(bine.reach(number, own)));
}

// Each rank collects the blocks of the ranks below it, which are adjacent, and passes them on.
Program gather_bine(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const Folding folding(comm.rank(), comm.size());
  const Tree tree = bine_tree(comm.rank(), comm.size());
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) // the nearest first
    co_await comm.receive(*child);
  if (tree.is_root())
    co_return;
  const NumberBlocks blocks(folding, call.blocks, call.root);
  const auto held = folding.is_idle() ? call.blocks.block(comm.rank() + call.root)
                                      : blocks.of(Bine(folding.size()).below(folding.number()));
  co_await comm.send(tree.parent, held);
}

Program scatter_bine(Communicator comm, Call call) {
  comm = comm.rooted_at(call.root);
  const Folding folding(comm.rank(), comm.size());
  const Tree tree = bine_tree(comm.rank(), comm.size());
  const NumberBlocks blocks(folding, call.blocks, call.root);
  if (!tree.is_root())
    co_await comm.receive(tree.parent);
  for (const int child : tree.children) { // the farthest first
    const Folding its(child, comm.size());
    co_await comm.send(child, its.is_idle() ? call.blocks.block(child + call.root)
                                            : blocks.of(Bine(folding.size()).below(its.number())));
  }
}

} // namespace kakehashi
