// An ordered set of ranks and the nodes that they share → the data that all communicators of that set have in common.
#pragma once

#include "workload/collective/box.hpp"

#include <memory>
#include <span>
#include <vector>

namespace kakehashi {

// Made once for each set of ranks. Memory grows linearly with the number of ranks.
struct Group {
  std::vector<int> members; // ranks in the world

  // The nodes of the group; empty if all members are on one node, or each is on a node of its own.
  std::vector<int> node_of;       // each member's index into nodes
  std::vector<int> place_in_node; // each member's number among the members of its node
  std::vector<Group> nodes;       // the members of each node, in the order of the nodes' first members
  std::unique_ptr<Group> leaders; // the first member of each node
  int most_on_a_node = 1;
  bool is_node_by_node = false; // whether the members of each node are adjacent
  bool shares_memory = false;   // there are several members, and one memory that all of them read and write

  std::optional<Box> box; // the box on a torus that the members fill, if they do

  int size() const { return static_cast<int>(members.size()); }
  bool has_nodes() const { return leaders != nullptr; }
};

// `node_of_rank`: for each rank of the world, any number that the ranks of one node share. `point_of_rank`: for each
// rank, the place of its node on a torus; empty: there is no torus. `memory_of_rank`: any number that ranks with one
// memory share; empty: those of a node share its memory.
Group make_group(std::vector<int> members, std::span<const int> node_of_rank,
                 std::span<const NodePoint> point_of_rank = {}, std::span<const int> memory_of_rank = {});

// The group of all ranks.
Group make_world(std::span<const int> node_of_rank, std::span<const NodePoint> point_of_rank = {},
                 std::span<const int> memory_of_rank = {});

} // namespace kakehashi
