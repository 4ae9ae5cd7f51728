// Trees over the ranks 0 (the root) to size - 1: what a rank's parent and children are.
#pragma once

#include "workload/collective/collective.hpp"

namespace kakehashi {

struct Tree {
  int parent = -1;           // of the root: none
  std::vector<int> children; // in the order in which they are served
  bool is_root() const { return parent < 0; }
};

// Each other rank is a child of the root.
Tree linear_tree(int rank, int size);
// The subtree of a rank is the ranks from it up to the next multiple of its lowest bit; the largest subtree first.
Tree binomial_tree(int rank, int size);
// A rank's parent is the rank without its highest bit; the nearest child first.
Tree nearest_first_tree(int rank, int size);
// Two children each, filled level by level so that odd ranks are below the rank 1 and even ones below the rank 2.
Tree binary_tree(int rank, int size);
// That many chains of neighbouring ranks, as equal in length as can be, begin at the root.
Tree chain_tree(int rank, int size, int chains);

// As the binomial tree, to another base: a rank's parent is the rank without its lowest digit.
Tree knomial_tree(int rank, int size, int base);
// The root is the last rank. The ranks below a rank are the ones just before it, half of them below each child.
Tree in_order_tree(int rank, int size);

// The vector flows from the root to the leaves, segment by segment. The communicator is rooted at its rank 0.
Program bcast_along(Communicator comm, Tree tree, Blocks segments);
// And from the leaves to the root, added up on the way.
Program reduce_along(Communicator comm, Tree tree, Blocks segments);

} // namespace kakehashi
