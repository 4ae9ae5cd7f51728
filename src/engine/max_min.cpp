#include "engine/max_min.hpp"

#include <algorithm>
#include <limits>

namespace kakehashi {
namespace {
constexpr double no_cap = std::numeric_limits<double>::infinity();
}

void MaxMin::know(std::uint32_t channel) {
  while (capacity_.size() <= channel) {
    const double capacity = channels_[capacity_.size()].capacity.value;
    capacity_.push_back(capacity);
    members_.emplace_back();
    shares_.emplace_back().level = capacity;
  }
}

std::size_t MaxMin::class_of(double cap) {
  const auto at = std::lower_bound(classes_by_cap_.begin(), classes_by_cap_.end(), cap,
                                   [&](std::size_t each, double value) { return classes_[each].cap < value; });
  if (at != classes_by_cap_.end() && classes_[*at].cap == cap)
    return *at;
  classes_.push_back({cap, {}});
  classes_by_cap_.insert(at, classes_.size() - 1);
  return classes_.size() - 1;
}

std::uint32_t MaxMin::add(std::span<const std::uint32_t> channels, std::optional<BytesPerSecond> cap) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(bundles_.size()));
    bundles_.emplace_back();
  }
  const auto number = free_.back();
  free_.pop_back();
  auto& bundle = bundles_[number];
  bundle.channels.assign(channels.begin(), channels.end());
  bundle.places.clear();
  bundle.cap = cap ? cap->value : no_cap;
  bundle.cap_class = cap ? class_of(cap->value) : 0;
  bundle.flows = 0;
  for (std::uint32_t hop = 0; hop < channels.size(); ++hop) {
    know(channels[hop]);
    bundle.places.push_back(static_cast<std::uint32_t>(members_[channels[hop]].size()));
    members_[channels[hop]].push_back({number, hop});
  }
  return number;
}

void MaxMin::remove(std::uint32_t number) {
  auto& bundle = bundles_[number];
  for (std::size_t hop = 0; hop < bundle.channels.size(); ++hop) {
    auto& members = members_[bundle.channels[hop]];
    const auto place = bundle.places[hop];
    members[place] = members.back();
    bundles_[members[place].bundle].places[members[place].hop] = place;
    members.pop_back();
    left_channels_.push_back(bundle.channels[hop]);
  }
  free_.push_back(number);
}

void MaxMin::set_flows(std::uint32_t number, std::uint32_t flows) {
  auto& bundle = bundles_[number];
  for (const auto channel : bundle.channels)
    shares_[channel].newcomers += static_cast<std::int32_t>(flows - bundle.flows);
  bundle.flows = flows;
  if (!bundle.changed)
    changed_.push_back(number);
  bundle.changed = true;
}

BytesPerSecond MaxMin::estimate(std::uint32_t number) {
  double level = bundles_[number].cap;
  for (const auto channel : bundles_[number].channels) {
    const auto& share = shares_[channel];
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
  bundle.fixed = false;
  affected_.push_back(number);
  if (bundle.cap != no_cap)
    classes_[bundle.cap_class].bundles.push_back(number);
}

void MaxMin::visit_channel(std::uint32_t channel) {
  auto& share = shares_[channel];
  if (share.visit == solve_)
    return;
  share.visit = solve_;
  share.left = capacity_[channel];
  share.flows = 0;
  share.sharers = 1;
  share.newcomers = 0;
  reached_.push_back(channel);
  for (const auto& member : members_[channel])
    visit_bundle(member.bundle);
}

// What the changes may reach.
void MaxMin::collect() {
  ++solve_;
  affected_.clear();
  reached_.clear();
  for (auto& each : classes_)
    each.bundles.clear();
  for (const auto number : changed_) {
    bundles_[number].changed = false;
    if (bundles_[number].flows > 0)
      visit_bundle(number);
    else
      for (const auto channel : bundles_[number].channels)
        visit_channel(channel);
  }
  for (const auto channel : left_channels_)
    visit_channel(channel);
  changed_.clear();
  left_channels_.clear();
  for (std::size_t i = 0; i < affected_.size(); ++i)
    for (const auto channel : bundles_[affected_[i]].channels) {
      visit_channel(channel);
      shares_[channel].flows += bundles_[affected_[i]].flows;
    }
}

void MaxMin::fix(Bundle& bundle, double rate) {
  bundle.fixed = true;
  bundle.rate = rate;
  const double taken = rate * bundle.flows;
  for (const auto channel : bundle.channels) {
    shares_[channel].left -= taken;
    shares_[channel].flows -= bundle.flows;
  }
}

// Bundles whose caps lie below the level get their caps.
void MaxMin::fix_capped(double level) {
  for (; next_class_ < classes_by_cap_.size(); ++next_class_) {
    const auto& each = classes_[classes_by_cap_[next_class_]];
    if (each.cap > level)
      return;
    for (const auto number : each.bundles)
      if (!bundles_[number].fixed)
        fix(bundles_[number], each.cap);
  }
}

// Fills all channels at once until one is full; the flows on it have their rate. Levels only rise, so a candidate whose
// level has risen meanwhile goes back into the heap.
void MaxMin::fill() {
  const auto is_higher = [](const Candidate& a, const Candidate& b) {
    return a.level > b.level || (a.level == b.level && a.channel > b.channel);
  };
  candidates_.clear();
  for (const auto channel : reached_) {
    auto& share = shares_[channel];
    share.level = 0;
    if (share.flows > 0)
      candidates_.push_back({share.left / share.flows, channel});
  }
  std::make_heap(candidates_.begin(), candidates_.end(), is_higher);
  next_class_ = 0;
  while (!candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end(), is_higher);
    auto& candidate = candidates_.back();
    auto& share = shares_[candidate.channel];
    fix_capped(candidate.level);
    if (share.flows == 0) {
      candidates_.pop_back();
      continue;
    }
    const double level = std::max(candidate.level, share.left / share.flows);
    if (level > candidate.level * (1 + slack_)) {
      candidate.level = level;
      std::push_heap(candidates_.begin(), candidates_.end(), is_higher);
      continue;
    }
    share.level = level;
    share.sharers += share.flows;
    for (const auto& member : members_[candidate.channel])
      if (auto& bundle = bundles_[member.bundle]; !bundle.fixed && bundle.flows > 0)
        fix(bundle, std::min(level, bundle.cap));
    candidates_.pop_back();
  }
  fix_capped(no_cap);
}

std::span<const std::uint32_t> MaxMin::solve() {
  collect();
  fill();
  for (const auto channel : reached_) // those that are not full have this left
    if (shares_[channel].level == 0)
      shares_[channel].level =
          std::max(shares_[channel].left, capacity_[channel] / static_cast<double>(members_[channel].size() + 1));
  return affected_;
}

} // namespace kakehashi
