// Which of several ways is the route, worked out by hand.
#include "input/platform/platform_reader.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

namespace kakehashi {
namespace {

// The parts of a platform file but its name; fabric "f" takes all types of links.
Platform platform_of(const std::string& parts, const std::string& more = "") {
  const auto text = fmt::format(R"({{"name": "p", {}, "fabrics": {{"f": {{"links": ["pcie", "nvlink", "ethernet"] {},
    "rules": [{{"regimes": [{{"from": "0 B"}}]}}]}}}}}})",
                                parts, more);
  auto platform = parse_platform(*parse_json(text, "p.json"));
  EXPECT_TRUE(platform) << (platform ? "" : to_text(platform.errors()[0]));
  return platform ? *platform : Platform{};
}

// Links that make every type of the fabric one that the platform has.
constexpr const char* spare = R"({"between": ["spare0", "spare1"], "type": "pcie", "bandwidth": "1 GB/s"},
    {"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"},
    {"between": ["spare0", "spare1"], "type": "ethernet", "bandwidth": "1 GB/s"})";

struct Routed {
  Platform platform;
  Topology topology{platform};

  std::vector<std::string> hops(const std::string& from, const std::string& to) {
    std::vector<std::string> names;
    const auto route = topology.route(platform.fabrics[0], *find_device(platform, from), *find_device(platform, to));
    for (const auto channel : route ? route->channels : std::vector<std::size_t>())
      names.push_back(topology.channels()[channel].name);
    return names;
  }
  std::vector<RouteChoice> choices(const std::string& from, const std::string& to) {
    return topology.choices(platform.fabrics[0], *find_device(platform, from), *find_device(platform, to));
  }
};

using Hops = std::vector<std::string>;

// Over the socket 0.3 us + 65536 B / 25 GB/s = 2.921 us; over NVLink `latency` + 65536 B / 100 GB/s, which is 0.655 us.
Routed gpus(const std::string& latency) {
  return {platform_of(fmt::format(R"("templates": {{"t": {{
      "devices": [{{"name": "cpu", "kind": "cpu"}}, {{"name": "gpu[0-1]", "kind": "gpu"}},
                  {{"name": "spare[0-1]", "kind": "switch"}}],
      "links": [{{"between": ["cpu", "gpu[0-1]"], "type": "pcie", "bandwidth": "25 GB/s", "latency": "0.15 us"}},
                {{"between": ["gpu0", "gpu1"], "type": "nvlink", "bandwidth": "100 GB/s", "latency": "{}"}}, {}]}}}},
      "nodes": {{"n": "t"}})",
                                  latency, spare))};
}

TEST(Way, OfTheLeastTimeBeatsThatOfTheLeastLatency) {
  EXPECT_EQ(gpus("2.2 us").hops("n.gpu0", "n.gpu1"), (Hops{"n.gpu0-n.gpu1:nvlink>"}));
  EXPECT_EQ(gpus("2.3 us").hops("n.gpu0", "n.gpu1"), (Hops{"n.cpu-n.gpu0:pcie<", "n.cpu-n.gpu1:pcie>"}));
}

TEST(Way, IsOneOfTheChoices) {
  const auto choices = gpus("2.2 us").choices("n.gpu0", "n.gpu1");
  ASSERT_EQ(choices.size(), 2U);
  EXPECT_EQ(choices[0].links.size(), 1U);
  EXPECT_NEAR(in_microseconds(choices[0].time), 2.85536, 1e-6);
  EXPECT_EQ(choices[1].links.size(), 2U);
  EXPECT_NEAR(in_microseconds(choices[1].time), 2.92144, 1e-6);
  EXPECT_DOUBLE_EQ(choices[1].rate.value, 25e9);
}

