// The blocks of all ranks of a node, as one message.
#pragma once

#include "workload/collective/communicator.hpp"
#include "workload/program.hpp"

#include <cassert>

namespace kakehashi {

// Returns the ranks of each node, ascending. The communicator must have nodes.
inline std::vector<std::vector<int>> ranks_by_node(const Communicator& comm) {
  assert(comm.has_nodes());
  std::vector<std::vector<int>> ranks(comm.group().nodes.size());
  for (int rank = 0; rank < comm.size(); ++rank)
    ranks[static_cast<std::size_t>(comm.node_of(rank))].push_back(rank);
  return ranks;
}

struct NodeBlocks {
  const std::vector<int>& ranks;
  const Blocks& blocks;
  Bytes size;

  NodeBlocks(const std::vector<int>& its_ranks, const Blocks& its_blocks) : ranks(its_ranks), blocks(its_blocks) {
    for (const int rank : ranks)
      size.count += blocks.size_of(rank).count;
  }
  template <class Visitor> void for_each_piece(Visitor visit) const {
    for (const int rank : ranks)
      blocks.block(rank).for_each_piece(visit);
  }
  // Returns the number of contiguous pieces of memory that the blocks take; adjacent ranks share one.
  std::uint64_t runs() const {
    std::uint64_t count = 1;
    for (std::size_t i = 1; i < ranks.size(); ++i)
      count += ranks[i] != ranks[i - 1] + 1;
    return count;
  }
};

// Moves a node's blocks to their places among those of all ranks, or back. If they are contiguous, nothing moves.
inline Program arrange(Communicator comm, NodeBlocks node) {
  if (node.runs() > 1)
    co_await comm.move(node.size, node.runs());
}

} // namespace kakehashi
