#include "study/explain/explanations.hpp"

#include "topology/topology.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Two CPUs of one node, and a coprocessor; a fabric whose first regime states all that a regime can.
Platform small_platform() {
  Platform platform;
  platform.nodes = {"n"};
  platform.devices = {{"n.cpu0", DeviceKind::cpu, 0, std::nullopt},
                      {"n.cpu1", DeviceKind::cpu, 0, std::nullopt},
                      {"n.mic", DeviceKind::coprocessor, 0, std::nullopt}};
  const auto add_link = [&](std::size_t from, std::size_t to, const char* type) {
    Link link;
    link.from = from;
    link.to = to;
    link.type = link_type(type);
    link.latency = microseconds(0.1);
    link.bandwidth = gigabytes_per_second(4);
    platform.links.push_back(link);
  };
  add_link(0, 1, "qpi");
  add_link(1, 2, "pcie");
  Fabric fabric;
  fabric.name = "net";
  fabric.links = {link_type("qpi"), link_type("pcie")};
  Regime regime;
  regime.send_overhead[static_cast<std::size_t>(DeviceKind::cpu)] = microseconds(1);
  regime.receive_overhead[static_cast<std::size_t>(DeviceKind::cpu)] = microseconds(9); // of nobody's core here
  regime.receive_overhead[static_cast<std::size_t>(DeviceKind::coprocessor)] = microseconds(3);
  regime.setup = microseconds(2);
  regime.cap = gigabytes_per_second(2);
  regime.alignment = Alignment{Bytes{64}, microseconds(0.5)};
  fabric.rules.emplace_back().regimes = {regime};
  Adjustment adjustment;
  adjustment.crosses = link_type("qpi");
  adjustment.copy_factor = 1.1;
  fabric.adjustments = {adjustment};
  platform.fabrics = {fabric};
  return platform;
}

TEST(Parameters, AreTheNumbersThatMessagesMayDependOn) {
  const auto platform = small_platform();
  Topology topology(platform);
  const auto way = make_way(platform, topology, platform.fabrics[0], 0, 2);
  ASSERT_TRUE(way);
  std::string names;
  for (const auto& parameter : parameters_of(platform, {&*way}))
    names += parameter.place + " " + parameter.what + "\n";
  EXPECT_EQ(names, "/fabrics/net/adjustments/0 copy_factor\n"
                   "/fabrics/net/rules/0/regimes/0 alignment/penalty\n"
                   "/fabrics/net/rules/0/regimes/0 cap\n"
                   "/fabrics/net/rules/0/regimes/0 o_recv coprocessor\n"
                   "/fabrics/net/rules/0/regimes/0 o_send cpu\n"
                   "/fabrics/net/rules/0/regimes/0 setup\n"
                   "pcie links of 4000 MB/s and 0.1 us bandwidth\n"
                   "pcie links of 4000 MB/s and 0.1 us latency\n"
                   "qpi links of 4000 MB/s and 0.1 us bandwidth\n"
                   "qpi links of 4000 MB/s and 0.1 us latency\n");
}

TEST(Parameters, GetBetterByAShare) {
  auto platform = small_platform();
  Topology topology(platform);
  const auto way = make_way(platform, topology, platform.fabrics[0], 0, 2);
  ASSERT_TRUE(way);
  auto better = platform;
  for (const auto& parameter : parameters_of(platform, {&*way}))
    improve(parameter, better, 0.1);
  const auto& regime = better.fabrics[0].rules[0].regimes[0];
  EXPECT_DOUBLE_EQ(in_microseconds(of_kind(regime.send_overhead, DeviceKind::cpu)), 1 / 1.1);
  EXPECT_DOUBLE_EQ(in_microseconds(of_kind(regime.receive_overhead, DeviceKind::cpu)), 9);
  EXPECT_DOUBLE_EQ(in_microseconds(of_kind(regime.receive_overhead, DeviceKind::coprocessor)), 3 / 1.1);
  EXPECT_DOUBLE_EQ(in_microseconds(regime.setup), 2 / 1.1);
  EXPECT_DOUBLE_EQ(regime.cap->value, 2.2e9);
  EXPECT_DOUBLE_EQ(in_microseconds(regime.alignment->penalty), 0.5 / 1.1);
  EXPECT_DOUBLE_EQ(better.fabrics[0].adjustments[0].copy_factor, 1);
  EXPECT_DOUBLE_EQ(better.links[0].bandwidth->forward.value, 4.4e9);
}