// Four nodes on each of two leaves; two spines.
Routed tree() {
  return {platform_of(fmt::format(R"("templates": {{"t": {{"devices": [{{"name": "cpu", "kind": "cpu"}},
      {{"name": "nic", "kind": "nic"}}],
      "links": [{{"between": ["cpu", "nic"], "type": "pcie", "bandwidth": "25 GB/s", "latency": "0.1 us"}}]}}}},
      "nodes": {{"n[0-7]": "t"}}, "devices": [{{"name": "spare[0-1]", "kind": "switch"}}], "links": [{}],
      "networks": {{"net": {{"kind": "fat-tree", "joins": ["n[0-7].nic"], "ports": 8, "levels": 2,
                             "link": {{"type": "ethernet", "bandwidth": "10 GB/s", "latency": "0.5 us"}}}}}})",
                                  R"({"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"})"))};
}

TEST(EqualWays, AreChosenByTheDestination) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu", "kind": "cpu"}]}},
      "nodes": {"n[0-7]": "t"}, "devices": [{"name": "leaf[0-1]", "kind": "switch"}, {"name": "spine[0-1]", "kind": "switch"}],
      "links": [{"between": ["n[0-3].cpu", "leaf0"], "type": "ethernet", "bandwidth": "1 GB/s"},
                {"between": ["n[4-7].cpu", "leaf1"], "type": "ethernet", "bandwidth": "1 GB/s"},
                {"between": ["leaf0", "spine[0-1]"], "type": "ethernet", "bandwidth": "2 GB/s"},
                {"between": ["leaf1", "spine[0-1]"], "type": "ethernet", "bandwidth": "2 GB/s"},
                {"between": ["spine0", "spine1"], "type": "nvlink", "bandwidth": "1 GB/s"},
                {"between": ["spine0", "spine1"], "type": "pcie", "bandwidth": "1 GB/s"}])")};
  const auto spine = [&](const std::string& from, const std::string& to) { return machine.hops(from, to).at(2); };
  for (const char* from : {"n0.cpu", "n3.cpu"}) { // whoever sends
    EXPECT_EQ(spine(from, "n4.cpu"), "leaf1-spine0:ethernet<");
    EXPECT_EQ(spine(from, "n5.cpu"), "leaf1-spine1:ethernet<");
    EXPECT_EQ(spine(from, "n6.cpu"), "leaf1-spine0:ethernet<");
  }
  EXPECT_EQ(machine.choices("n0.cpu", "n4.cpu").at(0).equals, 2);
  EXPECT_EQ(machine.choices("n0.cpu", "n1.cpu").at(0).equals, 1);
}

// Switches know adapters: all that goes to one takes the same way between them, whichever socket it is for.
TEST(EqualWays, AreThoseOfTheAdapter) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu[0-1]", "kind": "cpu"},
      {"name": "nic", "kind": "nic"}, {"name": "spare[0-1]", "kind": "switch"}],
      "links": [{"between": ["cpu[0-1]", "nic"], "type": "pcie", "bandwidth": "9 GB/s"},
                {"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"}]}},
      "nodes": {"n[0-3]": "t"}, "devices": [{"name": "leaf[0-1]", "kind": "switch"}, {"name": "spine[0-1]", "kind": "switch"}],
      "links": [{"between": ["n[0-1].nic", "leaf0"], "type": "ethernet", "bandwidth": "1 GB/s"},
                {"between": ["n[2-3].nic", "leaf1"], "type": "ethernet", "bandwidth": "1 GB/s"},
                {"between": ["leaf0", "spine[0-1]"], "type": "ethernet", "bandwidth": "2 GB/s"},
                {"between": ["leaf1", "spine[0-1]"], "type": "ethernet", "bandwidth": "2 GB/s"}])")};
  const auto spine = [&](const std::string& to) { return machine.hops("n0.cpu0", to).at(3); };
  EXPECT_EQ(spine("n2.cpu0"), spine("n2.cpu1"));
  EXPECT_EQ(spine("n3.cpu0"), spine("n3.cpu1"));
  EXPECT_NE(spine("n2.cpu0"), spine("n3.cpu0"));
}

