// Platform graph, a set of link types and a start → the shortest ways to every device.
#pragma once

#include "model/platform.hpp"

#include <memory>
#include <span>
#include <vector>

namespace kakehashi {

// A way's length: latency first, hops to break ties.
struct Length {
  double latency = 0;
  int hops = 0;
  auto operator<=>(const Length&) const = default;
};

// The ways from one device to all others. Direction 2·i is link i forwards, 2·i + 1 backwards.
struct WayTree {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<Length> length;
  std::vector<std::uint32_t> direction; // by which each device is entered; none: it is not reached, or is the start

  bool reaches(std::size_t device) const { return length[device].hops >= 0; }
};

constexpr std::size_t link_of_direction(std::size_t direction) {
  return direction / 2;
}
// The device that a direction of a link leaves.
inline std::size_t tail_of(const Platform& platform, std::size_t direction) {
  const auto& link = platform.links[link_of_direction(direction)];
  return direction % 2 == 0 ? link.from : link.to;
}

class WaySearch {
public:
  explicit WaySearch(const Platform& platform); // keeps a reference to the platform
  ~WaySearch();
  WaySearch(WaySearch&&) noexcept;

  // Coprocessors and GPUs forward nothing. Searches are remembered while their memory is small, so the answer holds
  // until the next call only.
  const WayTree& from(std::size_t start, std::span<const LinkType> types);

private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

} // namespace kakehashi
