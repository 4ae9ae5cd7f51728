// A part of a machine, the usable links and a start → the shortest ways to the devices of that part.
#pragma once

#include "model/platform.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kakehashi {

// The length of a way: its latency, and its hops to break ties.
struct Length {
  double latency = 0;
  int hops = 0;
  auto operator<=>(const Length&) const = default;
  Length operator+(const Length& other) const { return {latency + other.latency, hops + other.hops}; }
};

// Whether two lengths have equal hops and latencies that differ by rounding at most.
bool equally_long(const Length& a, const Length& b);

// The links of a machine that ways may use.
struct Usable {
  std::uint32_t types = 0; // one bit for each type
  BytesPerSecond above;    // links must have a higher capacity than this in the direction of travel
  bool allows(LinkType type) const { return (types >> type.row & 1) != 0; }
};
std::uint32_t bits_of(std::span<const LinkType> types);

constexpr std::size_t link_of_direction(std::size_t direction) {
  return direction / 2;
}
// The devices that a direction of a link leaves and enters. Direction 2·i is link i forwards, 2·i + 1 backwards.
inline std::size_t tail_of(const Platform& platform, std::size_t direction) {
  const auto& link = platform.links[link_of_direction(direction)];
  return direction % 2 == 0 ? link.from : link.to;
}
inline std::size_t head_of(const Platform& platform, std::size_t direction) {
  return tail_of(platform, direction ^ 1);
}
BytesPerSecond capacity_of(const Platform& platform, std::size_t direction);

// Chooses one of several equally good ways, digit by digit: each time `count` of them part, it takes the remainder of
// the number by `count`. This spreads the destinations of a fat tree over its spines as a subnet manager does.
class Turn {
public:
  explicit Turn(std::size_t number) : number_(number) {}
  std::size_t among(std::size_t count) {
    const auto chosen = number_ % count;
    number_ /= count;
    return chosen;
  }

private:
  std::size_t number_;
};

class WaySearch {
public:
  // Searches the whole platform, or only the listed devices, which are ascending, and the links that join them. It
  // keeps a reference to the platform.
  explicit WaySearch(const Platform& platform);
  WaySearch(const Platform& platform, std::vector<std::size_t> devices, std::span<const std::size_t> links);
  ~WaySearch();
  WaySearch(WaySearch&&) noexcept;

  // Returns the length of the shortest way between two devices of the part; none: there is no way. Coprocessors and
  // GPUs forward nothing, and adapters nothing within a part that has no links out of their node. Searches are
  // remembered while they need little memory.
  std::optional<Length> length(std::size_t from, std::size_t to, const Usable& usable);
  // Appends the directions of the shortest way, which must exist.
  void add_way(std::size_t from, std::size_t to, const Usable& usable, Turn& turn,
               std::vector<std::size_t>& directions);
  // Returns the number of shortest ways.
  double count(std::size_t from, std::size_t to, const Usable& usable);

private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

} // namespace kakehashi
