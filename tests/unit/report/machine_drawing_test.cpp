#include "report/page/machine_drawing.hpp"
#include "report/page/machine_layout.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Two nodes of two sockets, an adapter at one socket of each, and a switch between them.
Machine two_nodes() {
  Machine machine{"pair", {"a", "b"}, {}, {}, false, {}};
  const auto device = [&](std::string name, std::string kind, std::optional<std::size_t> node) {
    machine.devices.push_back({std::move(name), std::move(kind), node, {}});
  };
  const auto link = [&](std::size_t from, std::size_t to, double gigabytes) {
    const auto rate = gigabytes_per_second(gigabytes);
    const auto name = machine.devices[from].name + "-" + machine.devices[to].name;
    machine.links.push_back({name, "pcie", from, to, rate, rate, std::nullopt, std::nullopt, false});
  };
  for (const std::size_t node : {0, 1}) {
    const auto name = machine.nodes[node];
    device(name + ".cpu0", "cpu", node);
    device(name + ".cpu1", "cpu", node);
    device(name + ".hca", "hca", node);
    link(3 * node, 3 * node + 1, 16);
    link(3 * node + 1, 3 * node + 2, 4);
  }
  device("switch", "switch", std::nullopt);
  link(2, 6, 1);
  link(5, 6, 1);
  machine.devices[0].ranks = {0};
  machine.devices[3].ranks = {1, 2, 3, 7};
  return machine;
}

bool overlap(const PlacedBox& a, const PlacedBox& b) {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

TEST(MachineLayout, PlacesEachDeviceOnceAndApart) {
  for (const double width : {wide_page, narrow_page}) {
    const auto layout = lay_out(two_nodes(), width);
    ASSERT_EQ(layout.devices.size(), 7u);
    EXPECT_EQ(layout.links.size(), 6u);
    for (std::size_t i = 0; i < layout.devices.size(); ++i) {
      const auto& box = layout.devices[i].box;
      EXPECT_GE(box.left, 0);
      EXPECT_LE(box.left + box.width, width);
      EXPECT_LE(box.top + box.height, layout.height);
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_FALSE(overlap(box, layout.devices[k].box));
    }
  }
}

TEST(MachineLayout, HangsAnAdapterUnderItsSocket) {
  const auto layout = lay_out(two_nodes(), wide_page);
  const auto& socket = layout.devices[1];
  const auto& adapter = layout.devices[2];
  ASSERT_EQ(socket.device, 1u);
  ASSERT_EQ(adapter.device, 2u);
  EXPECT_GT(adapter.box.top, socket.box.top);
  EXPECT_GE(adapter.box.left, socket.box.left);
}

TEST(MachineLayout, ShowsTheNodesWithRanksOfALargeMachine) {
  Machine large{"large", {}, {}, {}, false, {}};
  for (std::size_t node = 0; node < 100; ++node) {
    large.nodes.push_back(std::to_string(node));
    large.devices.push_back({std::to_string(node) + ".cpu", "cpu", node, {}});
  }
  large.devices[40].ranks = {0};
  large.devices[70].ranks = {1};
  const auto layout = lay_out(large, wide_page);
  ASSERT_EQ(layout.nodes.size(), 2u);
  EXPECT_EQ(layout.nodes[0].node, 40u);
  EXPECT_EQ(layout.nodes[1].node, 70u);
}

TEST(MachineDrawing, SaysWhatEachDeviceAndLinkIs) {
  auto machine = two_nodes();
  machine.has_use = true;
  machine.links[0].forward_use = MachineUse{2e6, 0.25};
  const auto drawing = draw(machine, wide_page);
  const auto says = [&](const std::string& text) {
    return std::ranges::any_of(drawing.shapes, [&](const Shape& shape) { return shape.says == text; });
  };
  EXPECT_TRUE(says("a.cpu0, cpu, rank 0"));
  EXPECT_TRUE(says("b.cpu0, cpu, ranks 1-3, 7"));
  EXPECT_TRUE(says("a.cpu0 – a.cpu1, pcie, 1.6e+04 MB/s; to a.cpu1: 2 MB, busy 25.0 %; to a.cpu0: nothing"));
  EXPECT_TRUE(says("a.hca – switch, pcie, 1000 MB/s; not used"));
}

TEST(MachineDrawing, FasterLinksAreThicker) {
  EXPECT_LT(link_width(gigabytes_per_second(0.125)), link_width(gigabytes_per_second(4)));
  EXPECT_LT(link_width(gigabytes_per_second(4)), link_width(gigabytes_per_second(16)));
}

} // namespace
} // namespace kakehashi
