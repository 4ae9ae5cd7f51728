// A route → its limited legs, on which one PCIe device reads or writes the memory of another, with their limits.
#pragma once

#include "model/platform.hpp"

#include <span>
#include <vector>

namespace kakehashi {

struct PeerLeg {
  std::size_t begin = 0; // positions in the route: the first direction, and one beyond the last
  std::size_t end = 0;
  std::size_t from = 0;
  std::size_t to = 0;       // both are devices
  std::size_t limit = 0;    // index into Platform::peer_limits
  bool begins_anew = false; // a payload has passed the legs before it when it enters this one
};

// Returns the legs in order of travel; none if the fabric's payloads are forwarded. A leg lies between two PCIe devices
// with only sockets between them. The first limit that matches applies; a leg without a matching limit is left out.
// Sockets store what crosses them, so a leg whose limit is one of crossing begins anew after another such leg.
std::vector<PeerLeg> peer_legs(const Platform& platform, const Fabric& fabric, std::span<const std::size_t> directions,
                               std::size_t to, Side initiator);

} // namespace kakehashi
