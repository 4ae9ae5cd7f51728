#include "topology/topology.hpp"

#include "topology/capacity.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

constexpr std::size_t cpu0 = 0, cpu1 = 1, mic = 2, hca = 3, far_hca = 4, far_cpu = 5;

Device device(const char* name, DeviceKind kind, std::optional<std::size_t> node) {
  return {name, kind, node, std::nullopt};
}

Link link(std::size_t from, std::size_t to, LinkType type, double latency_us, double gb_s) {
  Link link;
  link.name = std::to_string(from) + "-" + std::to_string(to);
  link.from = from;
  link.to = to;
  link.type = type;
  link.latency = microseconds(latency_us);
  link.bandwidth = gigabytes_per_second(gb_s);
  return link;
}

// cpu0 – cpu1 – hca – far hca – far cpu, and a coprocessor between the sockets that would be a short cut.
Platform machine() {
  Platform platform;
  platform.file = "p.json";
  platform.nodes = {"near", "far"};
  platform.devices = {device("near.cpu0", DeviceKind::cpu, 0),        device("near.cpu1", DeviceKind::cpu, 0),
                      device("near.mic", DeviceKind::coprocessor, 0), device("near.hca", DeviceKind::hca, 0),
                      device("far.hca", DeviceKind::hca, 1),          device("far.cpu0", DeviceKind::cpu, 1)};
  platform.devices[cpu1].memory = Memory{gigabytes_per_second(40), {}, {}, {}, {}};
  platform.links = {
      link(cpu0, cpu1, link_type("qpi"), 0.3, 16),         link(cpu0, mic, link_type("pcie"), 0.1, 7),
      link(mic, cpu1, link_type("pcie"), 0.1, 7),          link(cpu1, hca, link_type("pcie"), 0.1, 3),
      link(hca, far_hca, link_type("infiniband"), 0.2, 4), link(far_hca, far_cpu, link_type("pcie"), 0.1, 3),
      link(cpu1, far_cpu, link_type("ethernet"), 0.01, 5)};
  return platform;
}

Fabric fabric(std::vector<LinkType> links, std::vector<std::string> gateways = {}) {
  Fabric fabric;
  fabric.name = "f";
  fabric.links = std::move(links);
  fabric.gateways = std::move(gateways);
  return fabric;
}

TEST(Route, SumsTheLatenciesOfItsHops) {
  const auto platform = machine();
  Topology topology(platform);
  const auto route =
      topology.route(fabric({link_type("qpi"), link_type("pcie"), link_type("infiniband")}), cpu0, far_cpu);
  ASSERT_TRUE(route);
  EXPECT_DOUBLE_EQ(in_microseconds(route->latency), 0.7);
  EXPECT_EQ(route->links, (std::vector<std::size_t>{0, 3, 4, 5}));
}

TEST(Route, DoesNotPassThroughACoprocessor) {
  const auto platform = machine();
  Topology topology(platform);
  EXPECT_EQ(topology.route(fabric({link_type("qpi"), link_type("pcie")}), cpu0, cpu1)->links,
            std::vector<std::size_t>{0});
  EXPECT_EQ(topology.route(fabric({link_type("qpi"), link_type("pcie")}), mic, cpu1)->links,
            std::vector<std::size_t>{2});
}

TEST(Route, PassesTheGatewaysOfBothNodes) {
  const auto platform = machine();
  Topology topology(platform);
  const std::vector<LinkType> all{link_type("qpi"), link_type("pcie"), link_type("infiniband"), link_type("ethernet")};
  EXPECT_EQ(topology.route(fabric(all), cpu0, far_cpu)->links, (std::vector<std::size_t>{0, 6}));
  EXPECT_EQ(topology.route(fabric(all, {"hca"}), cpu0, far_cpu)->links, (std::vector<std::size_t>{0, 3, 4, 5}));
  EXPECT_EQ(topology.route(fabric(all, {"hca"}), cpu0, cpu1)->links,
            std::vector<std::size_t>{0}); // inside a node it need not
}

TEST(Channel, OfALinkHasTheRateOfItsDirection) {
  auto platform = machine();
  platform.links[0].bandwidth = Capacity{gigabytes_per_second(16), gigabytes_per_second(9)};
  Topology topology(platform);
  const auto capacity = [&](std::size_t from, std::size_t to) {
    const auto route = topology.route(fabric({link_type("qpi")}), from, to);
    return topology.channels()[route->channels.at(0)].capacity;
  };
  EXPECT_EQ(capacity(cpu0, cpu1), gigabytes_per_second(16));
  EXPECT_EQ(capacity(cpu1, cpu0), gigabytes_per_second(9));
}

