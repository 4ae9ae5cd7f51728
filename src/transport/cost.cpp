#include "transport/cost.hpp"

#include <cassert>
#include <cmath>

namespace kakehashi {
namespace {

// Returns the regime of the path's rule that covers the size.
const Regime& regime_for(const PathTerms& terms, Bytes size) {
  const auto& regimes = terms.rule->regimes;
  assert(!regimes.empty());
  std::size_t index = 0;
  while (index + 1 < regimes.size() && !regimes[index].covers(size))
    ++index;
  return regimes[index];
}

} // namespace

MessageCost cost_of(const PathTerms& terms, Bytes size) {
  const Regime& regime = regime_for(terms, size);
  const bool one_sided = terms.fabric->one_sided;
  const auto sender_kind = one_sided ? terms.initiator_kind() : terms.from_kind;
  const auto per_byte = of_kind(regime.send_per_byte, sender_kind) +
                        (one_sided ? SecondsPerByte{} : of_kind(regime.receive_per_byte, terms.to_kind));
  const bool by_cores = terms.rule->moved_by_cores && per_byte.value > 0;
  MessageCost cost{&regime,
                   regime.protocol(),
                   regime.trips,
                   terms.latency,
                   of_kind(regime.send_overhead, sender_kind),
                   regime.setup,
                   one_sided ? Seconds{} : of_kind(regime.receive_overhead, terms.to_kind),
                   regime.gap,
                   regime.cap,
                   !by_cores && size.count > 0,
                   {},
                   {}};
  if ((!terms.has_links || terms.rule->moved_by_cores) && per_byte.value == 0 && !cost.cap)
    // A copy needs time even if no parameter states it.
    cost.cap = BytesPerSecond{1 / of_kind(usual_copy, terms.from_kind).value};
  if (regime.alignment && size.count % regime.alignment->multiple.count != 0)
    cost.setup += regime.alignment->penalty;
  if (cost.protocol == Protocol::eager && terms.fabric->fetch && size >= terms.fabric->fetch->from)
    cost.setup += terms.fetch;
  double copy_factor = 1;
  for (std::size_t i = 0; i < terms.crossings.size(); ++i) {
    const Adjustment& adjustment = terms.fabric->adjustments[i];
    if (terms.crossings[i] == 0 || (adjustment.protocol && *adjustment.protocol != cost.protocol))
      continue;
    const double times = terms.crossings[i];
    cost.trip += times * adjustment.latency;
    copy_factor *= std::pow(adjustment.copy_factor, times);
    cost.sender_core += times * cost.trips * adjustment.overhead;
    if (!one_sided)
      cost.receiver_core += times * cost.trips * adjustment.overhead;
    cost.gap += times * adjustment.gap;
  }
  const auto sender_bytes = copy_factor * (size * of_kind(regime.send_per_byte, sender_kind));
  const auto receiver_bytes =
      one_sided ? Seconds{} : copy_factor * (size * of_kind(regime.receive_per_byte, terms.to_kind));
  cost.sender_core += sender_bytes;
  cost.receiver_core += receiver_bytes;
  if (by_cores) {
    cost.sender_copy = sender_bytes;
    cost.receiver_copy = receiver_bytes;
  }
  return cost;
}

Bytes stripe_of(const PathTerms& terms, Bytes size) {
  const auto stripes = static_cast<std::uint64_t>(terms.stripes);
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
  const auto cost = cost_of(path.terms, size);
  auto time = cost.sender_core + cost.before_payload() + cost.receiver_core;
  for (std::size_t leg = 0; cost.flows && leg < path.route.legs(); ++leg)
    if (const auto rate = lone_rate(path, cost, leg, channels))
      time += stripe_of(path.terms, size) / *rate;
  return time;
}

} // namespace kakehashi
