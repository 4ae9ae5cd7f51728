// Allgather, Reduce_scatter, Allreduce and Alltoall over bine butterflies. The blocks that a rank gives away in a step
// are adjacent by label, not in memory. So ranks exchange their roles first or last ("send"), move the blocks in their
// memory ("permute"), or send each block as a message of its own ("blocks").
#include "workload/collective/algorithms.hpp"
#include "workload/collective/bine.hpp"

namespace kakehashi {
namespace {

// The blocks of numbers with adjacent labels, as one message.
struct LabelledBlocks {
  const Bine& bine;
  const NumberBlocks& blocks;
  Interval labels;
  bool adds;
  Bytes size{};

  LabelledBlocks(const Bine& its_bine, const NumberBlocks& its_blocks, Interval its_labels, bool to_add = false)
      : bine(its_bine), blocks(its_blocks), labels(its_labels), adds(to_add) {
    for (int i = 0; i < labels.count; ++i)
      size.count += block(i).size.count;
  }
  Data block(int place) const {
    auto data = blocks.of({bine.number_of(labels.first + place), 1});
    data.adds = adds;
    return data;
  }
  template <class Visitor> void for_each_piece(Visitor visit) const {
    for (int i = 0; i < labels.count; ++i)
      block(i).for_each_piece(visit);
  }
};

// Exchanges LabelledBlocks in one message each way, or in one message for each block.
Program exchange(Communicator comm, int peer, LabelledBlocks given, LabelledBlocks taken, bool each) {
  if (!each) {
    co_await comm.sendreceive(peer, given, peer);
    if (taken.adds)
      co_await comm.add(taken.size);
    co_return;
  }
  std::vector<Request> receives;
  std::vector<Request> sends;
  for (int i = 0; i < taken.labels.count; ++i)
    receives.push_back(co_await comm.ireceive(peer));
  for (int i = 0; i < given.labels.count; ++i)
    sends.push_back(co_await comm.isend(peer, given.block(i)));
  for (int i = 0; i < taken.labels.count; ++i) {
    co_await comm.wait(receives[static_cast<std::size_t>(i)]);
    if (taken.adds)
      co_await comm.add(taken.block(i).size);
  }
  co_await comm.wait_all(std::move(sends));
}

Program lend_block(Communicator comm, Folding folding, Blocks blocks) {
  if (folding.is_idle())
    co_await comm.send(folding.partner(), blocks.block(comm.rank()));
  else if (folding.has_partner())
    co_await comm.receive(folding.partner());
}

Program give_block_back(Communicator comm, Folding folding, Blocks blocks) {
  if (folding.is_idle())
    co_await comm.receive(folding.partner());
  else if (folding.has_partner())
    co_await comm.send(folding.partner(), blocks.block(folding.partner()));
}

// The part of an algorithm that runs on the ranks that a folding leaves at work.
using Work = Program (*)(Communicator, Folding, Blocks);

Program allgather_folded(Communicator comm, Blocks blocks, Work work) {
  const Folding folding(comm.rank(), comm.size());
  co_await lend_block(comm, folding, blocks);
  if (!folding.is_idle())
    co_await work(comm, folding, blocks);
  co_await unfold(comm, folding, blocks);
}

Program reduce_scatter_folded(Communicator comm, Blocks blocks, Work work) {
  const Folding folding(comm.rank(), comm.size());
  co_await fold(comm, folding, blocks);
  if (!folding.is_idle())
    co_await work(comm, folding, blocks);
  co_await give_block_back(comm, folding, blocks);
}

template <bool each> Program join_by_labels(Communicator comm, Folding folding, Blocks all) {
  const Bine bine(folding.size());
  const NumberBlocks blocks(folding, all);
  const int number = folding.number();
  for (int step = bine.steps() - 1; step >= 0; --step) {
    const int peer = bine.partner(number, step);
    const LabelledBlocks given(bine, blocks, bine.reach(number, step));
    const LabelledBlocks taken(bine, blocks, bine.reach(peer, step));
    co_await exchange(comm, folding.rank_of(peer), given, taken, each);
  }
  if (!each)
    co_await comm.move(all.total(), static_cast<std::uint64_t>(folding.size()));
}

template <bool each> Program halve_by_labels(Communicator comm, Folding folding, Blocks all) {
  const Bine bine(folding.size());
  const NumberBlocks blocks(folding, all);
  const int number = folding.number();
  if (!each)
    co_await comm.move(all.total(), static_cast<std::uint64_t>(folding.size()));
  for (int step = 0; step < bine.steps(); ++step) {
    const int peer = bine.partner(number, step);
    const LabelledBlocks given(bine, blocks, bine.reach(peer, step), true);
    const LabelledBlocks taken(bine, blocks, bine.reach(number, step), true);
    co_await exchange(comm, folding.rank_of(peer), given, taken, each);
  }
}

// Each number begins with the block of the number that equals its label.
Program send_and_join(Communicator comm, Folding folding, Blocks all) {
  const Bine bine(folding.size());
  const NumberBlocks blocks(folding, all);
  const int number = folding.number();
  const int label = bine.label(number);
  if (label != number)
    co_await comm.sendreceive(folding.rank_of(bine.number_of(number)), blocks.of(Interval{number, 1}),
                              folding.rank_of(label));
  co_await bine_join(comm, folding, blocks);
}

// Each number ends with the sum for the number that equals its label, and sends it there.
Program halve_and_send(Communicator comm, Folding folding, Blocks all) {
  const Bine bine(folding.size());
  const NumberBlocks blocks(folding, all);
  const int number = folding.number();
  const int label = bine.label(number);
  co_await bine_halve(comm, folding, blocks, {});
  if (label != number)
    co_await comm.sendreceive(folding.rank_of(label), blocks.of(Interval{label, 1}),
                              folding.rank_of(bine.number_of(number)));
}

// From near to far. The blocks that a rank has are its own and those of neighbours on both sides: one piece, or two
// around the end of the vector. The pieces of partners are adjacent.
Program join_two_blocks(Communicator comm, Folding folding, Blocks all) {
  const Bine bine(folding.size());
  const NumberBlocks blocks(folding, all);
  int first = folding.number();
  for (int step = 0; step < bine.steps(); ++step) {
    const int peer = folding.rank_of(bine.partner(folding.number(), step));
    const int known = 1 << step;
    co_await comm.sendreceive(peer, blocks.of(Interval{first, known}), peer);
    if (step % 2 != folding.number() % 2)
      first = (first - known + folding.size()) % folding.size();
  }
}

} // namespace

Program allgather_bine_permute(Communicator comm, Call call) {
  return allgather_folded(comm, call.blocks, join_by_labels<false>);
}
Program allgather_bine_blocks(Communicator comm, Call call) {
  return allgather_folded(comm, call.blocks, join_by_labels<true>);
}
Program allgather_bine_send(Communicator comm, Call call) {
  return allgather_folded(comm, call.blocks, send_and_join);
}
Program allgather_bine_two_blocks(Communicator comm, Call call) {
  return allgather_folded(comm, call.blocks, join_two_blocks);
}

Program reduce_scatter_bine_permute(Communicator comm, Call call) {
  return reduce_scatter_folded(comm, call.blocks, halve_by_labels<false>);
}
Program reduce_scatter_bine_blocks(Communicator comm, Call call) {
  return reduce_scatter_folded(comm, call.blocks, halve_by_labels<true>);
}
Program reduce_scatter_bine_send(Communicator comm, Call call) {
  return reduce_scatter_folded(comm, call.blocks, halve_and_send);
}

// In each step partners exchange and add their whole vectors, near partners first.
Program allreduce_bine(Communicator comm, Call call) {
  const Folding folding(comm.rank(), comm.size());
  co_await fold(comm, folding, call.blocks);
  if (!folding.is_idle()) {
    const Bine bine(folding.size());
    for (int step = 0; step < bine.steps(); ++step) {
      const int peer = folding.rank_of(bine.partner(folding.number(), step));
      co_await comm.sendreceive(peer, call.blocks.all().to_add(), peer);
      co_await comm.add(call.blocks.total());
    }
  }
  co_await unfold(comm, folding, call.blocks);
}

// A reduce-scatter over the butterfly, then an allgather the way back.
Program allreduce_bine_rabenseifner(Communicator comm, Call call) {
  const Folding folding(comm.rank(), comm.size());
  co_await fold(comm, folding, call.blocks);
  if (!folding.is_idle()) {
    const NumberBlocks blocks(Folding(0, folding.size()), Blocks::even(call.blocks.total(), folding.size()));
    co_await bine_halve(comm, folding, blocks, call.segment);
    co_await bine_join(comm, folding, blocks);
  }
  co_await unfold(comm, folding, call.blocks);
}

namespace {

// In Alltoall: the blocks of these sources for numbers with adjacent labels. The blocks of number s begin at s times
// the bytes that it sends in all.
struct BlocksOfSources {
  const Bine& bine;
  const std::vector<int>& sources;
  Interval labels;
  const Blocks& blocks; // all of the same size
  Bytes size{blocks.size_of(0).count * sources.size() * static_cast<std::uint64_t>(labels.count)};

