// A recording of 2^k ranks that all make the same calls at once → these calls, with rules for the partners of each
// rank.
#pragma once

#include "input/growth/bit_partner.hpp"
#include "input/growth/rank_calls.hpp"

#include <array>

namespace kakehashi {

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
  int bits = 0;     // of a rank's number
  std::shared_ptr<const TraceSource> source;
  std::vector<BitPartner> partners;
  std::vector<CommonCall> calls;
  double work = 0;           // mean over the ranks
  std::vector<double> works; // of each rank
  int ranks() const { return 1 << bits; }
};
Result<CommonCalls> common_calls_of(const RecordedSize& recording);

} // namespace kakehashi
