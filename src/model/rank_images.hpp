// Ranks of which the first ones stand for all: block after block of as many, each the image of the first.
//
// All ranks are shifted by a multiple of a block (behind the last comes the first); or blocks change places two by two,
// those whose numbers differ in the same bits; or every other block is a mirror image.
#pragma once

namespace kakehashi {

struct RankImages {
  int ranks = 0;               // that stand for all
  int images = 1;              // that each of them stands for, itself among them
  bool is_mirrored = false;    // those behind them, as many again, are their mirror images
  bool changes_places = false; // the images are a power of two
  int of = 0;                  // ranks in all

  // The rank that stands for it.
  int home(int rank) const {
    if (!is_mirrored)
      return rank % ranks;
    const int at = rank % (2 * ranks);
    return at < ranks ? at : 2 * ranks - 1 - at;
  }
  // The image of the rank where the first ones become those of that number; 0: themselves.
  int image(int rank, int number) const {
    if (changes_places)
      return ((rank / ranks) ^ number) * ranks + rank % ranks;
    const bool is_turned = is_mirrored && number % 2 != 0;
    return inside(is_turned ? (number + 1) * ranks - 1 - rank : number * ranks + rank);
  }
  // The rank as seen from that which stands for `other`, where this one sees `rank`.
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
