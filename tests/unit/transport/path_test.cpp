#include "transport/path.hpp"

#include "engine/mpi/peer_platform.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

Platform machine() {
  Platform platform;
  platform.file = "p.json";
  platform.nodes = {"a", "b"};
  platform.devices = {{"a.cpu0", DeviceKind::cpu, 0, {}},
                      {"a.cpu1", DeviceKind::cpu, 0, {}},
                      {"a.mic", DeviceKind::coprocessor, 0, {}},
                      {"b.cpu0", DeviceKind::cpu, 1, {}}};
  const auto link = [](std::size_t from, std::size_t to, LinkType type) {
    Link link;
    link.from = from;
    link.to = to;
    link.type = type;
    link.bandwidth = gigabytes_per_second(1);
    return link;
  };
  platform.links = {link(0, 1, link_type("qpi")), link(0, 2, link_type("pcie")), link(0, 3, link_type("ethernet"))};
  return platform;
}

Rule rule(std::optional<Scope> scope, std::optional<std::array<DeviceKind, 2>> between,
          std::optional<LinkType> crosses) {
  return {scope, between, crosses, {Regime{}}};
}

Fabric fabric(std::vector<Rule> rules) {
  Fabric fabric;
  fabric.name = "f";
  fabric.links = {link_type("qpi"), link_type("pcie"), link_type("ethernet")};
  fabric.rules = std::move(rules);
  return fabric;
}

// Which rule applies from one device to another; -1 for none.
long rule_for(const Fabric& fabric, std::size_t from, std::size_t to) {
  const auto platform = machine();
  Topology topology(platform);
  const auto path = make_path(platform, topology, fabric, from, to);
  return path ? path->terms.rule - fabric.rules.data() : -1;
}

TEST(Scope, IsDeviceNodeOrBeyond) {
  const auto platform = machine();
  EXPECT_EQ(scope_of(platform, 0, 0), Scope::inside_device);
  EXPECT_EQ(scope_of(platform, 0, 2), Scope::inside_node);
  EXPECT_EQ(scope_of(platform, 0, 3), Scope::between_nodes);
}

TEST(Rules, AreChosenByScope) {
  const auto scoped = fabric({rule(Scope::inside_node, {}, {}), rule(Scope::between_nodes, {}, {})});
  EXPECT_EQ(rule_for(scoped, 0, 1), 0);
  EXPECT_EQ(rule_for(scoped, 1, 3), 1);
  EXPECT_EQ(rule_for(scoped, 1, 1), -1);
}

TEST(Rules, AreChosenByKindsInEitherOrder) {
  const auto by_kind = fabric({rule({}, {{DeviceKind::coprocessor, DeviceKind::cpu}}, {}), rule({}, {}, {})});
  EXPECT_EQ(rule_for(by_kind, 0, 2), 0);
  EXPECT_EQ(rule_for(by_kind, 2, 0), 0);
  EXPECT_EQ(rule_for(by_kind, 0, 3), 1);
  EXPECT_EQ(rule_for(by_kind, 2, 2), 1);
}

TEST(Rules, AreChosenByALinkTypeOnTheRoute) {
  const auto by_link = fabric({rule({}, {}, link_type("qpi")), rule({}, {}, {})});
  EXPECT_EQ(rule_for(by_link, 1, 3), 0);
  EXPECT_EQ(rule_for(by_link, 0, 3), 1);
}

TEST(Rules, TheFirstThatMatchesApplies) {
  const auto two = fabric({rule({}, {}, link_type("qpi")), rule(Scope::between_nodes, {}, {}), rule({}, {}, {})});
  EXPECT_EQ(rule_for(two, 1, 3), 0);
  EXPECT_EQ(rule_for(two, 2, 3), 1);
  EXPECT_EQ(rule_for(two, 0, 2), 2);
}

TEST(Path, WithoutARuleIsAnError) {
  const auto platform = machine();
  Topology topology(platform);
  const auto scoped = fabric({rule(Scope::between_nodes, {}, {})});
  const auto path = make_path(platform, topology, scoped, 0, 2);
  ASSERT_FALSE(path);
  EXPECT_EQ(to_text(path.errors()[0]),
            "p.json: /fabrics/f/rules: no rule fits \"a.cpu0\" to \"a.mic\" (inside-node, cpu to "
            "coprocessor)");
}

// a.cpu1 –qpi– a.cpu0 –pcie– a.nic –ethernet– b.cpu0
TEST(Fetch, GoesFromTheAdapterToTheSendersMemoryAndBack) {
  auto platform = machine();
  platform.devices[2] = {"a.nic", DeviceKind::nic, 0, {}};
  platform.links[2].from = 2;
  for (std::size_t i = 0; i < platform.links.size(); ++i)
    platform.links[i].latency = microseconds(0.1 * static_cast<double>(i + 1));
  auto made = fabric({rule({}, {}, {})});
  made.fetch = Fetch{Bytes{128}, {}};
  Adjustment crossing{link_type("qpi"), {}, microseconds(0.3), {}, 1, {}, {}};
  made.adjustments = {crossing};
  crossing.protocol = Protocol::rendezvous; // a payload that is asked for is none of those
  made.adjustments.push_back(crossing);
  Topology topology(platform);
  const auto fetch = [&](std::size_t from, std::size_t to) { return make_path(platform, topology, made, from, to); };
  EXPECT_NEAR(in_microseconds(fetch(1, 3)->terms.fetch), 2 * (0.1 + 0.3 + 0.2), 1e-9);
  EXPECT_NEAR(in_microseconds(fetch(0, 3)->terms.fetch), 2 * 0.2, 1e-9);
  EXPECT_EQ(fetch(3, 0)->terms.fetch, Seconds{}); // has no adapter
  EXPECT_EQ(fetch(0, 1)->terms.fetch, Seconds{}); // passes none
}

TEST(Way, IsOnTheFabricOfItsScope) {
  using namespace peer;
  const auto made = peer::platform();
  add_stages(*made, {});
  made->fabrics.push_back(peer::fabric("own"));
  Fabric mixed;
  mixed.name = "mixed";
  mixed.by_scope = {"own", "net", "staged"};
  made->fabrics.push_back(mixed);
  Topology topology(*made);
  const auto fabrics = [&](std::size_t from, std::size_t to) {
    std::vector<std::string> names;
    const auto way = make_way(*made, topology, made->fabrics.back(), from, to);
    if (!way)
      return std::vector{to_text(way.errors().front())};
    for (const auto& stage : way->stages)
      names.push_back(stage.terms.fabric->name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(fabrics(at(0, near_mic), at(0, near_mic)), Names{"own"});
  EXPECT_EQ(fabrics(at(0, near_mic), at(0, far_mic)), Names{"net"});
  EXPECT_EQ(fabrics(at(0, near_mic), at(1, far_mic)), (Names{"net", "net", "net"}));
}

} // namespace
} // namespace kakehashi