TEST(Channel, OfCachesHasTheRateOfAllCores) {
  auto platform = machine();
  platform.devices[cpu0].cores = 4;
  Topology topology(platform);
  EXPECT_EQ(topology.channels()[topology.cache(cpu0).value()].capacity, 4 * usual_cache_rate);
  EXPECT_FALSE(topology.cache(cpu1));
}

TEST(Channel, OfCachesHasTheRateThatTheDeviceStates) {
  auto platform = machine();
  platform.devices[cpu0].cores = 4;
  platform.devices[cpu0].memory.emplace().cache_rate = gigabytes_per_second(3);
  Topology topology(platform);
  EXPECT_EQ(topology.channels()[topology.cache(cpu0).value()].capacity, gigabytes_per_second(12));
}

// Two adapters in each node, each pair on a switch of its own, one of them farther away.
TEST(Route, CountsTheLatencyOfLinksOutOfANode) {
  Platform platform;
  platform.nodes = {"a", "b"};
  for (const std::size_t node : {0, 1})
    for (const auto* name : {"cpu0", "hca0", "hca1"})
      platform.devices.push_back(
          device(name, std::string_view(name) == "cpu0" ? DeviceKind::cpu : DeviceKind::hca, node));
  platform.devices.push_back(device("near", DeviceKind::network_switch, std::nullopt));
  platform.devices.push_back(device("far", DeviceKind::network_switch, std::nullopt));
  for (const std::size_t first : {0, 3})
    for (const std::size_t rail : {0, 1}) {
      platform.links.push_back(link(first, first + 1 + rail, link_type("pcie"), 0.1, 3));
      platform.links.push_back(link(first + 1 + rail, 6 + rail, link_type("infiniband"), rail == 0 ? 1 : 3, 4));
    }
  Topology topology(platform);
  const auto choices = topology.choices(fabric({link_type("pcie"), link_type("infiniband")}), 0, 3);
  ASSERT_FALSE(choices.empty());
  EXPECT_DOUBLE_EQ(in_microseconds(choices[0].latency), 2.2);
  EXPECT_EQ(choices[0].equals, 1);
}

TEST(Route, GoesBackOverTheOtherDirections) {
  const auto platform = machine();
  Topology topology(platform);
  const auto there = topology.route(fabric({link_type("qpi")}), cpu0, cpu1);
  const auto back = topology.route(fabric({link_type("qpi")}), cpu1, cpu0);
  EXPECT_EQ(there->links, back->links);
  EXPECT_TRUE(shared_channels(*there, *back).empty());
}

TEST(Route, InsideADeviceIsItsMemory) {
  const auto platform = machine();
  Topology topology(platform);
  const auto inside = topology.route(fabric({}), cpu1, cpu1);
  ASSERT_EQ(inside->channels.size(), 2u); // read and written
  EXPECT_EQ(inside->channels[0], inside->channels[1]);
  EXPECT_EQ(topology.channels()[inside->channels[0]].name, "near.cpu1:memory");
  EXPECT_EQ(topology.channels()[inside->channels[0]].capacity, gigabytes_per_second(40));
  EXPECT_EQ(share_of(inside->channels, inside->channels[0], topology.channels()), gigabytes_per_second(20));
}

TEST(Route, InsideADeviceOfWhichNothingIsSaidHasAUsualMemory) {
  const auto platform = machine();
  Topology topology(platform);
  const auto inside = topology.route(fabric({}), cpu0, cpu0);
  ASSERT_EQ(inside->channels.size(), 2u);
  EXPECT_EQ(topology.channels()[inside->channels[0]].capacity, *usual_memory(DeviceKind::cpu).bandwidth);
}

TEST(Route, OfADeviceThatStatesItsCacheAloneHasTheUsualBandwidth) {
  auto platform = machine();
  platform.devices[cpu0].memory = Memory{{}, {}, {}, Bytes{64 << 20}, {}};
  assume_memories(platform);
  Topology topology(platform);
  const auto inside = topology.route(fabric({}), cpu0, cpu0);
  EXPECT_EQ(topology.channels()[inside->channels[0]].capacity, *usual_memory(DeviceKind::cpu).bandwidth);
  EXPECT_EQ(platform.devices[cpu0].memory->usual, (Source{SourceKind::assumed, "50 GB/s"}));
  EXPECT_EQ(platform.devices[cpu0].memory->cache, Bytes{64 << 20});
}

