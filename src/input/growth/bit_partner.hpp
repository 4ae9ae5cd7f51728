// Whom each of 2^k ranks calls, as what becomes of the bits of its number: these change places, and some are inverted;
// or 1 is added to some, or taken off, as around a ring.
#pragma once

#include <optional>
#include <vector>

namespace kakehashi {

// Neighbouring bits that stay together.
struct BitRange {
  int from = 0;
  int to = 0; // of the lowest
  int count = 0;
  bool operator==(const BitRange&) const = default;
};
// Two ranks that differ in a bit alone, or that are 2^bit apart on a ring of those that differ in the bits below the
// end alone.
struct BitStage {
  int bit = 0;
  int end = 0;  // of a ring; else the next bit
  int sign = 0; // 1: to the next on a ring, -1: to the one before; 0: there are only two
  bool operator==(const BitStage&) const = default;
};
struct BitPartner {
  std::vector<BitRange> moved;    // all bits
  std::vector<BitRange> inverted; // afterwards; from and to are the same
  std::optional<BitStage> ring;   // instead of both
  bool operator==(const BitPartner&) const = default;

  int of(int rank) const;
  std::optional<BitStage> stage() const; // if it is one
};
// partners: of each rank. None: there is no such rule.
std::optional<BitPartner> bit_partner_of(const std::vector<int>& partners);
BitPartner partner_at(BitStage stage, int bits);

// As far beyond the larger job as that is beyond the smaller one, so many times. None: the two are unlike, or leave no
// rule for so many bits.
std::optional<BitPartner> beyond(const BitPartner& smaller, const BitPartner& larger, int times, int bits);

} // namespace kakehashi
