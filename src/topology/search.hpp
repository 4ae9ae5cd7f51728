// A part of a machine, the links that may be used and a start → the shortest ways to the devices of the part.
#pragma once

#include "model/platform.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kakehashi {

// A way's length: latency first, hops to break ties.
struct Length {
  double latency = 0;
  int hops = 0;
  auto operator<=>(const Length&) const = default;
  Length operator+(const Length& other) const { return {latency + other.latency, hops + other.hops}; }
};

// Lengths of equal hops, whose latencies differ by what their sums were rounded by, at most.
bool equally_long(const Length& a, const Length& b);

// The links of a machine that ways may use.
struct Usable {
  std::uint32_t types = 0; // a bit for each
  BytesPerSecond above;    // they have more than that, in the direction of travel
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

// Chooses one of several ways that are equally good, digit by digit: where `count` of them part, the remainder of the
// number by it. So the destinations of a fat tree are spread over its spines as its subnet manager spreads them.
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
  // All of the platform, or so many devices, in ascending order, and the links, which join them. Keeps a reference to
  // the platform.
  explicit WaySearch(const Platform& platform);
  WaySearch(const Platform& platform, std::vector<std::size_t> devices, std::span<const std::size_t> links);
  ~WaySearch();
  WaySearch(WaySearch&&) noexcept;

  // Of the shortest way between two devices of the part; none: there is no way. Coprocessors and GPUs forward nothing.
  // Searches are remembered while their memory is small.
  std::optional<Length> length(std::size_t from, std::size_t to, const Usable& usable);
  // Appends the directions of such a way, which there is.
  void add_way(std::size_t from, std::size_t to, const Usable& usable, Turn& turn,
               std::vector<std::size_t>& directions);
  // How many such ways there are.
  double count(std::size_t from, std::size_t to, const Usable& usable);

private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

} // namespace kakehashi