// What is stated stays, adapters have no memory, and a link of 30.2 GB/s needs one of 60.4.
TEST(AssumedMemory, IsTwiceAsFastAsTheFastestLink) {
  auto platform = machine();
  platform.links[0].bandwidth = Capacity(gigabytes_per_second(1), gigabytes_per_second(30.2));
  assume_memories(platform);
  EXPECT_EQ(platform.devices[cpu0].memory->bandwidth, gigabytes_per_second(61));
  EXPECT_EQ(platform.devices[cpu0].memory->usual, (Source{SourceKind::assumed, "61 GB/s, 20 MiB of cache"}));
  EXPECT_EQ(platform.devices[cpu1].memory->bandwidth, gigabytes_per_second(40));
  EXPECT_EQ(platform.devices[cpu1].memory->cache, usual_memory(DeviceKind::cpu).cache);
  EXPECT_EQ(platform.devices[cpu1].memory->usual, std::nullopt);
  EXPECT_EQ(platform.devices[hca].memory, std::nullopt);
  EXPECT_EQ(platform.devices[far_cpu].memory->bandwidth, usual_memory(DeviceKind::cpu).bandwidth);
}

TEST(Route, SharesTheBothDirectionsOfANicThatHasLessForThem) {
  auto platform = machine();
  platform.devices[hca].duplex_bandwidth = gigabytes_per_second(5);
  Topology topology(platform);
  const auto over = fabric({link_type("qpi"), link_type("pcie"), link_type("infiniband")});
  const auto there = topology.route(over, cpu1, far_cpu);
  const auto back = topology.route(over, far_cpu, cpu1);
  const auto both = shared_channels(*there, *back);
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(topology.channels()[both[0]].name, "near.hca:duplex");
  EXPECT_EQ(topology.channels()[both[0]].capacity, gigabytes_per_second(5));
}

TEST(Memory, OfADataSheetReachesMostOfItsRate) {
  const Memory memory{{}, 4, TransfersPerSecond{2.4e9}, {}, {}};
  EXPECT_DOUBLE_EQ(bandwidth_of(memory).value, 0.85 * 4 * 8 * 2.4e9);
}

TEST(Route, IsAnErrorWhereThereIsNone) {
  const auto platform = machine();
  Topology topology(platform);
  const auto route = topology.route(fabric({link_type("qpi")}), cpu0, far_cpu);
  ASSERT_FALSE(route);
  EXPECT_EQ(to_text(route.errors()[0]),
            "p.json: /fabrics/f/links: there is no route from \"near.cpu0\" to \"far.cpu0\" over these "
            "link types");
}

TEST(Bottleneck, IsTheNarrowestChannel) {
  const auto platform = machine();
  Topology topology(platform);
  const auto route =
      topology.route(fabric({link_type("qpi"), link_type("pcie"), link_type("infiniband")}), cpu0, far_cpu);
  EXPECT_EQ(topology.channels()[*bottleneck(route->channels, topology.channels())].name, "1-3>");
  EXPECT_EQ(bottleneck({}, topology.channels()), std::nullopt);
}

TEST(SharedChannels, AreThoseThatBothRoutesTakeInTheSameDirection) {
  const auto platform = machine();
  Topology topology(platform);
  const auto qdr = fabric({link_type("qpi"), link_type("pcie"), link_type("infiniband")});
  const auto from_cpu0 = topology.route(qdr, cpu0, far_cpu);
  const auto from_cpu1 = topology.route(qdr, cpu1, far_cpu);
  EXPECT_EQ(shared_channels(*from_cpu0, *from_cpu1), from_cpu1->channels);
}

TEST(Crossings, CountTheLinksOfAType) {
  const auto platform = machine();
  Topology topology(platform);
  const auto route =
      topology.route(fabric({link_type("qpi"), link_type("pcie"), link_type("infiniband")}), cpu0, far_cpu);
  EXPECT_EQ(route->crossings(platform, link_type("pcie")), 2);
  EXPECT_EQ(route->crossings(platform, link_type("qpi")), 1);
  EXPECT_EQ(route->crossings(platform, link_type("ethernet")), 0);
}

// Two ways of the same latency: the one with fewer hops, and always the same one.
TEST(Route, IsDeterministic) {
  auto platform = machine();
  platform.devices.push_back(device("near.switch", DeviceKind::network_switch, 0));
  platform.links.push_back(link(cpu0, 6, link_type("qpi"), 0.1, 16));
  platform.links.push_back(link(6, cpu1, link_type("qpi"), 0.2, 16));
  for (int i = 0; i < 3; ++i) {
    Topology topology(platform);
    EXPECT_EQ(topology.route(fabric({link_type("qpi")}), cpu0, cpu1)->links, std::vector<std::size_t>{0});
  }
}

} // namespace
} // namespace kakehashi
