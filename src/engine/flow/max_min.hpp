// Bundles of flows on channels → the rate of each flow: max-min, each flow at no more than its bundle's cap.
//
// The flows of a bundle share their channels and their cap, so they have one rate; what is solved grows with the
// bundles, not with the flows. Exact solves treat only bundles whose rates may change. They begin with those that
// changed and take the rates of all others as they are. Others join them if a channel gives them more than it gives
// those that are treated, or if it limited them and has more to give now. When none joins, each bundle has what it may
// have, or a full channel that gives no other flow more; there is only one way to share of which this is true.
//
// Invariants:
// 1. `active_` has the bundles with flows, `used_` the channels of these, each once; `place` leads back.
// 2. A channel's members are the hops of all bundles, also of those without flows; `places_` leads back. A bundle may
//    have a channel several times, and its flows count as often there.
// 3. `left` of a channel is its capacity less the rates of all its flows. It is negative where flows have come since
//    the last solve and took an even share.
// 4. What changes between two solves is in `changed_` or `left_channels_`.
// 5. While levels rise, a bundle gets its rate once.
// 6. A channel counts in `limited` the bundles that name it as their limit.
#pragma once

#include "engine/flow/level_queue.hpp"
#include "topology/topology.hpp"

#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace kakehashi {

class MaxMin {
public:
  // Keeps a reference to the channels, to which more may be added.
  explicit MaxMin(const std::deque<Channel>& channels) : channels_(channels) {}

  // Adds a bundle without flows and returns its number, which later bundles may have once this one is removed. alone:
  // the rate of a flow that has the channels for itself.
  std::uint32_t add(std::span<const std::uint32_t> channels, std::optional<BytesPerSecond> cap, BytesPerSecond alone);
  // The bundle must have no flows.
  void remove(std::uint32_t bundle);
  // Adds a flow. Until the next solve all flows of the bundle have the rate that is returned: what its channels have
  // left, or an even share of the channel that has less than that.
  BytesPerSecond add_flow(std::uint32_t bundle);
  void keep_flows(std::uint32_t bundle, std::uint32_t flows); // drops all but so many
  std::uint32_t flows(std::uint32_t bundle) const { return bundles_[bundle].flows; }
  std::span<const std::uint32_t> active() const { return active_; } // bundles that have flows
  // The index of an active bundle in `active`. When a bundle leaves, the last one takes its place.
  std::uint32_t place(std::uint32_t bundle) const { return bundles_[bundle].place; }

  // Brings the rates up to date; levels of channels that lie closer together than the slack (a part of one) may be
  // taken for one. Returns the bundles whose rates may have changed.
  std::span<const std::uint32_t> solve(double slack);
  BytesPerSecond rate(std::uint32_t bundle) const { return {bundles_[bundle].rate}; }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Bundle {
    std::uint32_t first_hop = 0;
    std::uint32_t hops = 0;
    std::uint32_t room = 0; // places for hops
    std::uint32_t flows = 0;
    std::uint32_t place = 0; // in `active_`, if it has flows
    std::uint32_t visit = 0; // the last solve of some that treated it
    std::uint32_t most_class = 0;
    std::uint32_t limit = none; // the full channel by which it has less than it may have
    bool open = false;          // has no rate yet, in a solve
    bool changed = false;
    double most = 0; // what a flow may have
    double rate = 0;
  };
  struct MostClass { // bundles whose flows may have that much
    double most = 0;
    std::vector<std::uint32_t> bundles; // the bundles that a solve treats
  };
  struct Member { // a bundle that uses a channel
    std::uint32_t bundle;
    std::uint32_t hop;
  };
  struct Share { // what a solve has of a channel
    double capacity = 0;
    double left = 0;        // its rest; less than nothing where flows have come since the last solve
    std::uint32_t all = 0;  // flows
    std::uint32_t open = 0; // those that have no rate yet, in a solve; else none
  };
  struct Use {                 // who uses a channel
    std::uint32_t bundles = 0; // bundles that have flows
    std::uint32_t limited = 0; // those that it limits
    std::uint32_t place = 0;   // in `used_`, if there are any
    std::uint32_t visit = 0;   // the last solve of some that treated it
  };

  void know(std::uint32_t channel);
  std::uint32_t class_of(double most);
  std::span<const std::uint32_t> hops_of(const Bundle& bundle) const {
    return std::span(hops_).subspan(bundle.first_hop, bundle.hops);
  }
  void start(std::uint32_t bundle);
  void stop(std::uint32_t bundle);
  void note_change(std::uint32_t bundle);
  bool solve_some();
  void join(std::uint32_t bundle);
  void visit(std::uint32_t channel);
  static double level_of(const Share& share);
  void fill_some();
  void fix_one(Bundle& bundle);
  void let_others_join(std::uint32_t channel);
  void open_all();
  void open(std::span<const std::uint32_t> bundles);
  void fill(double slack);
  void fix(Bundle& bundle, double rate, std::uint32_t by); // by none: it has what it may have
  void limit(Bundle& bundle, std::uint32_t by);
  void take(const Bundle& bundle, double rate); // from its channels

  const std::deque<Channel>& channels_;
  std::vector<Bundle> bundles_;
  std::vector<std::uint32_t> free_;
  std::vector<MostClass> classes_;
  std::unordered_map<double, std::uint32_t> class_numbers_;
  std::vector<std::uint32_t> hops_;   // the channels of all bundles
  std::vector<std::uint32_t> places_; // the place of each hop among the members of its channel
  std::vector<Share> shares_;
  std::vector<Use> uses_;
  std::vector<std::vector<Member>> members_; // the members of each channel
  std::vector<std::uint32_t> active_;        // bundles that have flows
  std::vector<std::uint32_t> used_;          // channels that have flows
  std::vector<std::uint32_t> changed_;       // bundles
  std::vector<std::uint32_t> left_channels_; // channels that bundles without flows have left
  std::vector<std::uint32_t> some_bundles_;  // those that a solve of some treats
  std::vector<std::uint32_t> some_channels_; // and theirs
  std::vector<std::uint32_t> found_;         // bundles on a full channel that have no rate yet, in a solve
  LevelQueue limits_;                        // channels that may be full next, and what flows may have
  std::size_t open_ = 0;                     // bundles
  std::uint32_t solve_ = 0;
  bool is_exact_ = false; // but for what changed since
};

} // namespace kakehashi