// Two sockets with an adapter each on one switch, whose cables are faster than the link between the sockets.
TEST(Way, LeavesANodeForItselfOnlyWhereNothingElseJoins) {
  const auto machine = [](const std::string& socket_link) {
    return Routed{platform_of(fmt::format(R"("templates": {{"t": {{"devices": [{{"name": "cpu[0-1]", "kind": "cpu"}},
        {{"name": "nic[0-1]", "kind": "nic"}}], "links": [{{"between": ["cpu0", "{}"], "type": "nvlink", "bandwidth": "1 GB/s"}},
        {{"between": ["cpu[0-1]", "nic[0-1]"], "type": "pcie", "bandwidth": "50 GB/s"}}]}}}}, "nodes": {{"n[0-1]": "t"}},
        "networks": {{"net": {{"kind": "switch", "joins": ["n[0-1].nic[0-1]"],
                               "link": {{"type": "ethernet", "bandwidth": "40 GB/s"}}}}}})",
                                          socket_link))};
  };
  EXPECT_EQ(machine("cpu1").hops("n0.cpu0", "n0.cpu1"), (Hops{"n0.cpu0-n0.cpu1:nvlink>"}));
  EXPECT_EQ(machine("nic0").hops("n0.cpu0", "n0.cpu1").size(), 4U);
}

// Two sockets with an adapter each; the cables of the nearest adapters are slow, or there is none.
std::string two_adapters(const std::string& near_cables) {
  return fmt::format(R"("templates": {{"t": {{"devices": [{{"name": "cpu[0-1]", "kind": "cpu"}},
        {{"name": "nic[0-1]", "kind": "nic"}}], "links": [{{"between": ["cpu0", "cpu1"], "type": "nvlink", "bandwidth": "50 GB/s"}},
        {{"between": ["cpu[0-1]", "nic[0-1]"], "type": "pcie", "bandwidth": "50 GB/s"}}]}}}}, "nodes": {{"n[0-1]": "t"}},
        "devices": [{{"name": "s", "kind": "switch"}}], "links": [{}
            {{"between": ["n[0-1].nic1", "s"], "type": "ethernet", "bandwidth": "10 GB/s"}}])",
                     near_cables);
}

TEST(Way, LeavesANodeOverTheNearestGatewaysOwnCable) {
  const std::string slow = R"({"between": ["n[0-1].nic0", "s"], "type": "ethernet", "bandwidth": "0.1 GB/s"},)";
  const Hops over_near{"n0.cpu0-n0.nic0:pcie>", "n0.nic0-s:ethernet>", "n1.nic0-s:ethernet<", "n1.cpu0-n1.nic0:pcie<"};
  const Hops over_far{"n0.cpu0-n0.cpu1:nvlink>", "n0.cpu1-n0.nic1:pcie>", "n0.nic1-s:ethernet>",
                      "n1.nic1-s:ethernet<",     "n1.cpu1-n1.nic1:pcie<", "n1.cpu0-n1.cpu1:nvlink<"};
  const std::string gateways = R"(, "gateways": ["nic0", "nic1"])";
  EXPECT_EQ(Routed{platform_of(two_adapters(slow))}.hops("n0.cpu0", "n1.cpu0"), over_far);
  EXPECT_EQ(Routed{platform_of(two_adapters(slow), gateways)}.hops("n0.cpu0", "n1.cpu0"), over_near);
  EXPECT_EQ(Routed{platform_of(two_adapters(""), gateways)}.hops("n0.cpu0", "n1.cpu0"), over_far);
}

