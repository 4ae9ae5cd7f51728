// The partner that each of 2^k ranks calls, as a change of the bits of the rank's number: the bits change places, and
// some are inverted; or 1 is added to some of the bits, or subtracted, as around a ring.
#pragma once

#include <optional>
#include <vector>

namespace kakehashi {

// Neighbouring bits that stay together.
struct BitRange {
  int from = 0;
  int to = 0; // new place of the lowest bit
  int count = 0;
  bool operator==(const BitRange&) const = default;
};
// Two ranks that differ in one bit only; or that are 2^bit apart on the ring of all ranks that differ only in bits from
// `bit` to below `end`.
struct BitStage {
  int bit = 0;
  int end = 0;  // of a ring: the bit after its last one; else the next bit
  int sign = 0; // 1: to the next rank on a ring, -1: to the previous one; 0: there are only two ranks
  bool operator==(const BitStage&) const = default;
};
struct BitPartner {
  std::vector<BitRange> moved;    // covers all bits
  std::vector<BitRange> inverted; // after the move; `from` and `to` are equal
  std::optional<BitStage> ring;   // if present, it replaces both
  bool operator==(const BitPartner&) const = default;

  int of(int rank) const;
  std::optional<BitStage> stage() const; // if the rule is one
};
// `partners` has one for each rank. Returns none if no rule gives them.
std::optional<BitPartner> bit_partner_of(const std::vector<int>& partners);
BitPartner partner_at(BitStage stage, int bits);

// Extrapolates: the result differs from `larger` by `times` the difference between `larger` and `smaller`. None: the
// two have different forms, or the result is no rule for so many bits.
std::optional<BitPartner> beyond(const BitPartner& smaller, const BitPartner& larger, int times, int bits);

} // namespace kakehashi
