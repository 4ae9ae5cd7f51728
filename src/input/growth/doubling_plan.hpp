// A recording of 2^k ranks that all make the same calls at once → these calls, with rules for the partners of each
// rank; those of two recordings → the calls of a job that lies beyond the larger one as that lies beyond the smaller
// one.
#pragma once

#include "input/growth/growth.hpp"
#include "input/growth/rank_calls.hpp"

#include <array>
#include <optional>
#include <vector>

namespace kakehashi {

// The partner that each of 2^k ranks calls, as a change of the bits of the rank's number: the bits change places, and
// some are inverted; or 1 is added to some of the bits, or subtracted, as around a ring.

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
  int end = 0;  // in a ring the bit after its last one, else the next bit
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

// An array inside the call, since there are many calls.
template <class End> class CallEnds {
public:
  void push_back(End end) { ends_[count_++] = end; } // at most two
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  End& operator[](std::size_t i) { return ends_[i]; }
  const End& operator[](std::size_t i) const { return ends_[i]; }
  const End* begin() const { return ends_.data(); }
  const End* end() const { return ends_.data() + count_; }

private:
  std::array<End, 2> ends_{};
  std::size_t count_ = 0;
};

// A call that each rank makes. Only partners and sizes differ between ranks.
struct CommonCall {
  std::size_t kind = 0; // the kind of its event
  Collective collective = Collective::barrier;
  int root = 0;
  std::size_t context = 0;
  struct End {
    int tag = 0; // negative: any
    bool sends = false;
    std::optional<unsigned> partner; // index of the rule; none: nobody
  };
  std::vector<End> ends;  // the ends of a message; empty: a collective call
  bool is_remote = false; // no rank receives it
  double bytes = 0;       // mean over the ranks of what a rank sends or contributes
  std::uint64_t line = 0;

  bool is_like(const CommonCall& other) const; // whether it is the same except tags and partners
};
struct CommonCalls {
  std::string name; // the recording's name
  int bits = 0;     // number of bits of a rank's number
  std::shared_ptr<const TraceSource> source;
  std::vector<BitPartner> partners;
  std::vector<CommonCall> calls;
  double work = 0;           // mean over the ranks
  std::vector<double> works; // work of each rank
  int ranks() const { return 1 << bits; }
};
Result<CommonCalls> common_calls_of(const RecordedSize& recording);

// Stages are the same calls to partners that are twice as far each time, or half as far: partners of successive stages
// differ in successive bits.
struct DoublingPlan {
  struct Call {
    std::size_t recorded = 0; // index into the larger recording
    struct End {
      int tag = 0;
      std::optional<unsigned> partner; // index into the rules here
    };
    CallEnds<End> ends;
    double size = 1; // factor of the size
  };
  std::vector<BitPartner> partners;
  std::vector<Call> calls; // in order; calls of added stages repeat recorded ones
  std::size_t stages = 0;  // number of added stages
  std::size_t longest = 0; // calls in the longest stage
};
// Errors: the recordings differ by more than stages and partners, or no rule remains for so many ranks.
Result<DoublingPlan> doubling_plan(const CommonCalls& smaller, const CommonCalls& larger, int bits);

// `work` is the factor of each rank's work.
std::shared_ptr<const TraceSource> doubled_source(const CommonCalls& recorded, DoublingPlan plan, int bits, double work,
                                                  std::vector<std::string> warnings);

// Recordings on powers of two of ranks that all make the same calls at once → the events of a larger power of two.

// Partners follow from the bits of a rank's number, as in exchanges over distances that double. Errors: why they do
// not.
Result<GrownJob> grow_by_doubling(const std::vector<RecordedSize>& recordings, int ranks);

} // namespace kakehashi
