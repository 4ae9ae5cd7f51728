// A recording of 2^k ranks that all make the same calls at once → these calls, with rules for whom each rank calls.
#pragma once

#include "input/growth/bit_partner.hpp"
#include "input/growth/rank_calls.hpp"

#include <array>

namespace kakehashi {

// There are many calls, so their ends are in place.
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

// One that each rank makes. Ranks differ in partners and sizes only.
struct CommonCall {
  std::size_t kind = 0; // of its event
  Collective collective = Collective::barrier;
  int root = 0;
  std::size_t context = 0;
  struct End {
    int tag = 0; // below 0: any
    bool sends = false;
    std::optional<unsigned> partner; // which of the rules; none: nobody
  };
  std::vector<End> ends;  // of a message; none: of a collective call
  bool is_remote = false; // nobody receives it
  double bytes = 0;       // that a rank gives on average
  std::uint64_t line = 0;

  bool is_like(const CommonCall& other) const; // but for tags and partners
};
struct CommonCalls {
  std::string name; // of the recording
  int bits = 0;     // of a rank's number
  std::shared_ptr<const TraceSource> source;
  std::vector<BitPartner> partners;
  std::vector<CommonCall> calls;
  double work = 0;           // of a rank on average
  std::vector<double> works; // of each
  int ranks() const { return 1 << bits; }
};
Result<CommonCalls> common_calls_of(const RecordedSize& recording);

} // namespace kakehashi
