#include "gpu/system.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

Fabric fabric_of(std::string name, std::vector<LinkType> links, std::vector<std::string> gateways = {}) {
  Fabric fabric;
  fabric.name = std::move(name);
  fabric.links = std::move(links);
  fabric.gateways = std::move(gateways);
  fabric.route_size = Bytes{1 << 20};
  return fabric;
}

std::vector<LinkType> links_inside() {
  std::vector<LinkType> links{link_type("pcie")};
  for (std::size_t i = 0; i < link_types().size(); ++i)
    if (link_types()[i].joins_sockets)
      links.push_back({static_cast<std::uint8_t>(i)});
  return links;
}

} // namespace

Result<Route> GpuSystem::nvlink_way(std::size_t from, std::size_t to) const {
  static const auto fabric = fabric_of("nvlink", {link_type("nvlink")});
  return topology->route(fabric, from, to);
}

Result<Route> GpuSystem::bounced_way(std::size_t from, std::size_t to) const {
  constexpr GpuRelease bounces{2012};
  if (line.value == 0 || has_switch || version < bounces)
    return run_error("GPUs do not forward");
  for (std::size_t between = 0; between < platform->devices.size(); ++between) {
    const auto& device = platform->devices[between];
    if (device.kind != DeviceKind::gpu || device.node != platform->devices[from].node || between == from ||
        between == to)
      continue;
    auto way = nvlink_way(from, between);
    const auto rest = way ? nvlink_way(between, to) : Result<Route>(Errors{});
    if (!rest)
      continue;
    way->channels.insert(way->channels.end(), rest->channels.begin(), rest->channels.end());
    way->links.insert(way->links.end(), rest->links.begin(), rest->links.end());
    way->leg_ends = {way->channels.size()};
    return way;
  }
  return run_error("no GPU between them has NVLinks to both");
}

Result<Route> GpuSystem::pcie_way(std::size_t from, std::size_t to) const {
  static const auto fabric = fabric_of("pcie", links_inside());
  return topology->route(fabric, from, to);
}

Result<Route> GpuSystem::network_way(std::size_t from, std::size_t to, int out, int in) const {
  auto links = links_inside();
  links.push_back(link_type("infiniband"));
  links.push_back(link_type("ethernet"));
  const auto name = [&](int rail) {
    return std::string(platform->devices[rails[static_cast<std::size_t>(rail)]].local_name());
  };
  auto fabric = fabric_of(fmt::format("rail {} to {}", out, in), std::move(links), {name(out)});
  if (in == out)
    return topology->route(fabric, from, to);
  fabric.gateways.push_back(name(in));
  auto way = topology->route(fabric, from, to);
  // Else it goes in at the rail it came out of, or through a third node.
  const auto is_strange = [&](std::size_t number) {
    const auto& link = platform->links[number];
    return std::ranges::any_of(std::array{link.from, link.to}, [&](std::size_t end) {
      const auto& each = platform->devices[end];
      const bool is_first = each.node == platform->devices[from].node,
                 is_last = each.node == platform->devices[to].node;
      return each.node &&
             ((!is_first && !is_last) || (is_adapter(each.kind) && each.local_name() != name(is_first ? out : in)));
    });
  };
  if (way && std::ranges::any_of(way->links, is_strange))
    return run_error(fmt::format("rings that leave a node by {} and enter the next by {} (NCCL_CROSS_NIC) need a "
                                 "network that joins these",
                                 name(out), name(in)));
  return way;
}

bool GpuSystem::passes_host(const Route& route) const {
  return std::ranges::any_of(route.links, [&](std::size_t link) {
    return platform->devices[platform->links[link].from].kind == DeviceKind::cpu ||
           platform->devices[platform->links[link].to].kind == DeviceKind::cpu;
  });
}

std::optional<std::size_t> GpuSystem::host_of(std::size_t gpu) const {
  std::optional<std::size_t> nearest;
  std::size_t least = ~std::size_t{0};
  for (std::size_t i = 0; i < platform->devices.size(); ++i) {
    if (platform->devices[i].kind != DeviceKind::cpu || platform->devices[i].node != platform->devices[gpu].node)
      continue;
    const auto way = pcie_way(gpu, i);
    if (way && way->links.size() < least) {
      least = way->links.size();
      nearest = i;
    }
  }
  return nearest;
}

} // namespace kakehashi
