#include "transport/cost.hpp"

#include <cmath>

namespace kakehashi {

const Regime& regime_for(const Path& path, Bytes size) {
  const auto& regimes = path.rule->regimes;
  std::size_t index = 0;
  while (index + 1 < regimes.size() && !regimes[index].covers(size))
    ++index;
  return regimes[index];
}

MessageCost cost_of(const Path& path, Bytes size) {
  const Regime& regime = regime_for(path, size);
  MessageCost cost{&regime,
                   regime.protocol(),
                   regime.trips,
                   path.route.latency,
                   of_kind(regime.send_overhead, path.from_kind),
                   regime.setup,
                   of_kind(regime.receive_overhead, path.to_kind),
                   regime.gap,
                   regime.cap,
                   !path.fabric->moved_by_cores && size.count > 0};
  double copy_factor = 1;
  for (std::size_t i = 0; i < path.crossings.size(); ++i) {
    const Adjustment& adjustment = path.fabric->adjustments[i];
    if (path.crossings[i] == 0 || (adjustment.protocol && *adjustment.protocol != cost.protocol))
      continue;
    const double times = path.crossings[i];
    cost.trip += times * adjustment.latency;
    copy_factor *= std::pow(adjustment.copy_factor, times);
    cost.sender_core += times * cost.trips * adjustment.overhead;
    cost.receiver_core += times * cost.trips * adjustment.overhead;
    cost.gap += times * adjustment.gap;
  }
  cost.sender_core += copy_factor * (size * of_kind(regime.send_per_byte, path.from_kind));
  cost.receiver_core += copy_factor * (size * of_kind(regime.receive_per_byte, path.to_kind));
  return cost;
}

std::optional<BytesPerSecond> lone_rate(const Path& path, const MessageCost& cost, std::span<const Channel> channels) {
  auto rate = cost.cap;
  if (const auto narrowest = bottleneck(path.route, channels))
    if (!rate || channels[*narrowest].capacity < *rate)
      rate = channels[*narrowest].capacity;
  return rate;
}

Seconds lone_time(const Path& path, Bytes size, std::span<const Channel> channels) {
  const auto cost = cost_of(path, size);
  const auto rate = lone_rate(path, cost, channels);
  const Seconds payload = cost.flows && rate ? size / *rate : Seconds{};
  return cost.sender_core + cost.before_payload() + payload + cost.receiver_core;
}

} // namespace kakehashi
