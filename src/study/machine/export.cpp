#include "study/machine/machine_views.hpp"

#include "topology/capacity.hpp"
#include "transport/path.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_hosts = 1000;

// Returns the latency that crossing a link of this type adds to each trip of any protocol.
Seconds added_latency(const Fabric& fabric, LinkType type) {
  Seconds added;
  for (const auto& adjustment : fabric.adjustments)
    if (adjustment.crosses == type && !adjustment.protocol)
      added += adjustment.latency;
  return added;
}

// Copies by both cores one after the other become a link that no messages share.
ExportedLink copies(const Path& path, const std::string& name) {
  const auto& regime = path.terms.rule->regimes.back();
  double factor = 1;
  for (std::size_t i = 0; i < path.terms.crossings.size(); ++i)
    for (int crossing = 0; crossing < path.terms.crossings[i]; ++crossing)
      factor *= path.terms.fabric->adjustments[i].copy_factor;
  const auto cost =
      of_kind(regime.send_per_byte, path.terms.from_kind) + of_kind(regime.receive_per_byte, path.terms.to_kind);
  const BytesPerSecond rate{cost.value > 0 ? 1 / (factor * cost.value) : 1e12};
  return {name, rate, rate, path.route.latency, false};
}

std::vector<ExportedHop> hops_of(const Path& path, const Platform& platform) {
  std::vector<ExportedHop> hops;
  for (const auto channel : path.route.channels)
    if (channel < 2 * platform.links.size())
      hops.push_back({channel / 2, channel % 2 == 0});
  return hops;
}

ExportedRoute turned_round(const ExportedRoute& route) {
  ExportedRoute back{route.to, route.from, {route.hops.rbegin(), route.hops.rend()}};
  for (auto& hop : back.hops)
    hop.is_forward = !hop.is_forward;
  return back;
}

// The other simulator has one protocol; it gets that of the widest scope that the fabric carries.
void add_protocol(const Platform& platform, const std::vector<Path>& paths, ExportedNetwork& network) {
  const auto widest =
      std::max_element(paths.begin(), paths.end(), [](const Path& a, const Path& b) { return a.scope < b.scope; });
  network.regimes = widest->terms.rule->regimes;
  network.latency = widest->route.latency;
  for (const auto link : widest->route.links)
    network.latency += added_latency(*widest->terms.fabric, platform.links[link].type);
}

} // namespace

Result<ExportedNetwork> export_network(const Platform& platform, const Fabric& fabric) {
  const auto fault = [&](std::string message) {
    return input_error(platform.file, "/fabrics/" + fabric.name, std::move(message));
  };
  if (!fabric.stages.empty())
    return fault("a fabric of stages has no routes of its own; expected one with links and rules");
  ExportedNetwork network{platform.name, fabric.name, {}, {}, {}, {}, {}};
  std::vector<std::size_t> devices;
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (can_run_ranks(platform.devices[i].kind)) {
      devices.push_back(i);
      network.hosts.push_back(platform.devices[i].name);
    }
  if (devices.size() > most_hosts)
    return fault(fmt::format("the platform has {} devices that ranks run on, expected at most {}: a route is written "
                             "for each pair of them",
                             devices.size(), most_hosts));
  for (const auto& link : platform.links) {
    const auto capacity = capacity_of(link);
    network.links.push_back(
        {link.name, capacity.forward, capacity.backward, link.latency + added_latency(fabric, link.type), true});
  }
  Topology topology(platform);
  std::vector<Path> widest; // one for each scope
  for (std::size_t i = 0; i < devices.size(); ++i)
    for (std::size_t j = i; j < devices.size(); ++j) {
      auto path = make_path(platform, topology, fabric, devices[i], devices[j]);
      if (!path)
        continue; // the fabric does not serve all pairs, and no message takes this one
      ExportedRoute route{i, j, {}};
      std::optional<ExportedRoute> back;
      if (path->terms.rule->moved_by_cores || i == j) {
        network.links.push_back(copies(*path, fmt::format("{}-{}:copy", network.hosts[i], network.hosts[j])));
        route.hops.push_back({network.links.size() - 1, true});
      } else {
        route.hops = hops_of(*path, platform);
        // May go over another spine.
        if (const auto other = make_path(platform, topology, fabric, devices[j], devices[i]))
          back = {j, i, hops_of(*other, platform)};
      }
      if (i != j && !back)
        back = turned_round(route);
      network.routes.push_back(std::move(route));
      if (back)
        network.routes.push_back(std::move(*back));
      const auto scope = path->scope;
      if (std::none_of(widest.begin(), widest.end(), [&](const Path& each) { return each.scope == scope; }))
        widest.push_back(std::move(*path));
    }
  if (network.routes.empty())
    return fault("no rule of the fabric applies to any two devices");
  add_protocol(platform, widest, network);
  return network;
}

} // namespace kakehashi
