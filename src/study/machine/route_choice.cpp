#include "study/machine/machine_views.hpp"

#include "base/text.hpp"
#include "transport/path.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

// The first devices of the last node follow the listed ones, since equally good ways often join distant devices.
std::vector<std::size_t> examined_devices(const Platform& platform) {
  std::size_t left_out = 0;
  auto devices = listed_devices(platform, left_out);
  for (std::size_t i = 0; i < platform.devices.size() && left_out > 0; ++i)
    if (const auto& device = platform.devices[i]; device.node && *device.node + 1 == platform.nodes.size() &&
                                                  can_run_ranks(device.kind) && std::ranges::count(devices, i) == 0)
      devices.push_back(i);
  devices.resize(std::min(devices.size(), 2 * most_listed));
  return devices;
}

bool are_alike(const std::vector<WayFigures>& a, const std::vector<WayFigures>& b) {
  return std::ranges::equal(a, b, [](const WayFigures& one, const WayFigures& other) {
    return one.links == other.links && one.equals == other.equals;
  });
}

} // namespace

std::string links_text(const Platform& platform, std::span<const std::size_t> links) {
  std::string text;
  for (const auto link : links)
    text += (text.empty() ? "" : " ") + std::string(name_of(platform.links[link].type));
  return text;
}

std::vector<WayFigures> ways_between(const Platform& platform, Topology& topology, const Fabric& fabric,
                                     std::size_t from, std::size_t to, Side initiator) {
  std::vector<WayFigures> ways;
  for (const auto& each : topology.choices(fabric, from, to, initiator))
    ways.push_back({links_text(platform, each.links), each.latency, each.rate, each.equals, fabric.spread,
                    fabric.route_size, each.time, platform.rate_unit});
  return ways;
}

std::vector<RouteChoices> route_choices(const Platform& platform) {
  const auto devices = examined_devices(platform);
  Topology topology(platform);
  std::vector<RouteChoices> found;
  for (const auto& fabric : platform.fabrics)
    for (const auto from : devices)
      for (const auto to : devices) {
        if (fabric.links.empty())
          continue;
        auto ways = ways_between(platform, topology, fabric, from, to, Side::sender);
        if (ways.empty() || (ways.size() == 1 && ways.front().equals == 1))
          continue;
        const auto known = std::ranges::find_if(
            found, [&](const RouteChoices& each) { return each.fabric == fabric.name && are_alike(each.ways, ways); });
        if (known != found.end())
          ++known->more_pairs;
        else
          found.push_back({fabric.name, platform.devices[from].name, platform.devices[to].name, 0, std::move(ways)});
      }
  return found;
}

namespace {

constexpr double near = 0.9; // share of a link's rate

std::string warning_of(const Path& path, std::size_t regime, BytesPerSecond cap, BytesPerSecond capacity,
                       const std::string& name, RateUnit unit) {
  return fmt::format("/fabrics/{}/rules/{}/regimes/{}/cap: {} {} is {:.1f} % below the {} {} of {}, so a faster "
                     "link would gain little; if the link sets this limit, state it there",
                     path.terms.fabric->name, path.terms.rule - path.terms.fabric->rules.data(), regime,
                     four_digits(unit.of(cap)), unit.name(), 100 * (1 - cap / capacity), four_digits(unit.of(capacity)),
                     unit.name(), name);
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
            warnings.push_back(
                warning_of(*path, i, *regime.cap, capacity, topology.channel_text(*narrowest), platform.rate_unit));
        }
      }
  return warnings;
}

} // namespace kakehashi
