// A Tofu network: what it is made of, and the routes on it, worked out by hand.
#include "input/platform/platform_reader.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>

namespace kakehashi {
namespace {

Platform torus_of(int x, int y, int z) {
  const auto text = fmt::format(R"({{"name": "p",
    "templates": {{"t": {{"devices": [{{"name": "cpu", "kind": "cpu"}}, {{"name": "icc", "kind": "tofu"}}],
      "links": [{{"between": ["cpu", "icc"], "type": "tofu", "bandwidth": "15 GB/s", "latency": "0.3 us"}}]}}}},
    "tofu": {{"shape": [{}, {}, {}], "node": "t", "link": {{"bandwidth": "4.76 GB/s", "latency": "0.1 us"}}}},
    "fabrics": {{"tofu": {{"links": ["tofu"], "rules": [{{"regimes": [{{"from": "0 B"}}]}}]}}}}}})",
                                x, y, z);
  return *parse_platform(*parse_json(text, "p.json"));
}

struct Machine {
  Platform platform;
  Topology topology;
  explicit Machine(int x, int y, int z) : platform(torus_of(x, y, z)), topology(platform) {}

  Route route(const std::string& from, const std::string& to) {
    return *topology.route(platform.fabrics[0], *find_device(platform, from + ".cpu"),
                           *find_device(platform, to + ".cpu"));
  }
  // Of the network, without the links inside the nodes at both ends.
  std::vector<std::string> hops(const std::string& from, const std::string& to) {
    const auto channels = route(from, to).channels;
    std::vector<std::string> names;
    for (std::size_t i = 1; i + 1 < channels.size(); ++i)
      names.push_back(topology.channels()[channels[i]].name);
    return names;
  }
};

using Hops = std::vector<std::string>;

TEST(Torus, HasTenLinksANode) {
  const auto platform = torus_of(3, 3, 3);
  std::vector<int> links(platform.devices.size());
  for (const auto& link : platform.links) {
    ++links[link.from];
    ++links[link.to];
  }
  const auto middle = *find_device(platform, "x1y4z1.icc"); // Y 1 of 3, so with a neighbour on either side
  EXPECT_EQ(links[middle], 10 + 1);                         // and the link to its cpu
}

TEST(Torus, JoinsNeighboursOfTheBoxByOneLink) {
  Machine machine(4, 2, 4); // a box of 8 x 6 x 8, all of whose lines close
  EXPECT_EQ(machine.platform.nodes.size(), 384U);
  EXPECT_EQ(machine.platform.nodes[0], "x0y0z0");
  EXPECT_EQ(machine.platform.nodes[1], "x1y0z0");
  EXPECT_EQ(machine.platform.nodes[8], "x0y1z0");
  EXPECT_EQ(machine.platform.nodes[383], "x7y5z7");
  for (int i = 0; i < 8; ++i) {
    const int next = (i + 1) % 8;
    EXPECT_EQ(machine.hops(fmt::format("x{}y2z3", i), fmt::format("x{}y2z3", next)).size(), 1U) << i;
    EXPECT_EQ(machine.hops(fmt::format("x5y0z{}", i), fmt::format("x5y0z{}", next)).size(), 1U) << i;
  }
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(machine.hops(fmt::format("x5y{}z3", i), fmt::format("x5y{}z3", (i + 1) % 6)).size(), 1U) << i;
}

