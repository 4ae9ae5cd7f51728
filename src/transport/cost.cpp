#include "transport/cost.hpp"

#include <cassert>
#include <cmath>

namespace kakehashi {

const Regime& regime_for(const Path& path, Bytes size) {
  const auto& regimes = path.rule->regimes;
  assert(!regimes.empty());
  std::size_t index = 0;
  while (index + 1 < regimes.size() && !regimes[index].covers(size))
    ++index;
  return regimes[index];
}

MessageCost cost_of(const Path& path, Bytes size) {
  const Regime& regime = regime_for(path, size);
  const bool one_sided = path.fabric->one_sided;
  const auto sender_kind = one_sided ? path.initiator_kind() : path.from_kind;
  const auto per_byte = of_kind(regime.send_per_byte, sender_kind) +
                        (one_sided ? SecondsPerByte{} : of_kind(regime.receive_per_byte, path.to_kind));
  const bool by_cores = path.rule->moved_by_cores && per_byte.value > 0;
  MessageCost cost{&regime,
                   regime.protocol(),
                   regime.trips,
                   path.route.latency,
                   of_kind(regime.send_overhead, sender_kind),
                   regime.setup,
                   one_sided ? Seconds{} : of_kind(regime.receive_overhead, path.to_kind),
                   regime.gap,
                   regime.cap,
                   !by_cores && size.count > 0,
                   {},
                   {}};
  if ((path.route.links.empty() || path.rule->moved_by_cores) && per_byte.value == 0 && !cost.cap)
    cost.cap = BytesPerSecond{1 / of_kind(usual_copy, path.from_kind).value}; // nothing moves at once
  if (regime.alignment && size.count % regime.alignment->multiple.count != 0)
    cost.setup += regime.alignment->penalty;
  double copy_factor = 1;
  for (std::size_t i = 0; i < path.crossings.size(); ++i) {
    const Adjustment& adjustment = path.fabric->adjustments[i];
    if (path.crossings[i] == 0 || (adjustment.protocol && *adjustment.protocol != cost.protocol))
      continue;
    const double times = path.crossings[i];
    cost.trip += times * adjustment.latency;
    copy_factor *= std::pow(adjustment.copy_factor, times);
    cost.sender_core += times * cost.trips * adjustment.overhead;
    if (!one_sided)
      cost.receiver_core += times * cost.trips * adjustment.overhead;
    cost.gap += times * adjustment.gap;
  }
  const auto sender_bytes = copy_factor * (size * of_kind(regime.send_per_byte, sender_kind));
  const auto receiver_bytes =
      one_sided ? Seconds{} : copy_factor * (size * of_kind(regime.receive_per_byte, path.to_kind));
  cost.sender_core += sender_bytes;
  cost.receiver_core += receiver_bytes;
  if (by_cores) {
    cost.sender_copy = sender_bytes;
    cost.receiver_copy = receiver_bytes;
  }
  return cost;
}

Bytes stripe_of(const Path& path, Bytes size) {
  const auto stripes = static_cast<std::uint64_t>(path.stripes);
  return {(size.count + stripes - 1) / stripes};
}

std::optional<BytesPerSecond> lone_rate(const Path& path, const MessageCost& cost, std::size_t leg,
                                        const std::deque<Channel>& channels) {
  auto rate = cost.cap;
  if (const auto narrowest = bottleneck(path.route.leg(leg), channels))
    if (const auto share = share_of(path.route.leg(leg), *narrowest, channels); !rate || share < *rate)
      rate = share;
  return rate;
}

Seconds lone_time(const Path& path, Bytes size, const std::deque<Channel>& channels) {
  const auto cost = cost_of(path, size);
  auto time = cost.sender_core + cost.before_payload() + cost.receiver_core;
  for (std::size_t leg = 0; cost.flows && leg < path.route.legs(); ++leg)
    if (const auto rate = lone_rate(path, cost, leg, channels))
      time += stripe_of(path, size) / *rate;
  return time;
}

} // namespace kakehashi
