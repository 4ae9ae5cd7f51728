#include "topology/capacity.hpp"

#include <algorithm>

namespace kakehashi {

BytesPerSecond core_rate_of(const Platform& platform, const Device& device) {
  constexpr double factor = 1.33; // mean of 13 tests between all cores of four machines
  if (device.memory && device.memory->cache_rate)
    return *device.memory->cache_rate;
  for (const auto& fabric : platform.fabrics)
    for (const auto& rule : fabric.rules) {
      if (!rule.moved_by_cores || rule.scope.value_or(Scope::inside_device) != Scope::inside_device || rule.between ||
          rule.crosses || rule.from || rule.to)
        continue;
      BytesPerSecond best;
      for (Bytes size{128 << 10}; size.count <= 4 << 20; size.count *= 2) {
        const auto regime = std::ranges::find_if(rule.regimes, [&](const Regime& each) { return each.covers(size); });
        auto time = of_kind(regime->send_overhead, device.kind) + of_kind(regime->receive_overhead, device.kind) +
                    regime->setup + size * of_kind(regime->send_per_byte, device.kind) +
                    size * of_kind(regime->receive_per_byte, device.kind);
        if (regime->cap)
          time += size / *regime->cap;
        best = std::max(best, size / time);
      }
      return factor * best;
    }
  return usual_cache_rate;
}

} // namespace kakehashi
