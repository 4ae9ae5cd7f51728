#include "transport/itinerary.hpp"

#include "engine/mpi/peer_platform.hpp"
#include "transport/way_table.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace peer;

TEST(LikeWays, AreThoseOverWhichMessagesFlowAsFast) {
  const auto machine = platform();
  machine->links[0].latency = microseconds(1); // a's QPI
  const auto like = [&] {
    Topology topology(*machine);
    const std::vector devices{at(0, cpu0), at(0, cpu1), at(1, cpu0), at(1, cpu1)};
    WayTable ways(*machine, topology, machine->fabrics[0], devices);
    LikeWays like_ways(ways.channels());
    std::vector<std::uint32_t> found;
    for (const auto& [from, to] : {std::pair(0, 1), {1, 0}, {2, 3}, {0, 2}, {2, 0}}) {
      const auto way = *ways.find(from, to);
      found.push_back(like_ways.first_like(way, ways[way]));
    }
    return found;
  };
  EXPECT_EQ(like(), (std::vector<std::uint32_t>{0, 0, 0, 3, 3})); // whatever their latency
  machine->links[0].bandwidth = gigabytes_per_second(1.5);
  EXPECT_EQ(like(), (std::vector<std::uint32_t>{0, 0, 2, 3, 3}));
}

} // namespace
} // namespace kakehashi
