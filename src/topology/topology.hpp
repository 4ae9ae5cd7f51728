// Platform → graph → routes. Between the same devices a fabric always takes the same route.
#pragma once

#include "base/error.hpp"
#include "spec/platform.hpp"

#include <memory>
#include <span>
#include <vector>

namespace kakehashi {

// A resource that payloads share: one direction of a link, or the memory of a device.
struct Channel {
  std::string name;
  BytesPerSecond capacity;
};

struct Route {
  std::vector<std::size_t> channels; // indices into Topology::channels(), in order of travel
  std::vector<std::size_t> links;    // indices into Platform::links, likewise; none inside a device
  Seconds latency;                   // sum over the hops

  int crossings(const Platform& platform, LinkType type) const;
};

// The channel of the least capacity; none if the route has no channels.
std::optional<std::size_t> bottleneck(const Route& route, std::span<const Channel> channels);

// The channels that two routes have in common, in the order of the first.
std::vector<std::size_t> shared_channels(const Route& a, const Route& b);

class Topology {
public:
  explicit Topology(const Platform& platform); // keeps a reference to the platform
  ~Topology();
  Topology(Topology&&) noexcept;

  std::span<const Channel> channels() const { return channels_; }

  // The route of least latency, then of fewest hops, over the fabric's link types; between nodes it passes a gateway at
  // either end if the fabric names any. Coprocessors and GPUs forward nothing.
  Result<Route> route(const Fabric& fabric, std::size_t from, std::size_t to) const;

private:
  struct Graph;
  const Platform* platform_;
  std::unique_ptr<Graph> graph_;
  std::vector<Channel> channels_;
  std::vector<std::optional<std::size_t>> memory_channels_; // of each device
};

} // namespace kakehashi
