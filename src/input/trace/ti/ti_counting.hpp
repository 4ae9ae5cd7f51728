// The events of all ranks' lines → what they show of each other.
#pragma once

#include "base/ring.hpp"
#include "model/trace_event.hpp"

#include <map>
#include <set>
#include <unordered_map>

namespace kakehashi {

// Facts about a rank's trace that follow from the other ranks' traces. Tag -1 is any tag.
struct TiFacts {
  // The number of receives without a source that get a message; further ones are from nobody. Tags that are missing:
  // all of them get one.
  std::map<int, std::uint64_t> received_unnamed;
  std::set<int> silent; // ranks that never send what a sendrecv of this rank receives
  std::set<int> deaf;   // ranks that never receive what a sendrecv of this rank sends
};
inline constexpr int any_tag_fact = -1;

class TiCounting {
public:
  explicit TiCounting(std::size_t ranks) : tallies_(ranks) {}

  void see(int rank, const TraceEvent& event);
  std::vector<TiFacts> facts() const; // of each rank
  // Whether requests of the rank may be open at the end.
  bool may_leave_requests(int rank) const {
    const auto& tally = tallies_[static_cast<std::size_t>(rank)];
    return !tally.is_plain || !tally.open.empty();
  }

private:
  // How often a rank sends and receives; without a tag, in all.
  struct Tally {
    std::map<int, std::int64_t> sent;    // to this rank, by tag, less the receives with a source
    std::map<int, std::int64_t> unnamed; // receives of this rank without a source, by tag
    std::int64_t left = 0;               // sent to it, less the receives with a source or a tag
    // Its requests, which are plain as long as each wait is for one that it names, or each is for all.
    Ring<RequestName> open;
    bool is_plain = true, has_waitall = false;
  };
  // The halves of one rank's sendrecv calls with another rank.
  struct Halves {
    bool sends = false;
    bool receives = false;
  };

  void count(const SendEvent& send);
  void count(int rank, const ReceiveEvent& receive);
  void follow_requests(int rank, const TraceEvent& event);
  static std::uint64_t key(int rank, int peer) {
    return static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint32_t>(peer);
  }
  Tally& of(int rank) { return tallies_[static_cast<std::size_t>(rank)]; }
  static std::map<int, std::uint64_t> limits(const Tally& tally);
  bool has_others(int to) const;
  void add_missing(int rank, int peer, const Halves& halves, std::vector<TiFacts>& facts) const;

  std::vector<Tally> tallies_;
  std::unordered_map<std::uint64_t, Halves> halves_;
};

} // namespace kakehashi