// An adapter with a link to each socket is no bridge between them.
TEST(Way, PassesNoAdapterInsideANode) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu[0-1]", "kind": "cpu"},
      {"name": "nic", "kind": "nic"}], "links": [{"between": ["cpu0", "cpu1"], "type": "nvlink", "bandwidth": "1 GB/s"},
      {"between": ["cpu[0-1]", "nic"], "type": "pcie", "bandwidth": "50 GB/s"}]}}, "nodes": {"n[0-1]": "t"},
      "links": [{"between": ["n0.nic", "n1.nic"], "type": "ethernet", "bandwidth": "10 GB/s"}])")};
  EXPECT_EQ(machine.hops("n0.cpu0", "n0.cpu1"), (Hops{"n0.cpu0-n0.cpu1:nvlink>"}));
  EXPECT_EQ(machine.hops("n0.cpu1", "n1.cpu0"),
            (Hops{"n0.cpu1-n0.nic:pcie>", "n0.nic-n1.nic:ethernet>", "n1.cpu0-n1.nic:pcie<"}));
}

// Nodes with two adapters on one tree: each of the four spines gets one of the four adapters of a leaf.
TEST(EqualWays, AreAsManyAsTheAdaptersOfALeaf) {
  Routed machine{platform_of(
      R"("templates": {"t": {"devices": [{"name": "cpu[0-1]", "kind": "cpu"}, {"name": "nic[0-1]", "kind": "nic"}],
      "links": [{"between": ["cpu[0-1]", "nic[0-1]"], "type": "pcie", "bandwidth": "9 GB/s"}]}}, "nodes": {"n[0-15]": "t"},
      "devices": [{"name": "spare[0-1]", "kind": "switch"}],
      "links": [{"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"}],
      "networks": {"net": {"kind": "fat-tree", "joins": ["n[0-15].nic[0-1]"], "ports": 8,
                           "link": {"type": "ethernet", "bandwidth": "1 GB/s"}}})")};
  std::set<std::string> down;
  for (const char* to : {"n14.cpu0", "n14.cpu1", "n15.cpu0", "n15.cpu1"})
    down.insert(machine.hops("n0.cpu0", to).at(3));
  EXPECT_EQ(down.size(), 4U);
}

TEST(FatTree, BundlesTheCablesBetweenTwoSwitches) {
  auto machine = tree(); // 4 links up from a leaf, 1 spine for 2 leaves of 8 ports
  EXPECT_EQ(machine.hops("n0.cpu", "n7.cpu"),
            (Hops{"n0.cpu-n0.nic:pcie>", "n0.nic-net-leaf0:ethernet>", "net-leaf0-net-spine0:ethernet>",
                  "net-leaf1-net-spine0:ethernet<", "n7.nic-net-leaf1:ethernet<", "n7.cpu-n7.nic:pcie<"}));
  EXPECT_EQ(machine.hops("n0.cpu", "n3.cpu").size(), 4U);
  const auto& channels = machine.topology.channels();
  const auto up = std::ranges::find(channels, "net-leaf0-net-spine0:ethernet>", &Channel::name);
  ASSERT_NE(up, channels.end());
  EXPECT_EQ(up->capacity, gigabytes_per_second(40));
}

