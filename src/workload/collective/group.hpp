// An ordered set of ranks and which of them share a node → what all communicators of that set have in common.
#pragma once

#include "workload/collective/box.hpp"

#include <memory>
#include <span>
#include <vector>

namespace kakehashi {

// Made once for each set of ranks and shared by them; memory grows with the number of ranks, not with its square.
struct Group {
  std::vector<int> members; // world ranks

  // How the group falls into nodes; empty where that is of no use: all on one node, or each on a node of its own.
  std::vector<int> node_of;       // of each member: index into nodes
  std::vector<int> place_in_node; // of each member: its number among those of its node
  std::vector<Group> nodes;       // the members of each node, in order of the first member of each
  std::unique_ptr<Group> leaders; // the first member of each node
  int most_on_a_node = 1;
  bool is_node_by_node = false; // the members of each node follow each other

  std::optional<Box> box; // of nodes on a torus, if the members fill one

  int size() const { return static_cast<int>(members.size()); }
  bool has_nodes() const { return leaders != nullptr; }
};

// node_of_rank: of each rank of the world, any number that ranks of one node share. point_of_rank: on a torus, where
// its node is; else empty.
Group make_group(std::vector<int> members, std::span<const int> node_of_rank,
                 std::span<const NodePoint> point_of_rank = {});

// All ranks.
Group make_world(std::span<const int> node_of_rank, std::span<const NodePoint> point_of_rank = {});

} // namespace kakehashi
