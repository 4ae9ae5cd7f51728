// A route → its legs on which one PCIe device reads or writes the memory of another, and the limit of each.
#pragma once

#include "model/platform.hpp"

#include <span>
#include <vector>

namespace kakehashi {

struct PeerLeg {
  std::size_t begin = 0; // positions among the route's directions: the first, and one beyond the last
  std::size_t end = 0;
  std::size_t from = 0;
  std::size_t to = 0;    // devices
  std::size_t limit = 0; // index into Platform::peer_limits
};

// In order of travel. A leg lies between two PCIe devices with nothing but sockets between them; the first limit that
// fits applies, and a leg that none fits is left out.
std::vector<PeerLeg> peer_legs(const Platform& platform, std::span<const std::size_t> directions, std::size_t to,
                               Side initiator);

} // namespace kakehashi
