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
  // slack (a part of one) may be taken for one; no channel is overloaded for that.
  MaxMin(const std::deque<Channel>& channels, double slack) : channels_(channels), slack_(slack) {}

  // A bundle without flows. It is told by its number, which a removed bundle leaves to a later one.
  std::uint32_t add(std::span<const std::uint32_t> channels, std::optional<BytesPerSecond> cap);
  // It must have no flows.
  void remove(std::uint32_t bundle);
  void set_flows(std::uint32_t bundle, std::uint32_t flows);
  std::uint32_t flows(std::uint32_t bundle) const { return bundles_[bundle].flows; }
  std::size_t bundles() const { return bundles_.size(); } // numbers in use are below

  // Brings the rates up to date. Returns the bundles whose rates may have changed.
  std::span<const std::uint32_t> solve();
  BytesPerSecond rate(std::uint32_t bundle) const { return {bundles_[bundle].rate}; }

  // About what a flow of the bundle would get, from the last solve and the flows that have come and gone since.
  BytesPerSecond estimate(std::uint32_t bundle);

private:
  struct Bundle {
    std::vector<std::uint32_t> channels;
    std::vector<std::uint32_t> places; // in the members of each channel
    double cap = 0;
    std::size_t cap_class = 0;
    std::uint32_t flows = 0;
    std::uint32_t visit = 0; // the last solve that treated it
    bool fixed = false;
    bool changed = false;
    double rate = 0;
  };
  struct Member {
    std::uint32_t bundle;
    std::uint32_t hop; // which of the bundle's channels it is
  };
  struct Share {             // of a channel, while it is divided
    double left = 0;         // capacity
    std::uint32_t flows = 0; // that have no rate yet
    std::uint32_t visit = 0;
    double level = 0;           // what a further flow might get
    double sharers = 1;         // flows that divide it, with that one
    std::int32_t newcomers = 0; // since the last solve
  };
  struct CapClass {
    double cap = 0;
    std::vector<std::uint32_t> bundles; // of this solve
  };
  struct Candidate {
    double level;
    std::uint32_t channel;
  };

  void know(std::uint32_t channel);
  std::size_t class_of(double cap);
  void visit_bundle(std::uint32_t bundle);
  void visit_channel(std::uint32_t channel);
  void collect();
  void fill();
  void fix_capped(double level);
  void fix(Bundle& bundle, double rate);

  const std::deque<Channel>& channels_;
  double slack_;
  std::vector<Bundle> bundles_;
  std::vector<std::uint32_t> free_;
  std::vector<double> capacity_; // of each channel in use
  std::vector<std::vector<Member>> members_;
  std::vector<Share> shares_;
  std::vector<CapClass> classes_;            // by number
  std::vector<std::size_t> classes_by_cap_;  // from the least cap
  std::size_t next_class_ = 0;               // of classes_by_cap_, in this solve
  std::vector<std::uint32_t> changed_;       // bundles
  std::vector<std::uint32_t> left_channels_; // those that removed bundles have left
  std::vector<std::uint32_t> affected_;      // bundles of this solve
  std::vector<std::uint32_t> reached_;       // channels of this solve
  std::vector<Candidate> candidates_;        // a heap
  std::uint32_t solve_ = 0;
};

} // namespace kakehashi