TEST(Torus, RoutesGoAlongOneAxisAfterTheOther) {
  Machine machine(4, 2, 4);
  // From X 1, Y 0, Z 0, a 0, b 0, c 0 to X 1, Y 1, Z 0, a 1, b 1, c 0: up Y, a and b.
  EXPECT_EQ(machine.hops("x1y0z0", "x6y4z0"),
            (Hops{"x1y0z0.icc-x1y5z0.icc:tofu>", "x1y5z0.icc-x6y5z0.icc:tofu>", "x6y5z0.icc-x6y4z0.icc:tofu>"}));
  // And back: along the same axes in the same order, so over other nodes.
  EXPECT_EQ(machine.hops("x6y4z0", "x1y0z0"),
            (Hops{"x6y1z0.icc-x6y4z0.icc:tofu<", "x1y1z0.icc-x6y1z0.icc:tofu<", "x1y0z0.icc-x1y1z0.icc:tofu<"}));
  const auto route = machine.route("x1y0z0", "x6y4z0");
  EXPECT_DOUBLE_EQ(in_microseconds(route.latency), 0.3 + 0.3 + 0.3);
  EXPECT_EQ(machine.topology.channels()[route.channels.front()].name, "x1y0z0.cpu-x1y0z0.icc:tofu>");
  EXPECT_EQ(machine.topology.channels()[route.channels.back()].name, "x6y4z0.cpu-x6y4z0.icc:tofu<");
  EXPECT_EQ(route.links.size(), 5U);
}

TEST(Torus, RoutesGoRoundARingTheShorterWay) {
  Machine machine(5, 1, 1);
  EXPECT_EQ(machine.hops("x0y0z0", "x4y0z0"), Hops{"x4y0z0.icc-x0y0z0.icc:tofu<"});
  EXPECT_EQ(machine.hops("x4y0z0", "x0y0z0"), Hops{"x4y0z0.icc-x0y0z0.icc:tofu>"});
  EXPECT_EQ(machine.hops("x0y0z0", "x2y0z0").size(), 2U);
  EXPECT_EQ(machine.hops("x0y0z0", "x3y0z0"), (Hops{"x4y0z0.icc-x0y0z0.icc:tofu<", "x3y0z0.icc-x4y0z0.icc:tofu<"}));
  EXPECT_EQ(machine.hops("x0y0z0", "x0y2z0"), Hops{"x0y2z0.icc-x0y0z0.icc:tofu<"}); // b is a ring of three
  Machine mesh(1, 3, 1);
  EXPECT_EQ(mesh.hops("x0y0z0", "x0y8z0").size(), 2U + 1U); // Y is none; b goes from 0 to 2
}

// Every node of a ring of four sends to every other. Each link carries one message between neighbours and one of
// the two that come from opposite points.
TEST(Torus, LoadsBothDirectionsOfARingAlike) {
  Machine machine(4, 1, 1);
  std::map<std::string, int> load;
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 4; ++to)
      if (from != to)
        for (const auto& hop : machine.hops(fmt::format("x{}y0z0", from), fmt::format("x{}y0z0", to)))
          ++load[hop];
  EXPECT_EQ(load.size(), 8U);
  for (const auto& [channel, messages] : load)
    EXPECT_EQ(messages, 2) << channel;
}

TEST(Torus, OfTheWholeMachineBuilds) {
  Machine machine(10, 4, 10);
  EXPECT_EQ(machine.platform.nodes.size(), 4800U);
  // X, Z and b are rings; Y, a and c leave out one link of 4, 2 and 2.
  EXPECT_EQ(machine.platform.links.size(), 4800U * (1 + 3) + 3600 + 2400 + 2400);
  EXPECT_EQ(machine.hops("x0y0z0", "x14y10z14").size(), 5U + 3U + 5U + 1U + 1U + 1U); // to X 5, Y 3, Z 5, a, b, c 1
}

// What the network's own route does not fit is searched for on the graph.
TEST(Torus, LeavesOtherLinkTypesAlone) {
  auto platform = torus_of(1, 1, 1);
  auto cable = platform.links[0];
  cable.type = link_type("ethernet");
  cable.to = *find_device(platform, "x1y0z0.cpu");
  platform.links.push_back(cable);
  platform.fabrics[0].links = {link_type("ethernet")};
  Topology topology(platform);
  const auto route = topology.route(platform.fabrics[0], 0, cable.to);
  ASSERT_TRUE(route);
  EXPECT_EQ(route->links, std::vector<std::size_t>{platform.links.size() - 1});
}

} // namespace
} // namespace kakehashi
