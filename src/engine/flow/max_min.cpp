#include "engine/flow/max_min.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace kakehashi {
namespace {
constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr double above = 1 + 1e-9;             // what is surely more than another number
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
  const double most = std::min(cap ? cap->value : no_limit, alone.value);
  if (std::exchange(bundle.most, most) != most) // else it has the class of the bundle before it
    bundle.most_class = class_of(most);
  for (std::uint32_t i = 0; i < bundle.hops; ++i) {
    const auto hop = bundle.first_hop + i;
    if (channels[i] >= uses_.size())
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
  limit(bundle, none);
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

void MaxMin::open(std::span<const std::uint32_t> numbers) {
  for (auto& of_class : classes_)
    of_class.bundles.clear();
  for (const auto number : numbers) {
    auto& bundle = bundles_[number];
    bundle.open = true;
    classes_[bundle.most_class].bundles.push_back(number);
  }
  for (std::uint32_t number = 0; number < classes_.size(); ++number)
    if (!classes_[number].bundles.empty())
      limits_.push(classes_[number].most, number | class_flag);
  open_ = numbers.size();
}

// A channel that one flow has for itself limits it no more than what that flow may have.
void MaxMin::open_all() {
  for (const auto channel : used_) {
    auto& share = shares_[channel];
    share.open = share.all;
    share.left = share.capacity;
    if (share.all > 1)
      limits_.push(share.capacity / share.all, channel);
  }
  open(active_);
}

// What each open flow may have of the rest that others leave. Where that is nothing, levels begin next to it, and the
// others will join.
double MaxMin::level_of(const Share& share) {
  return std::max(share.left / share.open, share.capacity * 1e-12);
}

void MaxMin::fill_some() {
  for (const auto number : some_bundles_) {
    const auto& bundle = bundles_[number];
    for (const auto channel : hops_of(bundle)) {
      shares_[channel].left += bundle.rate * bundle.flows;
      shares_[channel].open += bundle.flows;
    }
  }
  if (some_bundles_.size() > 1) {
    for (const auto channel : some_channels_)
      if (const auto& share = shares_[channel]; share.open > 0 && share.all > 1)
        limits_.push(level_of(share), channel);
    open(some_bundles_);
    fill(0);
  } else if (!some_bundles_.empty()) {
    fix_one(bundles_[some_bundles_.front()]);
  }
}

// Does as fill() where there is but one bundle, as after most changes.
void MaxMin::fix_one(Bundle& bundle) {
  double rate = bundle.most;
  auto by = none;
  for (const auto channel : some_channels_)
    if (const auto& share = shares_[channel]; share.open > 0 && share.all > 1)
      if (const double level = level_of(share); level < rate) {
        rate = level;
        by = channel;
      }
  open_ = 1;
  fix(bundle, rate, by);
}

void MaxMin::limit(Bundle& bundle, std::uint32_t by) {
  if (bundle.limit != none)
    --uses_[bundle.limit].limited;
  bundle.limit = by;
  if (by != none)
    ++uses_[by].limited;
}

void MaxMin::fix(Bundle& bundle, double rate, std::uint32_t by) {
  bundle.open = false;
  bundle.rate = rate;
  limit(bundle, by);
  --open_;
  const double taken = rate * bundle.flows;
  for (const auto channel : hops_of(bundle)) {
    shares_[channel].left -= taken;
    shares_[channel].open -= bundle.flows;
  }
}

// Fills channels at once until one is full, and the flows on it have their rate, or until flows have what they may
// have. Levels only rise; a channel whose level has risen meanwhile waits until that is the lowest.
void MaxMin::fill(double slack) {
  while (open_ > 0) {
    const auto [stale, id] = limits_.pop();
    if (id & class_flag) {
      for (const auto number : classes_[id & ~class_flag].bundles)
        if (auto& bundle = bundles_[number]; bundle.open)
          fix(bundle, stale, none);
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
        fix(bundle, std::min(level, bundle.most), level < bundle.most ? id : none);
  }
  limits_.clear();
}

void MaxMin::join(std::uint32_t number) {
  auto& bundle = bundles_[number];
  if (bundle.flows == 0 || std::exchange(bundle.visit, solve_) == solve_)
    return;
  some_bundles_.push_back(number);
  for (const auto channel : hops_of(bundle))
    visit(channel);
}

void MaxMin::visit(std::uint32_t channel) {
  auto& use = uses_[channel];
  if (use.bundles > 0 && std::exchange(use.visit, solve_) != solve_)
    some_channels_.push_back(channel);
}

void MaxMin::let_others_join(std::uint32_t channel) {
  if (uses_[channel].limited == 0)
    return;
  double level = no_limit; // of those that are treated and that it limits
  double highest = 0;      // of all that are treated
  for (const auto& member : members_[channel])
    if (const auto& bundle = bundles_[member.bundle]; bundle.visit == solve_) {
      highest = std::max(highest, bundle.rate);
      if (bundle.limit == channel)
        level = std::min(level, bundle.rate);
    }
  const auto& share = shares_[channel];
  const bool has_more = share.left > (above - 1) * share.capacity;
  for (const auto& member : members_[channel]) {
    const auto& bundle = bundles_[member.bundle];
    const bool may_have_more = bundle.limit == channel && (has_more || highest > bundle.rate * above);
    if (may_have_more || bundle.rate > level * above)
      join(member.bundle);
  }
}

// False if a solve of all would have been quicker.
bool MaxMin::solve_some() {
  ++solve_;
  some_bundles_.clear();
  some_channels_.clear();
  for (const auto number : changed_)
    join(number);
  for (const auto channel : left_channels_)
    visit(channel);
  for (std::size_t work = 0;;) {
    const auto treated = some_bundles_.size();
    work += treated;
    if (work > active_.size())
      return false;
    fill_some();
    const auto channels = some_channels_.size();
    for (std::size_t i = 0; i < channels; ++i)
      let_others_join(some_channels_[i]);
    if (some_bundles_.size() == treated)
      return true;
  }
}

std::span<const std::uint32_t> MaxMin::solve(double slack) {
  const bool is_near = slack == 0 && is_exact_ && solve_some();
  if (!is_near) {
    open_all();
    fill(slack);
  }
  is_exact_ = slack == 0;
  for (const auto number : changed_)
    bundles_[number].changed = false;
  left_channels_.clear();
  changed_.clear();
  return is_near ? some_bundles_ : active_;
}

} // namespace kakehashi
