// Node counts along three axes → a machine to measure: a torus of nodes with some ranks each.
#pragma once

#include "model/platform.hpp"

#include <array>
#include <memory>

namespace kakehashi {

// Links of 4.76 GB/s and 0.1 us, 15 GB/s into and out of a node, one eager and one rendezvous regime.
std::shared_ptr<const Platform> torus(std::array<std::size_t, 3> nodes);

// The device of each rank, node by node, as evenly as the nodes allow.
std::vector<std::size_t> ranks_of(const Platform& platform, int ranks);

} // namespace kakehashi
