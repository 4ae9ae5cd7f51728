// A platform → a graph → routes. A fabric always takes the same route between the same two devices.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace kakehashi {

// A resource that payloads share: a direction of a link, the memory of a device, both directions of a NIC together, or
// a limited leg.
struct Channel {
  std::string name;
  BytesPerSecond capacity;
};

struct Route {
  std::vector<std::size_t> channels; // indices into Topology::channels(), in order of travel; a channel that is listed
                                     // twice carries each byte twice
  // The end of each leg among the channels. A payload flows over all channels of a leg at once, and over one leg after
  // the other. There is one leg, unless the route has several limited legs.
  std::vector<std::size_t> leg_ends{0};
  std::vector<std::size_t> links; // indices into Platform::links, in order of travel; empty inside a device
  Seconds latency;                // sum over the hops

  int crossings(const Platform& platform, LinkType type) const;
  std::size_t legs() const { return leg_ends.size(); }
  std::span<const std::size_t> leg(std::size_t index) const {
    const auto begin = index == 0 ? 0 : leg_ends[index - 1];
    return std::span(channels).subspan(begin, leg_ends[index] - begin);
  }
};

// Returns the rate that a channel of the route gives a payload that has the channel to itself.
BytesPerSecond share_of(std::span<const std::size_t> route, std::size_t channel, const std::deque<Channel>& channels);
// Returns the channel with the lowest such rate; none if there are no channels.
std::optional<std::size_t> bottleneck(std::span<const std::size_t> route, const std::deque<Channel>& channels);

// Returns the channels that both routes have, in the order of the first route.
std::vector<std::size_t> shared_channels(const Route& a, const Route& b);

// A way between two devices; no other way is better in both latency and rate.
struct RouteChoice {
  std::vector<std::size_t> links; // indices into Platform::links, in order of travel
  Seconds latency;
  BytesPerSecond rate; // a lone payload's, over all legs
  double equals = 1;   // number of equally short ways over equally fast links, including this one
  Seconds time;        // the time of a message of the fabric's route size
};

class WayFinder;
struct PeerLeg;
class TorusRoutes;

class Topology {
public:
  explicit Topology(const Platform& platform); // keeps a reference to the platform
  ~Topology();

  // A limited leg gets its channel when a route first uses it.
  const std::deque<Channel>& channels() const { return channels_; }
  std::string channel_text(std::size_t channel) const; // "a -> b (pcie)" for a link, else the channel's name

  // Returns the way over the fabric's link types that is fastest for a message of its route size; of equally fast ones
  // the one of least latency. Between nodes, and inside them with loop-back, it passes a gateway at each end if the
  // fabric names gateways. Coprocessors and GPUs forward nothing. Between two coprocessors the initiator's DMA engine
  // moves the data. Between nodes of a Tofu network, a fabric without gateways takes the network's own route.
  Result<Route> route(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator = Side::sender);
  // Returns the routes through each gateway that leads out of both nodes; empty if there are fewer than two.
  std::vector<Route> stripes(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator = Side::sender);
  // Returns the ways from which the route was chosen: the route first, then by time; empty if there is no route.
  std::vector<RouteChoice> choices(const Fabric& fabric, std::size_t from, std::size_t to,
                                   Side initiator = Side::sender);

  // The channel of a device's memory, or of a usual memory if it has none.
  std::size_t memory(std::size_t device);
  // The channel of a device's caches; none if the number of its cores is unknown.
  std::optional<std::size_t> cache(std::size_t device);
  // The channel of what passes between the last-level caches of the device's node; none if no device states its rate.
  std::optional<std::size_t> domains(std::size_t device);

private:
  struct Candidate;
  std::vector<Candidate> candidates(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator);
  void enter(const PeerLeg& leg, Route& route);
  void pass(std::size_t device, Route& route);

  const Platform* platform_;
  std::unique_ptr<WayFinder> ways_;
  std::unique_ptr<TorusRoutes> torus_;
  std::deque<Channel> channels_;
  std::map<std::size_t, std::size_t> memory_channels_; // keys are devices
  std::map<std::size_t, std::size_t> cache_channels_;  // keys are devices
  std::map<std::size_t, std::size_t> domain_channels_; // keys are nodes
  std::map<std::size_t, std::size_t> duplex_channels_; // keys are devices
  std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::string_view>, std::size_t> leg_channels_;
};

} // namespace kakehashi
