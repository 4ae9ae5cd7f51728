// The blocks of all ranks of a node, as one message.
#pragma once

#include "workload/collective/communicator.hpp"

#include <cassert>

namespace kakehashi {

// The ranks of each node, in ascending order. Of a communicator that has nodes.
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
};

} // namespace kakehashi
