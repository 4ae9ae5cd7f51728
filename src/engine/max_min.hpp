// Bundles of flows on channels → the rate of each flow: max-min, each flow at no more than its bundle's cap.
//
// The flows of a bundle share their channels and their cap, so they have one rate; what is solved grows with the
// bundles, not with the flows. A solve treats the bundles that are connected by channels with those that changed.
#pragma once

#include "topology/topology.hpp"

#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace kakehashi {

class MaxMin {
public:
  // Keeps a reference to the channels, to which more may be added. Levels of channels that lie closer together than the
  // slack (a part of one) may be taken for one.
  MaxMin(const std::deque<Channel>& channels, double slack) : channels_(channels), slack_(slack) {}

  // A bundle without flows. It is told by its number, which a removed bundle leaves to a later one.
  std::uint32_t add(std::span<const std::uint32_t> channels, std::optional<BytesPerSecond> cap);
  // It must have no flows.
  void remove(std::uint32_t bundle);
  void set_flows(std::uint32_t bundle, std::uint32_t flows);
  std::uint32_t flows(std::uint32_t bundle) const { return bundles_[bundle].flows; }
  std::span<const std::uint32_t> active() const { return active_; } // bundles that have flows

  // Brings the rates up to date. Returns the bundles whose rates may have changed.
  std::span<const std::uint32_t> solve();
  BytesPerSecond rate(std::uint32_t bundle) const { return {bundles_[bundle].rate}; }

  // About what a flow of the bundle would get, from the last solve and the flows that have come and gone since.
  BytesPerSecond estimate(std::uint32_t bundle);

private:
  struct Bundle {
    std::uint32_t first_hop = 0;
    std::uint32_t hops = 0;
    std::uint32_t room = 0; // for hops
    std::uint32_t flows = 0;
    std::uint32_t place = 0; // in `active_`, if it has flows
    std::uint32_t visit = 0; // the last solve that treated it
    bool fixed = false;
    bool changed = false;
    double cap = 0;
    double limit = 0; // whatever the others do
    double rate = 0;
  };
  struct Hop {
    std::uint32_t channel = 0;
    std::uint32_t place = 0; // in the members of the channel
  };
  struct Member { // of a channel
    std::uint32_t bundle;
    std::uint32_t hop;
  };
  struct Share { // of a channel
    double capacity = 0;
    double left = 0;            // of it, while it is divided
    double level = 0;           // what a further flow might get
    std::uint32_t sharers = 1;  // flows that divide the level, with that one
    std::int32_t newcomers = 0; // flows since the last solve
    std::uint32_t all = 0;      // flows
    std::uint32_t open = 0;     // those that have no rate yet, while it is divided
    std::uint32_t bundles = 0;  // that have flows
    std::uint32_t visit = 0;    // the last solve that treated it
  };
  struct Candidate {
    double level;
    std::uint32_t channel;
  };
  struct Higher { // a type, so that sorts inline it
    bool operator()(const Candidate& a, const Candidate& b) const { return a.level > b.level; }
  };

  void know(std::uint32_t channel);
  std::span<Hop> hops_of(const Bundle& bundle) { return std::span(hops_).subspan(bundle.first_hop, bundle.hops); }
  void visit_bundle(std::uint32_t bundle);
  bool visit_channel(std::uint32_t channel);
  void visit_neighbours(std::uint32_t channel);
  void collect();
  Candidate take_candidate();
  void fill();
  void fix(Bundle& bundle, double rate);
  void fix_members(std::uint32_t channel, double level, bool only_limited);
  void set_level(Share& share);

  const std::deque<Channel>& channels_;
  double slack_;
  std::vector<Bundle> bundles_;
  std::vector<std::uint32_t> free_;
  std::vector<Hop> hops_; // of all bundles
  std::vector<Share> shares_;
  std::vector<std::vector<Member>> members_; // of each channel
  std::vector<std::uint32_t> active_;        // bundles that have flows
  std::vector<std::uint32_t> changed_;       // bundles
  std::vector<std::uint32_t> left_channels_; // that bundles without flows have left
  std::vector<std::uint32_t> affected_;      // bundles of this solve
  std::vector<std::uint32_t> reached_;       // channels of this solve
  std::vector<Candidate> candidates_;        // sorted
  std::size_t next_candidate_ = 0;
  std::vector<Candidate> risen_; // a heap of those whose level has risen
  std::uint32_t solve_ = 0;
};

} // namespace kakehashi
