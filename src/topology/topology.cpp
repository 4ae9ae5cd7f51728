#include "topology/topology.hpp"

#include "topology/capacity.hpp"
#include "topology/peer_leg.hpp"
#include "topology/torus_routes.hpp"
#include "topology/way_finder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace kakehashi {

// A way, and the latency and rate of a lone message on it.
struct Topology::Candidate {
  std::vector<std::size_t> directions;
  std::vector<PeerLeg> legs;
  BytesPerSecond above;     // it was chosen among links of higher capacity than this
  BytesPerSecond narrowest; // the least capacity of its links
  BytesPerSecond rate;      // a lone payload's, over all legs
  Seconds latency;
  Seconds time;

  Candidate(const Platform& platform, const Fabric& fabric, std::vector<std::size_t> way, std::size_t to,
            Side initiator, BytesPerSecond least)
      : directions(std::move(way)), legs(peer_legs(platform, fabric, directions, to, initiator)), above(least) {
    double per_byte = 0; // time per byte over the previous legs
    BytesPerSecond of_leg{std::numeric_limits<double>::infinity()};
    narrowest = of_leg;
    auto leg = legs.begin();
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const auto capacity = kakehashi::capacity_of(platform, directions[i]);
      if (leg != legs.end() && leg->begin == i) {
        if (leg->begins_anew) {
          per_byte += 1 / of_leg.value;
          of_leg = {std::numeric_limits<double>::infinity()};
        }
        const auto& limit = platform.peer_limits[leg->limit];
        of_leg = std::min({of_leg, limit.rate, limit.both.value_or(limit.rate)});
        ++leg;
      }
      of_leg = std::min(of_leg, capacity);
      narrowest = std::min(narrowest, capacity);
      latency += platform.links[link_of_direction(directions[i])].latency;
    }
    rate = {1 / (per_byte + 1 / of_leg.value)};
    time = latency + Seconds{static_cast<double>(fabric.route_size.count) / rate.value};
  }
};

Topology::~Topology() = default;
Topology::Topology(const Platform& platform)
    : platform_(&platform), ways_(std::make_unique<WayFinder>(platform)),
      torus_(platform.torus ? std::make_unique<TorusRoutes>(platform) : nullptr) {
  for (const auto& link : platform.links) { // channels of links are numbered like their directions
    const auto capacity = capacity_of(link);
    channels_.push_back({link.name + ">", capacity.forward});
    channels_.push_back({link.name + "<", capacity.backward});
  }
}

std::size_t Topology::memory(std::size_t device) {
  const auto [found, is_new] = memory_channels_.try_emplace(device, channels_.size());
  if (is_new) {
    const auto& of = platform_->devices[device];
    channels_.push_back({of.name + ":memory", bandwidth_of(of.memory.value_or(usual_memory(of.kind)))});
  }
  return found->second;
}

std::optional<std::size_t> Topology::cache(std::size_t device) {
  const auto& of = platform_->devices[device];
  if (of.cores == 0)
    return std::nullopt;
  const auto [found, is_new] = cache_channels_.try_emplace(device, channels_.size());
  if (is_new)
    channels_.push_back({of.name + ":caches", static_cast<double>(of.cores) * core_rate_of(*platform_, of)});
  return found->second;
}

std::optional<std::size_t> Topology::domains(std::size_t device) {
  const auto& node = platform_->devices[device].node;
  if (!node)
    return std::nullopt;
  if (const auto known = domain_channels_.find(*node); known != domain_channels_.end())
    return known->second;
  BytesPerSecond rate;
  for (const auto& each : platform_->devices)
    if (each.node == node && each.memory && each.memory->domain_rate)
      rate.value += each.memory->domain_rate->value;
  if (rate.value == 0)
    return std::nullopt;
  channels_.push_back({platform_->nodes[*node] + ":between caches", rate});
  return domain_channels_[*node] = channels_.size() - 1;
}

// A NIC may have less bandwidth for both directions together than its links have.
void Topology::pass(std::size_t device, Route& route) {
  const auto& of = platform_->devices[device];
  if (!of.duplex_bandwidth)
    return;
  const auto [found, is_new] = duplex_channels_.try_emplace(device, channels_.size());
  if (is_new)
    channels_.push_back({of.name + ":duplex", *of.duplex_bandwidth});
  route.channels.push_back(found->second);
}

// Returns the ways in order of growing latency and growing rate.
std::vector<Topology::Candidate> Topology::candidates(const Fabric& fabric, std::size_t from, std::size_t to,
                                                      Side initiator) {
  std::vector<Candidate> found;
  if (torus_ && fabric.gateways.empty())
    if (auto way = torus_->directions(fabric.links, from, to)) {
      found.emplace_back(*platform_, fabric, std::move(*way), to, initiator, BytesPerSecond{});
      return found;
    }
  for (BytesPerSecond above;;) {
    auto way = ways_->find(fabric, from, to, above);
    if (!way)
      return found;
    found.emplace_back(*platform_, fabric, std::move(*way), to, initiator, above);
    above = found.back().narrowest;
  }
}

