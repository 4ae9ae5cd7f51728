#include "workload/collective/tree.hpp"

#include <bit>
#include <cassert>

namespace kakehashi {

Tree linear_tree(int rank, int size) {
  Tree tree;
  if (rank > 0)
    tree.parent = 0;
  else
    for (int child = 1; child < size; ++child)
      tree.children.push_back(child);
  return tree;
}

Tree binomial_tree(int rank, int size) {
  Tree tree;
  int reach = static_cast<int>(std::bit_ceil(static_cast<unsigned>(size)));
  if (rank > 0) {
    reach = rank & -rank;
    tree.parent = rank - reach;
  }
  for (int distance = reach / 2; distance > 0; distance /= 2)
    if (rank + distance < size)
      tree.children.push_back(rank + distance);
  return tree;
}

Tree nearest_first_tree(int rank, int size) {
  Tree tree;
  int distance = 1;
  if (rank > 0) {
    const int highest = static_cast<int>(std::bit_floor(static_cast<unsigned>(rank)));
    tree.parent = rank - highest;
    distance = 2 * highest;
  }
  for (; rank + distance < size; distance *= 2)
    tree.children.push_back(rank + distance);
  return tree;
}

Tree binary_tree(int rank, int size) {
  Tree tree;
  const int width = static_cast<int>(std::bit_floor(static_cast<unsigned>(rank + 1))); // width of the rank's level
  if (rank > 0) {
    const int above = width / 2;
    assert(above > 0);
    tree.parent = above - 1 + (rank - (above - 1)) % above;
  }
  for (const int child : {rank + width, rank + 2 * width})
    if (child < size)
      tree.children.push_back(child);
  return tree;
}

Tree chain_tree(int rank, int size, int chains) {
  Tree tree;
  chains = std::clamp(chains, 1, std::max(1, size - 1));
  const auto links = Blocks::even(Bytes{static_cast<std::uint64_t>(size - 1)}, chains);
  for (int chain = 0; chain < chains && size > 1; ++chain) {
    const int first = 1 + static_cast<int>(links.begin_of(chain));
    const int end = 1 + static_cast<int>(links.begin_of(chain + 1));
    if (rank == 0)
      tree.children.push_back(first);
    else if (rank >= first && rank < end) {
      tree.parent = rank == first ? 0 : rank - 1;
      if (rank + 1 < end)
        tree.children.push_back(rank + 1);
    }
  }
  return tree;
}

Tree knomial_tree(int rank, int size, int base) {
  Tree tree;
  int reach = 1; // size of the rank's subtree
  while (reach < size && rank % (reach * base) == 0)
    reach *= base;
  if (rank > 0)
    tree.parent = rank - rank % (reach * base);
  for (int distance = reach / base; distance > 0; distance /= base)
    for (int child = rank + distance; child < rank + distance * base && child < size; child += distance)
      tree.children.push_back(child);
  return tree;
}

Tree in_order_tree(int rank, int size) {
  Tree tree;
  int first = 0;
  int last = size - 1;
  while (true) {
    const int lower = first + (last - first) / 2; // the first rank of the upper half of the ranks below `last`
    if (rank == last) {
      if (lower < last)
        tree.children.push_back(last - 1);
      if (first < lower)
        tree.children.push_back(lower - 1);
      return tree;
    }
    tree.parent = last;
    if (rank < lower) {
      last = lower - 1;
    } else {
      first = lower;
      --last;
    }
  }
}

Program bcast_along(Communicator comm, Tree tree, Blocks segments) {
  Request next;
  if (!tree.is_root())
    next = co_await comm.ireceive(tree.parent);
  for (int i = 0; i < segments.count(); ++i) {
    if (!tree.is_root()) {
      const Request current = next;
      if (i + 1 < segments.count()) // post it early, so that it can flow meanwhile
        next = co_await comm.ireceive(tree.parent);
      co_await comm.wait(current);
    }
    for (const int child : tree.children)
      co_await comm.send(child, segments.block(i));
  }
}

Program reduce_along(Communicator comm, Tree tree, Blocks segments) {
  for (int i = 0; i < segments.count(); ++i) {
    for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) { // the least busy first
      co_await comm.receive(*child);
      co_await comm.add(segments.size_of(i));
    }
    if (!tree.is_root())
      co_await comm.send(tree.parent, segments.block(i).to_add());
  }
}

} // namespace kakehashi