// Routers of a torus of 3 by 4, numbered with the first dimension fastest, and a node at each.
TEST(Torus, IsPassedAlongOneDimensionAfterTheOther) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu", "kind": "cpu"}]}},
      "nodes": {"n[0-11]": "t"}, "devices": [{"name": "r[0-11]", "kind": "switch"}, {"name": "spare[0-1]", "kind": "switch"}],
      "links": [{"between": ["n[0-11].cpu", "r[0-11]"], "type": "ethernet", "bandwidth": "1 GB/s"},
                {"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"},
                {"between": ["spare0", "spare1"], "type": "pcie", "bandwidth": "1 GB/s"}],
      "networks": {"net": {"kind": "torus", "joins": ["r[0-11]"], "shape": [3, 4],
                           "link": {"type": "ethernet", "bandwidth": "2 GB/s"}}})")};
  const auto between_routers = [&](const std::string& from, const std::string& to) {
    const auto hops = machine.hops(from + ".cpu", to + ".cpu");
    return Hops(hops.begin() + 1, hops.end() - 1);
  };
  EXPECT_EQ(between_routers("n0", "n4"), (Hops{"r0-r1:ethernet>", "r1-r4:ethernet>"}));
  EXPECT_EQ(between_routers("n4", "n0"), (Hops{"r3-r4:ethernet<", "r0-r3:ethernet<"}));
  EXPECT_EQ(between_routers("n0", "n11"), (Hops{"r2-r0:ethernet<", "r11-r2:ethernet<"})); // around both rings
  // Half around a ring, even nodes are reached upwards and odd ones downwards, from wherever.
  EXPECT_EQ(between_routers("n0", "n6"), (Hops{"r0-r3:ethernet>", "r3-r6:ethernet>"}));
  EXPECT_EQ(between_routers("n8", "n2"), (Hops{"r8-r11:ethernet>", "r11-r2:ethernet>"}));
  EXPECT_EQ(between_routers("n3", "n9"), (Hops{"r0-r3:ethernet<", "r9-r0:ethernet<"}));
  EXPECT_EQ(between_routers("n9", "n3"), (Hops{"r6-r9:ethernet<", "r3-r6:ethernet<"}));
  EXPECT_EQ(machine.choices("n0.cpu", "n4.cpu").at(0).equals, 1);
  EXPECT_EQ(machine.choices("n0.cpu", "n6.cpu").at(0).equals, 2);
}

// Two adapters a node, each on a switch of its own.
TEST(EqualWays, OverTwoRailsStayOnOne) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu", "kind": "cpu"},
      {"name": "nic[0-1]", "kind": "nic"}, {"name": "spare[0-1]", "kind": "switch"}],
      "links": [{"between": ["cpu", "nic[0-1]"], "type": "pcie", "bandwidth": "25 GB/s"},
                {"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"}]}}, "nodes": {"n[0-3]": "t"},
      "networks": {"rail": {"kind": "switch", "joins": ["n[0-3].nic[0-1]"], "rails": 2,
                            "link": {"type": "ethernet", "bandwidth": "10 GB/s"}}})")};
  EXPECT_EQ(machine.hops("n0.cpu", "n2.cpu"), (Hops{"n0.cpu-n0.nic0:pcie>", "n0.nic0-rail0:ethernet>",
                                                    "n2.nic0-rail0:ethernet<", "n2.cpu-n2.nic0:pcie<"}));
  EXPECT_EQ(machine.hops("n0.cpu", "n3.cpu")[1], "n0.nic1-rail1:ethernet>");
  EXPECT_EQ(machine.choices("n0.cpu", "n3.cpu").at(0).equals, 2);
}

// The nodes in the middle of a chain carry what is not theirs, since there is no other way.
TEST(Way, PassesOtherNodesIfNothingElseJoinsTheEnds) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu", "kind": "cpu"},
      {"name": "nic[0-1]", "kind": "nic"}, {"name": "spare[0-1]", "kind": "switch"}],
      "links": [{"between": ["cpu", "nic[0-1]"], "type": "pcie", "bandwidth": "25 GB/s"},
                {"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"}]}}, "nodes": {"n[0-2]": "t"},
      "links": [{"between": ["n0.nic1", "n1.nic0"], "type": "ethernet", "bandwidth": "10 GB/s"},
                {"between": ["n1.nic1", "n2.nic0"], "type": "ethernet", "bandwidth": "10 GB/s"}])")};
  EXPECT_EQ(machine.hops("n0.cpu", "n2.cpu").size(), 6U);
  EXPECT_EQ(machine.hops("n0.cpu", "n1.cpu").size(), 3U);
}

