// Ranks in blocks of equal size, of which the ranks of the first block stand for all: every other rank is the image of
// one of them.
//
// A map from the first block to another one moves all ranks: it shifts them by a multiple of a block (the first block
// follows the last); or it swaps blocks in pairs, those whose numbers differ in the same bits; or, for every other
// block, it mirrors them.
#pragma once

namespace kakehashi {

struct RankImages {
  int ranks = 0;               // number of ranks that stand for all: the first ones
  int images = 1;              // number of blocks, or of pairs of a block and its mirror image
  bool is_mirrored = false;    // every other block is a mirror image of its predecessor
  bool changes_places = false; // blocks are swapped; their number is a power of two
  int of = 0;                  // number of all ranks

  // Returns the rank that stands for `rank`.
  int home(int rank) const {
    if (!is_mirrored)
      return rank % ranks;
    const int at = rank % (2 * ranks);
    return at < ranks ? at : 2 * ranks - 1 - at;
  }
  // Returns the image of `rank` under the map that takes the first block to block `number`.
  int image(int rank, int number) const {
    if (changes_places)
      return ((rank / ranks) ^ number) * ranks + rank % ranks;
    const bool is_turned = is_mirrored && number % 2 != 0;
    return inside(is_turned ? (number + 1) * ranks - 1 - rank : number * ranks + rank);
  }
  // Returns `rank`, which is seen by `other`, as the rank that stands for `other` sees it.
  int seen_from_home(int rank, int other) const {
    if (changes_places)
      return image(rank, other / ranks);
    const bool is_turned = is_mirrored && other % (2 * ranks) >= ranks;
    return inside(is_turned ? home(other) + other - rank : home(other) - other + rank);
  }

private:
  int inside(int rank) const { return rank < 0 ? rank + of : rank < of ? rank : rank - of; }
};

} // namespace kakehashi
