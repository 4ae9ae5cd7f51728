#include "engine/flow/fluid_network.hpp"

#include "engine/flow/shuffle.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace kakehashi {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double slack_share = 0.5;    // the solver's part of the tolerance
constexpr std::size_t few_flows = 256; // among which rates are exact

// Times the tolerance: how long rates may wait at most, while flows become more or fewer, and while thousands of them
// come and go at the same rate. See docs/engine.md.
constexpr double short_wait = 4;
constexpr double long_wait = 16;
constexpr double flows_per_wait = 128;          // so many let them wait for one more
constexpr double tolerance_per_wait = 1. / 600; // likewise

std::uint64_t hash_of(std::span<const std::size_t> channels) {
  std::uint64_t hash = channels.size();
  for (const auto channel : channels)
    hash = (hash ^ channel) * 0x9e3779b97f4a7c15u + (hash >> 32);
  return hash;
}

} // namespace

FluidNetwork::FluidNetwork(const std::deque<Channel>& channels, double tolerance, std::uint32_t seed, Seconds tick,
                           int images)
    : Network(tick, seed), tolerance_(tolerance), images_(static_cast<std::size_t>(images)), seed_(seed),
      channels_(channels), max_min_(channels), next_completion_(never), next_solve_(never), due_{never} {}

std::string FluidNetwork::name() const {
  return fluid_name(tolerance_);
}

// The same channels are the same set.
std::size_t FluidNetwork::add_set(std::span<const std::size_t> channels) {
  const auto hash = hash_of(channels);
  const auto [begin, end] = sets_by_channels_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (std::ranges::equal(channels_of(sets_[it->second]), channels))
      return it->second;
  const auto number = static_cast<std::uint32_t>(sets_.size());
  sets_.push_back({static_cast<std::uint32_t>(set_channels_.size()), static_cast<std::uint32_t>(channels.size())});
  auto& capacity = capacities_.emplace_back(never);
  for (auto rest = channels; !rest.empty(); rest = rest.subspan(1)) { // a set may have one twice
    const auto times = static_cast<double>(std::ranges::count(rest, rest.front()));
    capacity = std::min(capacity, channels_[rest.front()].capacity.value / times);
    set_channels_.push_back(static_cast<std::uint32_t>(rest.front()));
  }
  sets_by_channels_.emplace(hash, number);
  return number;
}

std::uint32_t FluidNetwork::bundle_of(std::size_t set, std::optional<BytesPerSecond> cap) {
  const double rate = cap ? cap->value : 0;
  auto found = sets_[set].bundle;
  while (found != none && bundles_[found].cap != rate)
    found = bundles_[found].next;
  if (found != none)
    return found;
  const auto number = max_min_.add(channels_of(sets_[set]), cap, {capacities_[set]});
  if (number == bundles_.size())
    bundles_.emplace_back();
  auto& bundle = bundles_[number];
  bundle.clock = 0;
  bundle.since = at_;
  bundle.cap = rate;
  bundle.set = static_cast<std::uint32_t>(set);
  bundle.next = sets_[set].bundle;
  sets_[set].bundle = number;
  return number;
}

// Brings the clock to now. It counts up in many small steps, whose errors would add up without the rest.
void FluidNetwork::advance(Bundle& bundle) const {
  const double step = bundle.rate * (at_ - bundle.since) + bundle.rest;
  const double sum = bundle.clock + step;
  const double added = sum - bundle.clock;
  bundle.rest = (bundle.clock - (sum - added)) + (step - added);
  bundle.clock = sum;
  bundle.since = at_;
}

void FluidNetwork::forget(std::uint32_t number) {
  auto* link = &sets_[bundles_[number].set].bundle;
  while (*link != number)
    link = &bundles_[*link].next;
  *link = bundles_[number].next;
  max_min_.remove(number);
}

