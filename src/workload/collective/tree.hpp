// Trees over the ranks from 0 (the root) to size - 1: the parent and the children of a rank.
#pragma once

#include "workload/collective/collective.hpp"

namespace kakehashi {

struct Tree {
  int parent = -1;           // -1 for the root
  std::vector<int> children; // in the order in which they are served
  bool is_root() const { return parent < 0; }
};

// All other ranks are children of the root.
Tree linear_tree(int rank, int size);
// A rank's subtree is the ranks from it up to the next multiple of its lowest bit. The largest subtree comes first.
Tree binomial_tree(int rank, int size);
// A rank's parent is the rank without its highest bit. The nearest child comes first.
Tree nearest_first_tree(int rank, int size);
// Each rank has two children. The tree is filled level by level, so odd ranks are below rank 1 and even ones below rank
// 2.
Tree binary_tree(int rank, int size);
// `chains` chains of neighbouring ranks, of nearly equal length, begin at the root.
Tree chain_tree(int rank, int size, int chains);

// Like the binomial tree, to another base: a rank's parent is the rank without its lowest digit.
Tree knomial_tree(int rank, int size, int base);
// The root is the last rank. The ranks below a rank are the ones just before it, half of them below each child.
Tree in_order_tree(int rank, int size);

// The vector flows from the root to the leaves, segment by segment. The communicator must be rooted at rank 0.
Program bcast_along(Communicator comm, Tree tree, Blocks segments);
// The vectors flow from the leaves to the root and are added on the way.
Program reduce_along(Communicator comm, Tree tree, Blocks segments);

} // namespace kakehashi