// Of the middle node's gateways only one leads to the end of the chain; neither passes messages to the other.
TEST(Way, PassesOtherNodesOverTheGatewaysOwnCables) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu", "kind": "cpu"},
      {"name": "nic[0-1]", "kind": "nic"}, {"name": "spare[0-1]", "kind": "switch"}],
      "links": [{"between": ["cpu", "nic[0-1]"], "type": "pcie", "bandwidth": "25 GB/s"},
                {"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"}]}}, "nodes": {"n[0-3]": "t"},
      "links": [{"between": ["n0.nic1", "n1.nic0"], "type": "ethernet", "bandwidth": "10 GB/s"},
                {"between": ["n1.nic1", "n2.nic0"], "type": "ethernet", "bandwidth": "10 GB/s"},
                {"between": ["n2.nic1", "n3.nic0"], "type": "ethernet", "bandwidth": "10 GB/s"}])",
                             R"(, "gateways": ["nic0", "nic1"])")};
  EXPECT_EQ(machine.hops("n1.cpu", "n3.cpu"),
            (Hops{"n1.cpu-n1.nic1:pcie>", "n1.nic1-n2.nic0:ethernet>", "n2.cpu-n2.nic0:pcie<", "n2.cpu-n2.nic1:pcie>",
                  "n2.nic1-n3.nic0:ethernet>", "n3.cpu-n3.nic0:pcie<"}));
  EXPECT_EQ(machine.hops("n0.cpu", "n3.cpu").size(), 9U);
}

// The gateway's cable is slow, and the adapter beside it, whose cable is fast, is none.
TEST(Way, PassesOtherNodesOverTheGatewayAlone) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu", "kind": "cpu"},
      {"name": "nic[0-2]", "kind": "nic"}, {"name": "spare[0-1]", "kind": "switch"}],
      "links": [{"between": ["cpu", "nic[0-2]"], "type": "pcie", "bandwidth": "25 GB/s"},
                {"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"}]}}, "nodes": {"n[0-2]": "t"},
      "links": [{"between": ["n0.nic0", "n1.nic0"], "type": "ethernet", "bandwidth": "0.1 GB/s"},
                {"between": ["n0.nic1", "n1.nic2"], "type": "ethernet", "bandwidth": "10 GB/s"},
                {"between": ["n1.nic1", "n2.nic0"], "type": "ethernet", "bandwidth": "10 GB/s"}])",
                             R"(, "gateways": ["nic0"])")};
  EXPECT_EQ(machine.hops("n0.cpu", "n2.cpu").at(1), "n0.nic0-n1.nic0:ethernet>");
}

// A ring of devices that forward: the shorter way round.
TEST(Way, GoesRoundARingTheShorterWay) {
  Routed machine{platform_of(R"("templates": {"t": {"devices": [{"name": "cpu", "kind": "cpu"},
      {"name": "nic", "kind": "nic"}, {"name": "spare[0-1]", "kind": "switch"}],
      "links": [{"between": ["cpu", "nic"], "type": "pcie", "bandwidth": "25 GB/s"},
                {"between": ["spare0", "spare1"], "type": "nvlink", "bandwidth": "1 GB/s"}]}}, "nodes": {"n[0-7]": "t"},
      "networks": {"r": {"kind": "ring", "joins": ["n[0-7].nic"],
                         "link": {"type": "ethernet", "bandwidth": "10 GB/s", "latency": "1 us"}}})",
                             R"(, "gateways": ["nic"])")};
  EXPECT_EQ(machine.hops("n0.cpu", "n6.cpu"),
            (Hops{"n0.cpu-n0.nic:pcie>", "n7.nic-n0.nic:ethernet<", "n6.nic-n7.nic:ethernet<", "n6.cpu-n6.nic:pcie<"}));
  EXPECT_EQ(machine.hops("n0.cpu", "n4.cpu").size(), 6U);
  EXPECT_EQ(machine.choices("n0.cpu", "n4.cpu").at(0).equals, 2);
}

} // namespace
} // namespace kakehashi