void FluidNetwork::transfer(std::size_t set, Bytes size, std::optional<BytesPerSecond> cap, Event event) {
  assert(set < sets_.size() && size.count > 0);
  if (sets_[set].channels == 0)
    return after(cap ? size / *cap : Seconds{}, event);
  const auto bytes = static_cast<double>(size.count);
  const auto order = shuffled(started_++, seed_);
  if (flows_++ == 0 && tolerance_now_ == 0) {
    const double rate = cap ? std::min(cap->value, capacities_[set]) : capacities_[set];
    lone_ = {static_cast<std::uint32_t>(set), cap, at_, rate, bytes, order, event};
    next_completion_ = lone_->end();
    return;
  }
  if (lone_)
    join_others();
  start(bundle_of(set, cap), bytes, order, event);
}

// From when it began, as if the solver had known it since then.
void FluidNetwork::join_others() {
  const auto lone = *std::exchange(lone_, std::nullopt);
  const auto now = std::exchange(at_, lone.since);
  start(bundle_of(lone.set, lone.cap), lone.bytes, lone.order, lone.event);
  at_ = next_solve_ = now;
}

void FluidNetwork::start(std::uint32_t number, double bytes, std::uint64_t order, Event event) {
  auto& bundle = bundles_[number];
  const bool is_first = bundle.flows.empty();
  if (is_first) // small numbers are exact
    bundle.clock = bundle.rest = 0;
  else
    advance(bundle);
  bundle.since = at_;
  const double window = bytes * tolerance_now_;
  bundle.flows.push_back({bundle.clock + bytes + window / 2, window, bytes, order, event});
  std::push_heap(bundle.flows.begin(), bundle.flows.end(), Later{});
  if (is_first)
    completions_.add();
  bundle.rate = max_min_.add_flow(number).value;
  look_ahead(number);
  solve_soon(usual_duration_.value > 0 ? usual_duration_ : Seconds{bytes / bundle.rate});
}

// A flow of the bundle has come or gone. Where as many come as go, but for chance, newcomers have what those that went
// have left, and nothing is lost until the next solve; else the rates of all others are soon wrong.
void FluidNetwork::solve_soon(Seconds duration) {
  if (tolerance_now_ == 0) { // at once
    next_solve_ = std::min(next_solve_, at_);
    return;
  }
  const auto change = flows_ > solved_flows_ ? flows_ - solved_flows_ : solved_flows_ - flows_;
  const bool is_steady = 2 * change * change <= solved_flows_;
  const auto all = static_cast<double>(flows_ * images_);
  const double most = std::min({long_wait, all / flows_per_wait, tolerance_now_ / tolerance_per_wait});
  const double wait = is_steady ? std::max(short_wait, most) : short_wait;
  next_solve_ = std::min(next_solve_, at_ + wait * tolerance_now_ * duration.value);
}

// Tells the solver how many flows the bundle has left.
void FluidNetwork::count_flows(std::uint32_t number) {
  const auto flows = static_cast<std::uint32_t>(bundles_[number].flows.size());
  if (flows == 0)
    completions_.remove(max_min_.place(number));
  max_min_.keep_flows(number, flows);
}

std::pair<double, double> FluidNetwork::completion_of(const Bundle& bundle) const {
  const auto& flow = bundle.flows.front();
  const double latest = bundle.since + (flow.late - bundle.clock - bundle.rest) / bundle.rate;
  return {latest - flow.window / bundle.rate, latest};
}

void FluidNetwork::look_ahead(std::uint32_t number) {
  const auto [earliest, latest] = completion_of(bundles_[number]);
  completions_.set(max_min_.place(number), earliest, latest);
  next_completion_ = std::min(next_completion_, latest);
}

void FluidNetwork::end_flow(double bytes, double rate, std::uint64_t order, Event event) {
  --flows_;
  done_.push_back({order, event});
  expect(event, false);
  usual_duration_ += (1.0 / 32) * (Seconds{bytes / rate} - usual_duration_);
}

