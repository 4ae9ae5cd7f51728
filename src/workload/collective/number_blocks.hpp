// The blocks of the ranks that a folding's numbers stand for.
#pragma once

#include "workload/collective/folding.hpp"

namespace kakehashi {

struct Interval {
  int first = 0;
  int count = 0;
};

// Blocks of ranks as numbers count them: a number has those of the ranks for which it stands. With a root, ranks count
// from it on.
class NumberBlocks {
public:
  NumberBlocks(Folding folding, Blocks blocks, int root = 0) : folding_(folding), blocks_(blocks), root_(root) {}

  // With the number 0 after the last.
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

// The number with the lowest bits in reverse order, as many as numbers below `size` have, a power of two.
inline int mirrored(int number, int size) {
  int result = 0;
  for (int bit = 1; bit < size; bit *= 2)
    result += (number & bit) != 0 ? size / (2 * bit) : 0;
  return result;
}

} // namespace kakehashi
