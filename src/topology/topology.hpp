// Platform → graph → routes. Between the same devices a fabric always takes the same route.
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

// A resource that payloads share: one direction of a link, the memory of a device, both directions of a NIC together,
// or a limited leg.
struct Channel {
  std::string name;
  BytesPerSecond capacity;
};

struct Route {
  std::vector<std::size_t> channels; // indices into Topology::channels(), in order of travel; twice: takes double
  // A payload flows over the channels up to each of these at once, and then over the next; one, unless the route has
  // several limited legs.
  std::vector<std::size_t> leg_ends{0};
  std::vector<std::size_t> links; // indices into Platform::links, in order of travel; none inside a device
  Seconds latency;                // sum over the hops

  int crossings(const Platform& platform, LinkType type) const;
  std::size_t legs() const { return leg_ends.size(); }
  std::span<const std::size_t> leg(std::size_t index) const {
    const auto begin = index == 0 ? 0 : leg_ends[index - 1];
    return std::span(channels).subspan(begin, leg_ends[index] - begin);
  }
};

// The rate that a channel of the route gives to a payload that has it to itself.
BytesPerSecond share_of(std::span<const std::size_t> route, std::size_t channel, const std::deque<Channel>& channels);
// The channel that gives the least; none if there are no channels.
std::optional<std::size_t> bottleneck(std::span<const std::size_t> route, const std::deque<Channel>& channels);

// The channels that two routes have in common, in the order of the first.
std::vector<std::size_t> shared_channels(const Route& a, const Route& b);

// A way between two devices that no other one beats in both latency and rate.
struct RouteChoice {
  std::vector<std::size_t> links; // indices into Platform::links, in order of travel
  Seconds latency;
  BytesPerSecond rate; // of a lone payload over all of its legs
  double equals = 1;   // as short ways over links as fast, this one among them
  Seconds time;        // of a message of the route's size
};

class WayFinder;
struct PeerLeg;
class TorusRoutes;

class Topology {
public:
  explicit Topology(const Platform& platform); // keeps a reference to the platform
  ~Topology();

  // Limited legs join them when a route first uses one.
  const std::deque<Channel>& channels() const { return channels_; }
  std::string channel_text(std::size_t channel) const; // of a link "a -> b (pcie)", else the channel's name

  // The fastest way for a message of the fabric's route size, then that of least latency, over its link types; between
  // nodes, and with loop-back inside them, it passes a gateway at either end if the fabric names any. Coprocessors and
  // GPUs forward nothing. Between two coprocessors the initiator's DMA engine moves the data. Between nodes of a Tofu
  // network a fabric without gateways takes the network's own route.
  Result<Route> route(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator = Side::sender);
  // Those through each gateway that both nodes have; none if there are less than two.
  std::vector<Route> stripes(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator = Side::sender);
  // The ways that the route was chosen from, itself first, and then by time; none if there is no route.
  std::vector<RouteChoice> choices(const Fabric& fabric, std::size_t from, std::size_t to,
                                   Side initiator = Side::sender);

  // The channel of a device's memory; of one that the platform says nothing of, the usual one.
  std::size_t memory(std::size_t device);
  // That of its caches; none if nobody says how many cores there are.
  std::optional<std::size_t> cache(std::size_t device);

private:
  struct Candidate;
  std::vector<Candidate> candidates(const Fabric& fabric, std::size_t from, std::size_t to, Side initiator);
  void enter(const PeerLeg& leg, Route& route);
  void pass(std::size_t device, Route& route);

  const Platform* platform_;
  std::unique_ptr<WayFinder> ways_;
  std::unique_ptr<TorusRoutes> torus_;
  std::deque<Channel> channels_;
  std::map<std::size_t, std::size_t> memory_channels_; // of devices
  std::map<std::size_t, std::size_t> cache_channels_;  // likewise
  std::map<std::size_t, std::size_t> duplex_channels_; // likewise
  std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::string_view>, std::size_t> leg_channels_;
};

} // namespace kakehashi
