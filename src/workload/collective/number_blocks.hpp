// The blocks of ranks as a folding's numbers count them.
#pragma once

#include "workload/collective/folding.hpp"

namespace kakehashi {

struct Interval {
  int first = 0;
  int count = 0;
};

// A number has the blocks of the ranks for which it stands. With a root, ranks are counted from the root.
class NumberBlocks {
public:
  NumberBlocks(Folding folding, Blocks blocks, int root = 0) : folding_(folding), blocks_(blocks), root_(root) {}

  // Number 0 follows the last number.
  Data of(Interval numbers) const {
    const int end = numbers.first + numbers.count;
    const int begin = folding_.first_rank_of(numbers.first);
    const int ranks = folding_.first_rank_of(folding_.size());
    const int rest = end - folding_.size();
    const int finish = rest <= 0 ? folding_.first_rank_of(end) : ranks + folding_.first_rank_of(rest);
    return blocks_.blocks((begin + root_) % ranks, finish - begin);
  }

private:
  Folding folding_;
  Blocks blocks_;
  int root_;
};

// Returns the number with its lowest log2(size) bits in reverse order; `size` is a power of two.
inline int mirrored(int number, int size) {
  int result = 0;
  for (int bit = 1; bit < size; bit *= 2)
    result += (number & bit) != 0 ? size / (2 * bit) : 0;
  return result;
}

} // namespace kakehashi
