#include "engine/flow/max_min.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace kakehashi {
namespace {
constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr std::uint32_t class_flag = 1u << 31; // marks a limit that is what flows of a class may have
} // namespace

void MaxMin::know(std::uint32_t channel) {
  while (shares_.size() <= channel) {
    const double capacity = channels_[shares_.size()].capacity.value;
    members_.emplace_back();
    uses_.emplace_back();
    shares_.push_back({capacity, capacity});
  }
}

std::uint32_t MaxMin::class_of(double most) {
  const auto [found, is_new] = class_numbers_.try_emplace(most, static_cast<std::uint32_t>(classes_.size()));
  if (is_new)
    classes_.push_back({most, {}});
  return found->second;
}

std::uint32_t MaxMin::add(std::span<const std::uint32_t> channels, std::optional<BytesPerSecond> cap,
                          BytesPerSecond alone) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(bundles_.size()));
    bundles_.emplace_back();
  }
  const auto number = free_.back();
  free_.pop_back();
  auto& bundle = bundles_[number];
  bundle.hops = static_cast<std::uint32_t>(channels.size());
  if (bundle.room < bundle.hops) {
    bundle.first_hop = static_cast<std::uint32_t>(hops_.size());
    bundle.room = bundle.hops;
    hops_.resize(hops_.size() + bundle.room);
    places_.resize(hops_.size());
  }
  bundle.most = std::min(cap ? cap->value : no_limit, alone.value);
  bundle.most_class = class_of(bundle.most);
  for (std::uint32_t i = 0; i < bundle.hops; ++i) {
    const auto hop = bundle.first_hop + i;
    know(channels[i]);
    auto& members = members_[channels[i]];
    hops_[hop] = channels[i];
    places_[hop] = static_cast<std::uint32_t>(members.size());
    members.push_back({number, hop});
  }
  return number;
}

void MaxMin::remove(std::uint32_t number) {
  const auto& bundle = bundles_[number];
  assert(bundle.flows == 0);
  for (auto hop = bundle.first_hop; hop < bundle.first_hop + bundle.hops; ++hop) {
    auto& members = members_[hops_[hop]];
    const auto place = places_[hop];
    members[place] = members.back();
    places_[members[place].hop] = place;
    members.pop_back();
  }
  free_.push_back(number);
}

void MaxMin::start(std::uint32_t number) {
  auto& bundle = bundles_[number];
  bundle.place = static_cast<std::uint32_t>(active_.size());
  active_.push_back(number);
  for (const auto channel : hops_of(bundle))
    if (auto& use = uses_[channel]; ++use.bundles == 1) {
      use.place = static_cast<std::uint32_t>(used_.size());
      used_.push_back(channel);
    }
}

void MaxMin::stop(std::uint32_t number) {
  auto& bundle = bundles_[number];
  active_[bundle.place] = active_.back();
  bundles_[active_[bundle.place]].place = bundle.place;
  active_.pop_back();
  for (const auto channel : hops_of(bundle)) {
    auto& use = uses_[channel];
    if (--use.bundles > 0) {
      left_channels_.push_back(channel);
      continue;
    }
    used_[use.place] = used_.back();
    uses_[used_[use.place]].place = use.place;
    used_.pop_back();
    shares_[channel].left = shares_[channel].capacity;
  }
}

void MaxMin::note_change(std::uint32_t number) {
  if (!std::exchange(bundles_[number].changed, true))
    changed_.push_back(number);
}

BytesPerSecond MaxMin::add_flow(std::uint32_t number) {
  auto& bundle = bundles_[number];
  if (bundle.flows == 0) {
    start(number);
    bundle.rate = bundle.most;
  }
  note_change(number);
  const double had = bundle.flows > 0 ? bundle.rate * bundle.flows : 0;
  const double per_flow = 1.0 / ++bundle.flows;
  for (const auto channel : hops_of(bundle)) {
    auto& share = shares_[channel];
    ++share.all;
    bundle.rate = std::min(bundle.rate, std::max(share.capacity / share.all, (share.left + had) * per_flow));
  }
  take(bundle, bundle.rate * bundle.flows - had);
  return {bundle.rate};
}

void MaxMin::keep_flows(std::uint32_t number, std::uint32_t flows) {
  auto& bundle = bundles_[number];
  assert(flows <= bundle.flows);
  const auto fewer = bundle.flows - flows;
  for (const auto channel : hops_of(bundle))
    shares_[channel].all -= fewer;
  take(bundle, -bundle.rate * fewer);
  if (flows == 0 && fewer > 0)
    stop(number);
  bundle.flows = flows;
  note_change(number);
}

void MaxMin::take(const Bundle& bundle, double rate) {
  for (const auto channel : hops_of(bundle))
    shares_[channel].left -= rate;
}

