// Transfers → the times at which they complete, by a network model of our own that agrees with SimGrid's.
//
// Flows that share channels and cap are a bundle; they have one rate, so a bundle has one clock, which counts the bytes
// that each of its flows has carried. A flow is done when the clock reaches its mark: where it stood when the flow
// began, and the flow's size.
//
// The tolerance is a part of a message's size. With tolerance t a message of n bytes is taken for done when between
// (1 - t/2) n and (1 + t/2) n bytes of it have flowed, so that completions which lie close together are one instant;
// and rates are brought up to date at the latest when a message that has begun or ended since could have carried 4 t n
// bytes. Until then a new flow has the rate of its bundle, or the level of its channels. With tolerance 0, and while
// there are few flows, rates are up to date whenever time passes.
//
// Invariants:
// 1. A lone flow is unknown to the solver; while there is one, no bundle has flows.
// 2. Flows have flowed up to `at_`, which is never beyond the next event, completion or solve.
// 3. A bundle's clock is the bytes that each of its flows has carried since the first of them began, as of `since`;
//    marks count on that clock.
// 4. `next_completion_` is no later than the time at which any flow must be taken for done.
// 5. The completions have the places of the solver's active bundles.
// 6. A bundle that becomes empty keeps its number until the next solve, for flows that take the place of those that
//    ended.
#pragma once

#include "engine/flow/completion_times.hpp"
#include "engine/flow/max_min.hpp"
#include "engine/flow/network.hpp"

#include <unordered_map>

namespace kakehashi {

class FluidNetwork final : public Network {
public:
  // Keeps a reference to the channels, to which more may be added. The seed shuffles what happens at the same time.
  FluidNetwork(const std::deque<Channel>& channels, double tolerance, std::uint32_t seed, Seconds tick, int images);

  std::string name() const override;
  std::size_t add_set(std::span<const std::size_t> channels) override;
  void transfer(std::size_t set, Bytes size, std::optional<BytesPerSecond> cap, Event event) override;
  void run(const std::function<void(Event)>& handler) override;

  std::optional<std::size_t> solves() const override { return solves_; }

private:
  struct Flow {
    double late;   // mark of the clock at which it is done at the latest
    double window; // and that much before at the earliest
    double bytes;
    std::uint64_t order;
    Event event;
  };
  struct Later { // a type, so that the heap's functions inline it
    bool operator()(const Flow& a, const Flow& b) const {
      return a.late > b.late || (a.late == b.late && a.order > b.order);
    }
  };
  struct Bundle {
    double clock = 0; // bytes, at `since`
    double rest = 0;  // the part of the clock for which it has no digits
    double since = 0;
    double rate = 0;
    double cap = 0; // 0: none
    std::uint32_t set = 0;
    std::uint32_t next = none; // the next bundle of the same set
    bool is_emptied = false;   // since the last solve; it may have flows again
    std::vector<Flow> flows;   // a heap
  };
  struct Done {
    std::uint64_t order;
    Event event;
  };
  struct ChannelSet {
    std::uint32_t first_channel = 0;
    std::uint32_t channels = 0;
    std::uint32_t bundle = none; // the first that has flows, or had since the last solve
  };
  // The only flow under way. The solver does not know it, and it has no window.
  struct LoneFlow {
    std::uint32_t set = 0;
    std::optional<BytesPerSecond> cap;
    double since = 0;
    double rate = 0;
    double bytes = 0;
    std::uint64_t order = 0;
    Event event;

    double end() const { return since + bytes / rate; }
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::span<const std::uint32_t> channels_of(const ChannelSet& set) const {
    return std::span(set_channels_).subspan(set.first_channel, set.channels);
  }
  std::uint32_t bundle_of(std::size_t set, std::optional<BytesPerSecond> cap);
  void forget(std::uint32_t bundle);
  void start(std::uint32_t bundle, double bytes, std::uint64_t order, Event event);
  void join_others(); // what was alone
  void end_flow(double bytes, double rate, std::uint64_t order, Event event);
  void advance(Bundle& bundle) const;
  void solve_soon(Seconds duration);
  void count_flows(std::uint32_t bundle);
  std::pair<double, double> completion_of(const Bundle& bundle) const; // the earliest and latest end of its next flow
  void look_ahead(std::uint32_t bundle);
  void complete();
  void live(Seconds instant, const std::function<void(Event)>& handler);
  void hand_out(const std::function<void(Event)>& handler);
  void take_done(std::uint32_t bundle);
  void solve();

  double tolerance_;
  std::size_t images_;       // flows for which each stands
  double tolerance_now_ = 0; // 0 while there are few flows
  std::uint32_t seed_;
  const std::deque<Channel>& channels_;
  MaxMin max_min_;
  double at_ = 0;                           // s, up to which flows have flowed
  std::vector<std::uint32_t> set_channels_; // the channels of all sets
  std::vector<ChannelSet> sets_;
  std::vector<double> capacities_; // what each set gives a flow that has the channels for itself
  std::unordered_multimap<std::uint64_t, std::uint32_t> sets_by_channels_; // keys are hashes of the channels
  std::optional<LoneFlow> lone_;
  std::vector<Bundle> bundles_;
  CompletionTimes completions_; // ends of the next flow of each active bundle, by its place
  std::vector<std::uint32_t> emptied_;
  std::vector<Done> done_; // to be handed out at `due_`
  std::vector<Done> handed_out_;
  double next_completion_;
  double next_solve_;
  Seconds due_;
  Seconds usual_duration_; // the mean of the last flows
  std::size_t flows_ = 0;  // under way
  std::size_t solved_flows_ = 0;
  std::uint64_t started_ = 0;
  std::size_t solves_ = 0;
};

} // namespace kakehashi
