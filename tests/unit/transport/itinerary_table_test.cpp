#include "transport/itinerary.hpp"

#include "engine/mpi/peer_platform.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace peer;

TEST(ItineraryTable, SharesAmongWaysThatDifferInChannelsOnly) {
  const auto machine = platform();
  machine->links[0].latency = microseconds(1); // a's QPI
  Topology topology(*machine);
  const std::vector devices{at(0, cpu0), at(0, cpu1), at(1, cpu0), at(1, cpu1)};
  WayTable ways(*machine, topology, machine->fabrics[0], devices);
  ItineraryTable table(ways);
  const auto find = [&](int from, int to) { return &table.find(*ways.find(from, to), Bytes{8}); };
  EXPECT_EQ(find(0, 1), find(1, 0));
  EXPECT_NE(find(0, 1), find(2, 3)); // no latency there
  EXPECT_NEAR(in_microseconds(find(0, 1)->costs[0].trip), 1, 1e-12);
  EXPECT_NEAR(in_microseconds(find(2, 3)->costs[0].trip), 0, 1e-12);
}

TEST(ItineraryTable, KeepsApartWhatIsCutOtherwise) {
  const auto machine = platform();
  add_stages(*machine, Bytes{100});
  machine->fabrics.push_back(machine->fabrics.back());
  machine->fabrics.back().name = "whole";
  machine->fabrics.back().chunk.reset();
  auto mixed = fabric("mixed");
  mixed.rules.clear();
  mixed.by_scope = {"net", "whole", "staged"};
  machine->fabrics.push_back(mixed);
  // Both ways have the same stages but for their channels: from a CPU over the other node's CPU to its coprocessor.
  Topology topology(*machine);
  const std::vector devices{at(0, near_mic), at(0, far_mic), at(1, far_mic)};
  WayTable ways(*machine, topology, machine->fabrics.back(), devices);
  ItineraryTable table(ways);
  EXPECT_EQ(table.find(*ways.find(0, 1), Bytes{1000}).pieces, 1u);
  EXPECT_EQ(table.find(*ways.find(0, 2), Bytes{1000}).pieces, 10u);
}

// Without a cap and costs of its own a message inside a socket moves no faster than a copy; one to the next socket has
// its link.
TEST(ItineraryTable, KeepsWaysInsideADeviceApartFromThoseOverLinks) {
  auto machine = platform();
  auto& net = machine->fabrics[0];
  net.rules.resize(1);
  net.rules[0] = Rule{};
  net.rules[0].regimes.resize(1);
  Topology topology(*machine);
  const std::vector devices{at(0, cpu0), at(0, cpu0), at(0, cpu1)};
  WayTable ways(*machine, topology, net, devices);
  ItineraryTable table(ways);
  const auto cap = [&](int from, int to) { return table.find(*ways.find(from, to), Bytes{1000}).costs[0].cap; };
  EXPECT_TRUE(cap(0, 1));
  EXPECT_FALSE(cap(0, 2));
}

} // namespace
} // namespace kakehashi