  template <class Visitor> void for_each_piece(Visitor visit) const {
    for (const int source : sources)
      for (int i = 0; i < labels.count; ++i)
        blocks.at(static_cast<std::uint64_t>(source) * blocks.total().count)
            .block(bine.number_of(labels.first + i))
            .for_each_piece(visit);
  }
};

} // namespace

// After some steps, a rank holds the blocks of all ranks that reach it by these steps, for all ranks that it reaches by
// the remaining ones; it gives a partner the blocks for what that partner reaches. In each step all blocks move in its
// memory, to be sent or kept; at the end they move into order. This needs a power of two of ranks; other numbers use
// Bruck's algorithm, which takes as many steps.
Program alltoall_bine(Communicator comm, Call call) {
  if (!std::has_single_bit(static_cast<unsigned>(comm.size()))) {
    co_await alltoall_bruck(comm, call);
    co_return;
  }
  const Bine bine(comm.size());
  const int rank = comm.rank();
  const auto moves = [&] { return comm.move(call.blocks.total(), static_cast<std::uint64_t>(comm.size())); };
  std::vector<int> sources{rank};
  for (int step = 0; step < bine.steps(); ++step) {
    const int peer = bine.partner(rank, step);
    co_await moves();
    const BlocksOfSources given{bine, sources, bine.reach(peer, step), call.blocks};
    co_await comm.sendreceive(peer, given, peer);
    for (const int source : bine.reached_before(peer, step))
      sources.push_back(source);
  }
  co_await moves();
}

} // namespace kakehashi
