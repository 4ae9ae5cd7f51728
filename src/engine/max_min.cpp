#include "engine/max_min.hpp"

#include <algorithm>
#include <limits>

namespace kakehashi {
namespace {
constexpr double no_cap = std::numeric_limits<double>::infinity();
} // namespace

void MaxMin::know(std::uint32_t channel) {
  while (shares_.size() <= channel) {
    const double capacity = channels_[shares_.size()].capacity.value;
    members_.emplace_back();
    auto& share = shares_.emplace_back();
    share.capacity = share.left = share.level = capacity;
  }
}

std::uint32_t MaxMin::add(std::span<const std::uint32_t> channels, std::optional<BytesPerSecond> cap) {
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
  }
  bundle.cap = cap ? cap->value : no_cap;
  for (std::uint32_t hop = 0; hop < bundle.hops; ++hop) {
    know(channels[hop]);
    auto& members = members_[channels[hop]];
    hops_[bundle.first_hop + hop] = {channels[hop], static_cast<std::uint32_t>(members.size())};
    members.push_back({number, bundle.first_hop + hop});
  }
  return number;
}

void MaxMin::remove(std::uint32_t number) {
  for (const auto& hop : hops_of(bundles_[number])) {
    auto& members = members_[hop.channel];
    members[hop.place] = members.back();
    hops_[members[hop.place].hop].place = hop.place;
    members.pop_back();
  }
  free_.push_back(number);
}

void MaxMin::set_flows(std::uint32_t number, std::uint32_t flows) {
  auto& bundle = bundles_[number];
  const auto more = flows - bundle.flows; // modulo 2^32
  const auto starts = static_cast<std::uint32_t>(flows > 0) - static_cast<std::uint32_t>(bundle.flows > 0);
  for (const auto& hop : hops_of(bundle)) {
    auto& share = shares_[hop.channel];
    share.all += more;
    share.bundles += starts;
    share.newcomers += static_cast<std::int32_t>(more);
  }
  if (flows > 0 && bundle.flows == 0) {
    bundle.place = static_cast<std::uint32_t>(active_.size());
    active_.push_back(number);
  } else if (flows == 0 && bundle.flows > 0) {
    active_[bundle.place] = active_.back();
    bundles_[active_[bundle.place]].place = bundle.place;
    active_.pop_back();
    for (const auto& hop : hops_of(bundle))
      left_channels_.push_back(hop.channel);
  }
  bundle.flows = flows;
  if (!bundle.changed)
    changed_.push_back(number);
  bundle.changed = true;
}

BytesPerSecond MaxMin::estimate(std::uint32_t number) {
  double level = bundles_[number].cap;
  for (const auto& hop : hops_of(bundles_[number])) {
    const auto& share = shares_[hop.channel];
    const double others = std::max(0, share.newcomers - 1);
    level = std::min(level, share.level * share.sharers / (share.sharers + others));
  }
  return {level};
}

void MaxMin::visit_bundle(std::uint32_t number) {
  auto& bundle = bundles_[number];
  if (bundle.visit == solve_ || bundle.flows == 0)
    return;
  bundle.visit = solve_;
  affected_.push_back(number);
}

// Whether it is the first visit.
bool MaxMin::visit_channel(std::uint32_t channel) {
  auto& share = shares_[channel];
  if (share.visit == solve_)
    return false;
  share.visit = solve_;
  share.open = share.all;
  share.left = share.capacity;
  share.level = 0;
  share.sharers = 1;
  share.newcomers = 0;
  reached_.push_back(channel);
  return true;
}

void MaxMin::visit_neighbours(std::uint32_t channel) {
  if (visit_channel(channel) && shares_[channel].bundles > 0)
    for (const auto& member : members_[channel])
      visit_bundle(member.bundle);
}