// Takes what may complete now from the bundle, at least one flow.
void FluidNetwork::take_done(std::uint32_t number) {
  auto& bundle = bundles_[number];
  advance(bundle);
  const double clock = bundle.clock + bundle.rate * blur.value;
  do {
    const auto& flow = bundle.flows.front();
    end_flow(flow.bytes, bundle.rate, flow.order, flow.event);
    std::pop_heap(bundle.flows.begin(), bundle.flows.end(), Later{});
    bundle.flows.pop_back();
  } while (!bundle.flows.empty() && bundle.flows.front().late - bundle.flows.front().window <= clock);
  count_flows(number);
  solve_soon(usual_duration_);
  if (!bundle.flows.empty())
    look_ahead(number);
  else if (!std::exchange(bundle.is_emptied, true))
    emptied_.push_back(number);
}

// Takes the flows that are done; they are handed out at their instant.
void FluidNetwork::complete() {
  const double now = at_ + blur.value;
  if (lone_) { // which is what completes
    end_flow(lone_->bytes, lone_->rate, lone_->order, lone_->event);
    lone_.reset();
  }
  completions_.take(now, [&](std::size_t place) { take_done(max_min_.active()[place]); });
  next_completion_ = completions_.next();
  due_ = std::min(due_, on_tick({at_}));
}

void FluidNetwork::hand_out(const std::function<void(Event)>& handler) {
  due_.value = never;
  handed_out_.clear();
  handed_out_.swap(done_);
  if (handed_out_.size() > 1)
    std::sort(handed_out_.begin(), handed_out_.end(), [](const Done& a, const Done& b) { return a.order < b.order; });
  for (std::size_t i = 0; i < handed_out_.size(); ++i) {
    if (i + 1 < handed_out_.size())
      expect(handed_out_[i + 1].event, true);
    handler(handed_out_[i].event);
  }
}

void FluidNetwork::solve() {
  ++solves_;
  solved_flows_ = flows_;
  tolerance_now_ = flows_ * images_ > few_flows ? tolerance_ : 0;
  next_solve_ = never;
  for (const auto number : emptied_) {
    bundles_[number].is_emptied = false;
    if (bundles_[number].flows.empty())
      forget(number);
  }
  emptied_.clear();
  const auto treated = max_min_.solve(slack_share * tolerance_now_);
  for (const auto number : treated) {
    auto& bundle = bundles_[number];
    advance(bundle);
    bundle.rate = max_min_.rate(number).value;
    const auto [earliest, latest] = completion_of(bundle);
    completions_.set(max_min_.place(number), earliest, latest);
  }
  next_completion_ = lone_ ? lone_->end() : completions_.next();
}

// Everything that is due at the same time: delays, then transfers, until both have nothing more.
void FluidNetwork::live(Seconds instant, const std::function<void(Event)>& handler) {
  now_ = std::max(now_, instant);
  at_ = std::max(at_, instant.value);
  const auto until = instant + blur;
  for (;;) {
    for (Event event; events_.pop_until(until.value, event);) {
      beat();
      if (const auto* next = events_.near_next())
        expect(*next, true);
      handler(event);
    }
    if (due_ > until)
      return;
    hand_out(handler);
  }
}

void FluidNetwork::run(const std::function<void(Event)>& handler) {
  for (;;) {
    const Seconds event{events_.empty() ? never : events_.next()};
    const Seconds next = std::min(event, due_);
    if (next_solve_ <= next_completion_ && next_solve_ <= next.value && next_solve_ != never) {
      at_ = next_solve_;
      beat(flows_ > few_flows); // of few a solve is quick
      solve();
    } else if (next_completion_ <= next.value + blur.value && next_completion_ != never) {
      at_ = std::min(next_completion_, next.value);
      complete();
    } else if (next.value != never) {
      live(next, handler);
    } else {
      return;
    }
  }
}

std::string fluid_name(double tolerance) {
  return fmt::format("fluid, tolerance {:g} %", 100 * tolerance);
}

std::unique_ptr<Network> make_fluid_network(const std::deque<Channel>& channels, double tolerance, std::uint32_t seed,
                                            Seconds tick, int images) {
  return std::make_unique<FluidNetwork>(channels, tolerance, seed, tick, images);
}

} // namespace kakehashi