void MaxMin::visit_bundle(std::uint32_t number) {
  auto& bundle = bundles_[number];
  if (bundle.visit == solve_ || bundle.flows == 0)
    return;
  bundle.visit = solve_;
  some_bundles_.push_back(number);
}

void MaxMin::visit_channel(std::uint32_t channel) {
  auto& use = uses_[channel];
  if (use.visit == solve_ || use.bundles == 0)
    return;
  use.visit = solve_;
  some_channels_.push_back(channel);
  for (const auto& member : members_[channel])
    visit_bundle(member.bundle);
}

// The bundles that the changes may reach; all if they are many, or if most was reached lately, which is quicker.
void MaxMin::collect() {
  constexpr std::size_t many = 8;           // one of so many
  constexpr std::uint32_t until_again = 16; // solves of everything
  ++solve_;
  treated_bundles_ = active_;
  treated_channels_ = used_;
  if (many * changed_.size() < active_.size() && solve_ >= partial_again_) {
    some_bundles_.clear();
    some_channels_.clear();
    for (const auto channel : left_channels_)
      visit_channel(channel);
    for (const auto number : changed_)
      visit_bundle(number);
    for (std::size_t i = 0; i < some_bundles_.size(); ++i)
      for (const auto channel : hops_of(bundles_[some_bundles_[i]]))
        visit_channel(channel);
    treated_bundles_ = some_bundles_;
    treated_channels_ = some_channels_;
    if (2 * some_bundles_.size() > active_.size())
      partial_again_ = solve_ + until_again;
  }
  for (const auto number : changed_)
    bundles_[number].changed = false;
  left_channels_.clear();
  changed_.clear();
}

// A channel that one flow has for itself limits it no more than what that flow may have.
void MaxMin::open() {
  for (const auto channel : treated_channels_) {
    auto& share = shares_[channel];
    share.open = share.all;
    share.left = share.capacity;
    if (share.all > 1)
      limits_.push(share.capacity / share.all, channel);
  }
  for (auto& of_class : classes_)
    of_class.bundles.clear();
  for (const auto number : treated_bundles_) {
    auto& bundle = bundles_[number];
    bundle.open = true;
    classes_[bundle.most_class].bundles.push_back(number);
  }
  for (std::uint32_t number = 0; number < classes_.size(); ++number)
    if (!classes_[number].bundles.empty())
      limits_.push(classes_[number].most, number | class_flag);
  open_ = treated_bundles_.size();
}

void MaxMin::fix(Bundle& bundle, double rate) {
  bundle.open = false;
  bundle.rate = rate;
  --open_;
  const double taken = rate * bundle.flows;
  for (const auto channel : hops_of(bundle)) {
    shares_[channel].left -= taken;
    shares_[channel].open -= bundle.flows;
  }
}

// Fills all channels at once until one is full, and the flows on it have their rate, or until flows have what they may
// have. Levels only rise; a channel whose level has risen meanwhile waits until that is the lowest.
void MaxMin::fill(double slack) {
  while (open_ > 0) {
    const auto [stale, id] = limits_.pop();
    if (id & class_flag) {
      for (const auto number : classes_[id & ~class_flag].bundles)
        if (auto& bundle = bundles_[number]; bundle.open)
          fix(bundle, stale);
      continue;
    }
    auto& share = shares_[id];
    if (share.open == 0)
      continue;
    const double level = std::max(stale, share.left / share.open);
    if (level > stale * (1 + slack) && !limits_.empty() && level > limits_.least() * (1 + slack)) {
      limits_.push(level, id);
      continue;
    }
    std::size_t found = 0; // without branches, which nobody could predict
    found_.resize(std::max(found_.size(), members_[id].size()));
    for (const auto& member : members_[id]) {
      found_[found] = member.bundle;
      found += bundles_[member.bundle].open;
    }
    for (std::size_t i = 0; i < found; ++i)
      if (auto& bundle = bundles_[found_[i]]; bundle.open) // it may have the channel twice
        fix(bundle, std::min(level, bundle.most));
  }
  limits_.clear();
}

// A bundle that shares no channel with another, as in a ping-pong.
void MaxMin::fill_alone(Bundle& bundle) {
  bundle.rate = bundle.most;
  for (const auto channel : hops_of(bundle))
    bundle.rate = std::min(bundle.rate, shares_[channel].capacity / shares_[channel].all);
  for (const auto channel : treated_channels_)
    shares_[channel].left = shares_[channel].capacity - bundle.rate * shares_[channel].all;
}

std::span<const std::uint32_t> MaxMin::solve(double slack) {
  collect();
  if (treated_bundles_.size() == 1) {
    fill_alone(bundles_[treated_bundles_.front()]);
  } else {
    open();
    fill(slack);
  }
  return treated_bundles_;
}

} // namespace kakehashi