TEST(Parameters, OfALinkAreItsLatencyAndTheBandwidthOfItsDataSheet) {
  auto platform = small_platform();
  auto& link = platform.links[0];
  link.bandwidth.reset();
  link.rating.emplace().transfers = TransfersPerSecond{9e9}; // 16 GB/s
  link.latency = {};
  Topology topology(platform);
  const auto way = make_way(platform, topology, platform.fabrics[0], 0, 1);
  ASSERT_TRUE(way);
  auto better = platform;
  std::string names;
  for (const auto& parameter : parameters_of(platform, {&*way}))
    if (parameter.place.starts_with("qpi")) {
      names += parameter.place + " " + parameter.what + "\n";
      improve(parameter, better, 0.1);
    }
  EXPECT_EQ(names, "qpi links of 16000 MB/s and 0 us bandwidth\n");
  EXPECT_DOUBLE_EQ(better.links[0].bandwidth->forward.value, 17.6e9);
  EXPECT_DOUBLE_EQ(better.links[0].bandwidth->backward.value, 17.6e9);
  EXPECT_DOUBLE_EQ(better.links[1].bandwidth->forward.value, 4e9);
}

TEST(Parameters, OfADeviceAreItsMemorysRate) {
  auto platform = small_platform();
  platform.devices[0].memory = Memory{gigabytes_per_second(10), {}, {}, {}, {}};
  Topology topology(platform);
  const auto way = make_way(platform, topology, platform.fabrics[0], 0, 0);
  ASSERT_TRUE(way);
  const auto parameters = parameters_of(platform, {&*way});
  const auto memory = std::find_if(parameters.begin(), parameters.end(), [](const Parameter& parameter) {
    return parameter.place == "cpu memories of 10000 MB/s";
  });
  ASSERT_NE(memory, parameters.end());
  EXPECT_EQ(memory->what, "bandwidth");
  improve(*memory, platform, 0.1);
  EXPECT_DOUBLE_EQ(platform.devices[0].memory->bandwidth->value, 11e9);
}

TEST(Parameters, KnowTheirSources) {
  auto platform = small_platform();
  platform.fabrics[0].rules[0].regimes[0].source = {SourceKind::document, "text", {"claim"}};
  platform.links[0].source = std::make_shared<const Source>(Source{SourceKind::spec, "sheet"});
  Topology topology(platform);
  const auto way = make_way(platform, topology, platform.fabrics[0], 0, 2);
  ASSERT_TRUE(way);
  std::string sources;
  for (const auto& parameter : parameters_of(platform, {&*way}))
    if (parameter.what == "cap" || parameter.what == "bandwidth")
      for (const auto& source : parameter.sources)
        sources += parameter.what + " " + source.from + "\n";
  EXPECT_EQ(sources, "cap text\nbandwidth sheet\n");
}

TEST(Thresholds, MoveBothRegimesAndStayBetweenTheirNeighbours) {
  auto platform = small_platform();
  auto& regimes = platform.fabrics[0].rules[0].regimes;
  regimes.resize(3, regimes[0]);
  regimes[0].to = regimes[1].from = Bytes{1024};
  regimes[1].to = regimes[2].from = Bytes{1536};
  regimes[2].to.reset();
  Topology topology(platform);
  const auto way = make_way(platform, topology, platform.fabrics[0], 0, 2);
  ASSERT_TRUE(way);
  const auto thresholds = thresholds_of(platform, {&*way});
  ASSERT_EQ(thresholds.size(), 2u);
  EXPECT_EQ(thresholds[0].name(), "/fabrics/net threshold 1 KiB");
  auto halved = platform;
  thresholds[0].scale(halved, 0.5);
  EXPECT_EQ(halved.fabrics[0].rules[0].regimes[0].to, Bytes{512});
  EXPECT_EQ(halved.fabrics[0].rules[0].regimes[1].from, Bytes{512});
  auto doubled = platform;
  thresholds[0].scale(doubled, 2);
  EXPECT_EQ(doubled.fabrics[0].rules[0].regimes[1].from, Bytes{1536}); // the second regime vanishes
}

} // namespace
} // namespace kakehashi
