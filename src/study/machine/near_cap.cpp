#include "study/machine/inventory.hpp"

#include "base/text.hpp"
#include "transport/path.hpp"

#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

constexpr double near = 0.9; // share of a link's rate

std::string warning_of(const Path& path, std::size_t regime, BytesPerSecond cap, BytesPerSecond capacity,
                       const std::string& name) {
  return fmt::format("/fabrics/{}/rules/{}/regimes/{}/cap: {} MB/s is {:.1f} % below the {} MB/s of {}, so a faster "
                     "link would gain little; if the link sets this limit, state it there",
                     path.terms.fabric->name, path.terms.rule - path.terms.fabric->rules.data(), regime,
                     four_digits(cap.value / 1e6), 100 * (1 - cap / capacity), four_digits(capacity.value / 1e6), name);
}

} // namespace

std::vector<std::string> near_caps(const Platform& platform) {
  std::size_t left_out = 0;
  const auto devices = listed_devices(platform, left_out);
  Topology topology(platform);
  std::vector<std::string> warnings;
  std::set<const Regime*> seen;
  for (const auto& fabric : platform.fabrics)
    for (const auto from : devices)
      for (const auto to : devices) {
        const auto path =
            fabric.rules.empty() ? Result<Path>(Errors()) : make_path(platform, topology, fabric, from, to);
        const auto narrowest = path ? bottleneck(path->route.leg(0), topology.channels()) : std::nullopt;
        for (std::size_t i = 0; narrowest && i < path->terms.rule->regimes.size(); ++i) {
          const auto& regime = path->terms.rule->regimes[i];
          const auto capacity = topology.channels()[*narrowest].capacity;
          if (regime.cap && *regime.cap <= capacity && *regime.cap >= near * capacity && seen.insert(&regime).second)
            warnings.push_back(warning_of(*path, i, *regime.cap, capacity, topology.channel_text(*narrowest)));
        }
      }
  return warnings;
}

} // namespace kakehashi