std::string Topology::channel_text(std::size_t channel) const {
  if (channel >= 2 * platform_->links.size())
    return channels_[channel].name;
  const auto& link = platform_->links[link_of_direction(channel)];
  const bool forwards = channel % 2 == 0;
  return fmt::format("{} -> {} ({})", platform_->devices[forwards ? link.from : link.to].name,
                     platform_->devices[forwards ? link.to : link.from].name, name_of(link.type));
}

// Adds the channels of a leg's limits: of its direction, and of both directions together if that is stated. A limit
// that the accesses of a requester share has one channel, which is named after it alone.
void Topology::enter(const PeerLeg& leg, Route& route) {
  const auto& limit = platform_->peer_limits[leg.limit];
  const auto add = [&](std::size_t from, std::size_t to, BytesPerSecond rate, std::string_view what) {
    const auto [found, is_new] = leg_channels_.try_emplace({leg.limit, from, to, what}, channels_.size());
    const auto& devices = platform_->devices;
    if (is_new)
      channels_.push_back({from == to ? fmt::format("{}:{}", devices[from].name, what)
                                      : fmt::format("{}-{}:{}", devices[from].name, devices[to].name, what),
                           rate});
    route.channels.push_back(found->second);
  };
  if (limit.shared) { // who gets the data reads, and who has it writes
    const auto requester = limit.access == MemoryAccess::read ? leg.to : leg.from;
    add(requester, requester, limit.rate, name_of(memory_access_names, limit.access));
    if (limit.both)
      add(requester, requester, *limit.both, "both");
    return;
  }
  add(leg.from, leg.to, limit.rate, name_of(memory_access_names, limit.access));
  if (limit.both)
    add(std::min(leg.from, leg.to), std::max(leg.from, leg.to), *limit.both, "both");
}

Result<Route> Topology::route(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator) {
  Route route;
  if (from == to && !fabric.loop_back) {
    route.channels.assign(2, memory(from)); // once to read and once to write
    route.leg_ends = {route.channels.size()};
    return route;
  }
  const auto all = candidates(fabric, from, to, initiator);
  if (all.empty())
    return input_error(platform_->file, "/fabrics/" + fabric.name + "/links",
                       fmt::format("there is no route from \"{}\" to \"{}\" over these link types",
                                   platform_->devices[from].name, platform_->devices[to].name));
  const auto& fastest = *std::ranges::min_element(all, {}, &Candidate::time);
  const auto& directions = fastest.directions;
  const auto& legs = fastest.legs;
  route.leg_ends.clear();
  std::size_t leg = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (leg < legs.size() && legs[leg].begin == i) {
      if (legs[leg].begins_anew)
        route.leg_ends.push_back(route.channels.size());
      enter(legs[leg], route);
      ++leg;
    }
    const auto direction = directions[i];
    route.channels.push_back(direction); // channels of links are numbered like their directions
    route.links.push_back(link_of_direction(direction));
    route.latency += platform_->links[link_of_direction(direction)].latency;
    pass(head_of(*platform_, direction), route);
  }
  route.leg_ends.push_back(route.channels.size());
  return route;
}

std::vector<Route> Topology::stripes(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator) {
  const auto passes = [&](const Route& route, std::size_t end, const std::string& gateway) {
    return std::ranges::any_of(route.links, [&](std::size_t number) {
      const auto& link = platform_->links[number];
      const auto is_gateway = [&](std::size_t device) {
        const auto& each = platform_->devices[device];
        return each.node && each.node == platform_->devices[end].node && each.local_name() == gateway;
      };
      return is_gateway(link.from) || is_gateway(link.to);
    });
  };
  std::vector<Route> routes;
  auto rail = fabric;
  for (const auto& gateway : fabric.gateways) {
    rail.gateways = {gateway};
    if (auto found = route(rail, from, to, initiator);
        found && passes(*found, from, gateway) && passes(*found, to, gateway))
      routes.push_back(std::move(*found));
  }
  return routes.size() > 1 ? routes : std::vector<Route>();
}

std::vector<RouteChoice> Topology::choices(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator) {
  std::vector<RouteChoice> choices;
  if (from == to && !fabric.loop_back)
    return choices;
  auto all = candidates(fabric, from, to, initiator);
  std::ranges::stable_sort(all, {}, &Candidate::time);
  for (const auto& each : all) {
    auto& choice = choices.emplace_back();
    for (const auto direction : each.directions)
      choice.links.push_back(link_of_direction(direction));
    choice.latency = each.latency;
    choice.rate = each.rate;
    choice.equals = torus_ && fabric.gateways.empty() ? 1 : ways_->count(fabric, from, to, each.above);
    choice.time = each.time;
  }
  return choices;
}

int Route::crossings(const Platform& platform, LinkType type) const {
  return static_cast<int>(
      std::count_if(links.begin(), links.end(), [&](std::size_t link) { return platform.links[link].type == type; }));
}

BytesPerSecond share_of(std::span<const std::size_t> route, std::size_t channel, const std::deque<Channel>& channels) {
  const auto times = std::count(route.begin(), route.end(), channel);
  return {channels[channel].capacity.value / static_cast<double>(times)};
}

std::optional<std::size_t> bottleneck(std::span<const std::size_t> route, const std::deque<Channel>& channels) {
  const auto least = std::min_element(route.begin(), route.end(), [&](std::size_t a, std::size_t b) {
    return share_of(route, a, channels) < share_of(route, b, channels);
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
