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
  MessageCost cost{&regime,
                   regime.protocol(),
                   regime.trips,
                   path.route.latency,
                   of_kind(regime.send_overhead, sender_kind),
                   regime.setup,
                   one_sided ? Seconds{} : of_kind(regime.receive_overhead, path.to_kind),
                   regime.gap,
                   regime.cap,
                   !path.rule->moved_by_cores && size.count > 0};
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
  cost.sender_core += copy_factor * (size * of_kind(regime.send_per_byte, sender_kind));
  if (!one_sided)
    cost.receiver_core += copy_factor * (size * of_kind(regime.receive_per_byte, path.to_kind));
  return cost;
}

std::optional<BytesPerSecond> lone_rate(const Path& path, const MessageCost& cost, std::size_t segment,
                                        const std::deque<Channel>& channels) {
  auto rate = cost.cap;
  if (const auto narrowest = bottleneck(path.route.segment(segment), channels))
    if (!rate || channels[*narrowest].capacity < *rate)
      rate = channels[*narrowest].capacity;
  return rate;
}

Seconds lone_time(const Path& path, Bytes size, const std::deque<Channel>& channels) {
  const auto cost = cost_of(path, size);
  auto time = cost.sender_core + cost.before_payload() + cost.receiver_core;
  for (std::size_t segment = 0; cost.flows && segment < path.route.segments(); ++segment)
    if (const auto rate = lone_rate(path, cost, segment, channels))
      time += size / *rate;
  return time;
}

} // namespace kakehashi
