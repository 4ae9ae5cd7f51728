#include "topology/topology.hpp"

#include "topology/capacity.hpp"
#include "topology/peer_leg.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

Topology::Topology(const Platform& platform) : platform_(&platform), search_(platform) {
  if (platform.torus)
    torus_.emplace(platform);
  for (const auto& link : platform.links) { // in the order of their directions
    const auto capacity = capacity_of(link);
    channels_.push_back({link.name + ">", capacity.forward});
    channels_.push_back({link.name + "<", capacity.backward});
  }
  for (const auto& device : platform.devices) {
    memory_channels_.emplace_back();
    if (!device.memory_bandwidth)
      continue;
    memory_channels_.back() = channels_.size();
    channels_.push_back({device.name + ":memory", *device.memory_bandwidth});
  }
}

std::optional<std::size_t> Topology::gateway_near(std::size_t device, const Fabric& fabric) {
  const auto& devices = platform_->devices;
  const auto& tree = search_.from(device, fabric.links);
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].node == devices[device].node && tree.reaches(i) &&
        std::find(fabric.gateways.begin(), fabric.gateways.end(), devices[i].local_name()) != fabric.gateways.end() &&
        (!nearest || tree.length[i] < tree.length[*nearest]))
      nearest = i;
  return nearest;
}

Result<std::vector<std::size_t>> Topology::directions(const Fabric& fabric, std::size_t from, std::size_t to) {
  if (torus_ && fabric.gateways.empty())
    if (auto way = torus_->directions(fabric.links, from, to))
      return std::move(*way);
  const auto& devices = platform_->devices;
  std::vector<std::size_t> stops{from};
  if (!fabric.gateways.empty() && devices[from].node != devices[to].node) {
    if (const auto out = gateway_near(from, fabric); out && *out != from)
      stops.push_back(*out);
    if (const auto in = gateway_near(to, fabric); in && *in != to)
      stops.push_back(*in);
  }
  stops.push_back(to);
  std::vector<std::size_t> directions;
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    const auto& tree = search_.from(stops[i], fabric.links);
    if (!tree.reaches(stops[i + 1]))
      return Error{ErrorKind::input, platform_->file, "/fabrics/" + fabric.name + "/links",
                   fmt::format("there is no route from \"{}\" to \"{}\" over these link types", devices[from].name,
                               devices[to].name),
                   ""};
    const auto first = directions.size();
    for (auto at = stops[i + 1]; at != stops[i]; at = tail_of(*platform_, directions.back()))
      directions.push_back(tree.direction[at]);
    std::reverse(directions.begin() + static_cast<std::ptrdiff_t>(first), directions.end());
  }
  return directions;
}

std::size_t Topology::leg_channel(std::size_t limit, std::size_t from, std::size_t to) {
  const auto [found, is_new] = leg_channels_.try_emplace({limit, from, to}, channels_.size());
  if (is_new) {
    const auto& devices = platform_->devices;
    channels_.push_back({fmt::format("{}-{}:{}", devices[from].name, devices[to].name,
                                     name_of(memory_access_names, platform_->peer_limits[limit].access)),
                         platform_->peer_limits[limit].rate});
  }
  return found->second;
}

Result<Route> Topology::route(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator) {
  Route route;
  if (from == to) {
    if (memory_channels_[from])
      route.channels.push_back(*memory_channels_[from]);
    route.segment_ends = {route.channels.size()};
    return route;
  }
  const auto found = directions(fabric, from, to);
  if (!found)
    return found.errors();
  const auto legs = peer_legs(*platform_, *found, to, initiator);
  route.segment_ends.clear();
  std::size_t leg = 0;
  for (std::size_t i = 0; i < found->size(); ++i) {
    if (leg < legs.size() && legs[leg].begin == i) {
      if (leg > 0)
        route.segment_ends.push_back(route.channels.size());
      route.channels.push_back(leg_channel(legs[leg].limit, legs[leg].from, legs[leg].to));
      ++leg;
    }
    const auto direction = (*found)[i];
    route.channels.push_back(direction); // channels of links are numbered like their directions
    route.links.push_back(link_of_direction(direction));
    route.latency += platform_->links[link_of_direction(direction)].latency;
  }
  route.segment_ends.push_back(route.channels.size());
  return route;
}

int Route::crossings(const Platform& platform, LinkType type) const {
  return static_cast<int>(
      std::count_if(links.begin(), links.end(), [&](std::size_t link) { return platform.links[link].type == type; }));
}

std::optional<std::size_t> bottleneck(std::span<const std::size_t> route, const std::deque<Channel>& channels) {
  const auto least = std::min_element(route.begin(), route.end(), [&](std::size_t a, std::size_t b) {
    return channels[a].capacity < channels[b].capacity;
  });
  if (least == route.end())
    return std::nullopt;
  return *least;
}

std::vector<std::size_t> shared_channels(const Route& a, const Route& b) {
  std::vector<std::size_t> shared;
  std::copy_if(a.channels.begin(), a.channels.end(), std::back_inserter(shared), [&](std::size_t channel) {
    return std::find(b.channels.begin(), b.channels.end(), channel) != b.channels.end();
  });
  return shared;
}

} // namespace kakehashi
