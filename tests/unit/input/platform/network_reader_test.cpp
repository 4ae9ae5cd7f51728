// Names by range, and the networks that a platform file describes in a few lines.
#include "input/platform/part_readers.hpp"
#include "input/platform/small_platform.hpp"
#include "model/network_shape.hpp"

#include <fmt/format.h>

#include <map>

namespace kakehashi {
namespace {

using Names = std::vector<std::string>;

TEST(NameRange, StandsForItsNames) {
  Faults faults("p.json");
  const auto names = [&](const char* text) { return names_in(text, "/x", faults).value_or(Names()); };
  EXPECT_EQ(names("hca"), (Names{"hca"}));
  EXPECT_EQ(names("node[8-10]"), (Names{"node8", "node9", "node10"}));
  EXPECT_EQ(names("n[08-10,3]-x"), (Names{"n08-x", "n09-x", "n10-x", "n3-x"}));
  EXPECT_EQ(names("n[0-1].gpu[0-1]"), (Names{"n0.gpu0", "n0.gpu1", "n1.gpu0", "n1.gpu1"}));
  EXPECT_TRUE(faults.empty());
}

TEST(NameRange, IsRefusedForItsFaults) {
  for (const char* text : {"n[", "n[]", "n[1-]", "n[-1]", "n[3-1]", "n[a]", "n[1,]", "n[1-2", "n[1234567]"}) {
    Faults faults("p.json");
    EXPECT_FALSE(names_in(text, "/x", faults)) << text;
    EXPECT_EQ(
        to_text(faults.take().at(0)),
        fmt::format("p.json: /x: got \"{}\", expected ranges such as \"[0-7]\" or \"[00-15,20]\" in a name", text));
  }
  Faults faults("p.json");
  EXPECT_FALSE(names_in("n[0-999].d[0-999]", "/x", faults));
  EXPECT_EQ(to_text(faults.take().at(0)), "p.json: /x: got more names, expected at most 200000");
}

// Nodes n1 to n8 on a switch.
const auto ranged = [] {
  auto root = patched(small, "/nodes", R"({"n[1-8]": "t"})");
  root = patched(root, "/links", "[]");
  return patched(root, "/networks", R"({"ib": {"kind": "switch", "joins": ["n[1-8].hca"],
      "link": {"type": "infiniband", "signalling": "HDR", "lanes": 2, "latency": "0.1 us"}}})");
}();

TEST(Network, JoinsDevicesByRange) {
  const auto platform = read(ranged);
  ASSERT_EQ(errors_of(platform), "no errors");
  EXPECT_EQ(platform->nodes, (Names{"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"}));
  EXPECT_EQ(platform->devices.back().name, "ib");
  EXPECT_EQ(platform->devices.back().kind, DeviceKind::network_switch);
  ASSERT_EQ(platform->links.size(), 16U);
  EXPECT_EQ(platform->links.back().name, "n8.hca-ib:infiniband");
  EXPECT_EQ(platform->links.back().latency, microseconds(0.1));
}

TEST(Network, IsRefusedForItsFaults) {
  const std::vector<Reject> table{
      {"/networks/ib/joins/0", "\"n[1-9].hca\"",
       "p.json: /networks/ib/joins/0: got \"n9.hca\", which is no device here, expected the name of a device (did you "
       "mean \"n1.hca\"?)"},
      {"/networks/ib/joins/-", "\"n3.hca\"",
       "p.json: /networks/ib/joins/1: got the device \"n3.hca\" twice, expected each only once"},
      {"/networks/ib/joins", R"(["n1.hca"])",
       "p.json: /networks/ib/joins: got a network of one device, expected at least two devices"},
      {"/networks/ib/ports", "36", "p.json: /networks/ib/ports: a network of kind switch does not take this key"},
      {"/networks/ib/kind", "\"torus\"",
       "p.json: /networks/ib: the key \"shape\" is missing; a network of kind torus needs it"},
      {"/networks/ib/rails", "3",
       "p.json: /networks/ib/rails: got 3 rails for 8 devices, expected as many devices on each rail, and at least "
       "two"},
      {"/networks/ib/link/lanes", "3", "p.json: /networks/ib/link/lanes: got 3, expected one of 1, 2, 4, 8, 12"},
      {"/devices", R"([{"name": "ib", "kind": "switch"}])",
       "p.json: /networks/ib: got the device \"ib\", which is there already, expected another name"},
      {"/nodes/n3", "\"t\"", "p.json: /nodes/n[1-8]: got the node \"n3\" twice, expected each only once"},
      {"/links/-", R"({"between": ["n[1-3].cpu", "n[4-5].cpu"], "type": "qpi", "bandwidth": "1 GB/s"})",
       "p.json: /links/0/between: got 3 and 2 devices, expected one and any number of them, or as many at both ends"}};
  for (const auto& [place, value, errors] : table)
    EXPECT_EQ(errors_of(read(patched(ranged, place, value))), errors) << place << " = " << value;
}

