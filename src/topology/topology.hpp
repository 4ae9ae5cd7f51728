// Platform → graph → routes. Between the same devices a fabric always takes the same route.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"
#include "topology/search.hpp"
#include "topology/torus_routes.hpp"

#include <deque>
#include <map>
#include <span>
#include <vector>

namespace kakehashi {

// A resource that payloads share: one direction of a link, the memory of a device, or a limited leg.
struct Channel {
  std::string name;
  BytesPerSecond capacity;
};

struct Route {
  std::vector<std::size_t> channels; // indices into Topology::channels(), in order of travel
  // A payload flows over the channels up to each of these at once, and then over the next; one, unless the route has
  // several limited legs.
  std::vector<std::size_t> segment_ends{0};
  std::vector<std::size_t> links; // indices into Platform::links, in order of travel; none inside a device
  Seconds latency;                // sum over the hops

  int crossings(const Platform& platform, LinkType type) const;
  std::size_t segments() const { return segment_ends.size(); }
  std::span<const std::size_t> segment(std::size_t index) const {
    const auto begin = index == 0 ? 0 : segment_ends[index - 1];
    return std::span(channels).subspan(begin, segment_ends[index] - begin);
  }
};

// The channel of the least capacity; none if there are no channels.
std::optional<std::size_t> bottleneck(std::span<const std::size_t> route, const std::deque<Channel>& channels);

// The channels that two routes have in common, in the order of the first.
std::vector<std::size_t> shared_channels(const Route& a, const Route& b);

class Topology {
public:
  explicit Topology(const Platform& platform); // keeps a reference to the platform

  // Limited legs join them when a route first uses one.
  const std::deque<Channel>& channels() const { return channels_; }

  // The route of least latency, then of fewest hops, over the fabric's link types; between nodes it passes a gateway at
  // either end if the fabric names any. Coprocessors and GPUs forward nothing. Between two coprocessors the initiator's
  // DMA engine moves the data. Between nodes of a Tofu network a fabric without gateways takes the network's own route.
  Result<Route> route(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator = Side::sender);

private:
  std::optional<std::size_t> gateway_near(std::size_t device, const Fabric& fabric);
  Result<std::vector<std::size_t>> directions(const Fabric& fabric, std::size_t from, std::size_t to);
  std::size_t leg_channel(std::size_t limit, std::size_t from, std::size_t to);

  const Platform* platform_;
  WaySearch search_;
  std::optional<TorusRoutes> torus_;
  std::deque<Channel> channels_;
  std::vector<std::optional<std::size_t>> memory_channels_; // of each device
  std::map<std::array<std::size_t, 3>, std::size_t> leg_channels_;
};

} // namespace kakehashi