// What the changes may reach; everything if they are many, which is quicker. And what limits a bundle whatever the
// others do: its cap and the channels that it has for itself.
void MaxMin::collect() {
  constexpr std::size_t many = 8; // one of so many
  const bool all = many * changed_.size() >= active_.size();
  ++solve_;
  affected_.clear();
  reached_.clear();
  if (all)
    affected_ = active_;
  for (const auto channel : left_channels_)
    all ? void(visit_channel(channel)) : visit_neighbours(channel);
  for (const auto number : changed_) {
    bundles_[number].changed = false;
    if (!all)
      visit_bundle(number);
  }
  left_channels_.clear();
  changed_.clear();
  for (std::size_t i = 0; i < affected_.size(); ++i) {
    auto& bundle = bundles_[affected_[i]];
    bundle.fixed = false;
    double own = no_cap;
    for (const auto& hop : hops_of(bundle)) {
      all ? void(visit_channel(hop.channel)) : visit_neighbours(hop.channel);
      if (const auto& share = shares_[hop.channel]; share.bundles == 1)
        own = std::min(own, share.capacity);
    }
    bundle.limit = std::min(bundle.cap, own / bundle.flows);
  }
}

void MaxMin::fix(Bundle& bundle, double rate) {
  bundle.fixed = true;
  bundle.rate = rate;
  const double taken = rate * bundle.flows;
  for (const auto& hop : hops_of(bundle)) {
    shares_[hop.channel].left -= taken;
    shares_[hop.channel].open -= bundle.flows;
  }
}

// Bundles on the channel that have no rate yet get theirs if it is at most the level, or their limit if that is lower.
void MaxMin::fix_members(std::uint32_t channel, double level, bool only_limited) {
  for (const auto& member : members_[channel])
    if (auto& bundle = bundles_[member.bundle];
        !bundle.fixed && bundle.flows > 0 && (bundle.limit <= level || !only_limited))
      fix(bundle, std::min(level, bundle.limit));
}

// The candidate of the lowest level.
MaxMin::Candidate MaxMin::take_candidate() {
  if (risen_.empty() ||
      (next_candidate_ < candidates_.size() && candidates_[next_candidate_].level <= risen_.front().level))
    return candidates_[next_candidate_++];
  std::pop_heap(risen_.begin(), risen_.end(), Higher{});
  const auto lowest = risen_.back();
  risen_.pop_back();
  return lowest;
}

// Fills all channels with several bundles at once until one is full, and the flows on it have their rate. Levels only
// rise; a channel whose level has risen meanwhile waits until that is the lowest.
void MaxMin::fill() {
  candidates_.clear();
  for (const auto channel : reached_)
    if (const auto& share = shares_[channel]; share.bundles > 1)
      candidates_.push_back({share.capacity / share.all, channel});
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return Higher{}(b, a); });
  next_candidate_ = 0;
  while (next_candidate_ < candidates_.size() || !risen_.empty()) {
    const auto [stale, channel] = take_candidate();
    auto& share = shares_[channel];
    fix_members(channel, stale, true);
    if (share.open == 0)
      continue;
    const double level = std::max(stale, share.left / share.open);
    if (level > stale * (1 + slack_)) {
      risen_.push_back({level, channel});
      std::push_heap(risen_.begin(), risen_.end(), Higher{});
      continue;
    }
    share.level = level;
    share.sharers += share.open;
    fix_members(channel, level, false);
  }
  for (const auto number : affected_)
    if (auto& bundle = bundles_[number]; !bundle.fixed)
      fix(bundle, bundle.limit);
}

// What a further flow might get: the level of a full channel, else what is left.
void MaxMin::set_level(Share& share) {
  constexpr double full = 1e-9; // is left at most, of the capacity
  if (share.level > 0)
    return;
  if (share.bundles == 1 && share.left <= full * share.capacity) {
    share.level = share.capacity / share.all;
    share.sharers += share.all;
  } else {
    share.level = std::max(share.left, share.capacity / (share.bundles + 1));
  }
}

std::span<const std::uint32_t> MaxMin::solve() {
  collect();
  fill();
  for (const auto channel : reached_)
    set_level(shares_[channel]);
  return affected_;
}

} // namespace kakehashi