TEST(Network, HasRoomForSoManyDevices) {
  auto root = patched(ranged, "/networks/ib/kind", "\"fat-tree\"");
  EXPECT_EQ(errors_of(read(patched(patched(root, "/networks/ib/ports", "2"), "/networks/ib/levels", "2"))),
            "p.json: /networks/ib/levels: 2 levels of switches with 2 ports have room for 2 devices, not for 8");
  root = patched(ranged, "/networks/ib/kind", "\"torus\"");
  EXPECT_EQ(errors_of(read(patched(root, "/networks/ib/shape", "[3, 3]"))),
            "p.json: /networks/ib/shape: the points along all dimensions make 9, expected 8, one for each device");
  root = patched(ranged, "/networks/ib/kind", "\"dragonfly\"");
  EXPECT_EQ(errors_of(read(patched(root, "/networks/ib/shape", "[3, 2, 1]"))),
            "p.json: /networks/ib/shape: the dragonfly has room for 6 devices, not for 8");
}

TEST(Links, ByRangeJoinEachWithEach) {
  const auto root =
      patched(ranged, "/links/-", R"({"between": ["n[1-4].cpu", "n[1-4].cpu"], "type": "qpi", "bandwidth": "1 GB/s"})");
  const auto platform = read(root);
  ASSERT_EQ(errors_of(platform), "no errors");
  ASSERT_EQ(platform->links.size(), 22U);
  EXPECT_EQ(platform->links.back().name, "n3.cpu-n4.cpu:qpi");
}

// Cables at each switch, as many as it has ports at most.
std::map<std::size_t, std::size_t> used_ports(const NetworkShape& shape, const Wiring& wiring) {
  std::map<std::size_t, std::size_t> used;
  for (const auto& wire : wiring.wires)
    for (const auto end : {wire.from, wire.to})
      if (end >= shape.devices)
        used[end] += wire.cables;
  return used;
}

TEST(FatTree, HasAsManySwitchesAsItNeeds) {
  struct Case {
    std::size_t devices, ports, switches, wires;
    std::array<std::size_t, 2> taper;
  };
  for (const auto& [devices, ports, switches, wires, taper] :
       {Case{36, 36, 1, 36, {1, 1}},               // one switch
        Case{72, 36, 4 + 2, 72 + 4 * 2, {1, 1}},   // 4 leaves, 2 spines, 9 cables from each to each
        Case{648, 36, 36 + 18, 648 * 2, {1, 1}},   // all that two levels have room for
        Case{96, 36, 4 + 2, 96 + 4 * 2, {2, 1}},   // 24 down and 12 up
        Case{52, 40, 2 + 1, 52 + 2, {2, 1}},       // 26 down and 13 up
        Case{16, 4, 8 + 8 + 4, 16 * 3, {1, 1}}}) { // the textbook's tree of three levels
    NetworkShape shape;
    shape.kind = NetworkKind::fat_tree;
    shape.devices = devices;
    shape.ports = ports;
    shape.taper = taper;
    const auto wiring = wiring_of(shape);
    ASSERT_TRUE(wiring) << devices;
    EXPECT_EQ(wiring->switches.size(), switches) << devices;
    EXPECT_EQ(wiring->wires.size(), wires) << devices;
    for (const auto& [number, used] : used_ports(shape, *wiring))
      EXPECT_LE(used, ports) << devices << ", switch " << number;
    std::array<std::size_t, 3> cables{}; // down and up of the first leaf, and elsewhere
    for (const auto& wire : wiring->wires)
      cables[wire.to == devices ? 0 : wire.from == devices ? 1 : 2] += wire.cables;
    if (switches > 1)
      EXPECT_EQ(cables[0] * taper[1], cables[1] * taper[0]) << devices;
  }
}

TEST(Dragonfly, JoinsAnyTwoGroups) {
  NetworkShape shape;
  shape.kind = NetworkKind::dragonfly;
  shape.devices = 72;
  shape.points = {9, 4, 2};
  shape.group_links = 2;
  const auto wiring = wiring_of(shape);
  ASSERT_TRUE(wiring);
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> cables; // between groups
  for (const auto& wire : wiring->wires)
    if (wire.from >= 72 && (wire.from - 72) / 4 != (wire.to - 72) / 4)
      cables[{(wire.from - 72) / 4, (wire.to - 72) / 4}] += wire.cables;
  EXPECT_EQ(cables.size(), 36U);
  for (const auto& [groups, count] : cables)
    EXPECT_EQ(count, 2U);
  for (const auto& [number, used] : used_ports(shape, *wiring))
    EXPECT_EQ(used, 2U + 3 + 4); // devices, routers of the group, and 16 links to 8 groups over 4 routers
}

} // namespace
} // namespace kakehashi
