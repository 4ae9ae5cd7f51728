#include "report/page/machine_drawing.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>

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

TEST(MachineDrawing, ShowsHowBusyTheMemoryOfADeviceIs) {
  auto machine = two_nodes();
  machine.has_use = true;
  machine.devices[1].memory = MachineUse{2e6, 0.93};
  const auto drawing = draw(machine, wide_page);
  const auto found = std::ranges::find(drawing.shapes, "memory of a.cpu1: 2 MB, busy 93.0 %", &Shape::says);
  ASSERT_NE(found, drawing.shapes.end());
  EXPECT_EQ(std::get<Rect>(found->form).fill, Paint::use_4);
}

TEST(AlikeDevices, AreDrawnAsOne) {
  auto machine = two_nodes();
  EXPECT_EQ(with_alike_as_one(machine).devices.size(), 7u);
  for (const double gigabytes : {4.0, 4.0, 4.0, 8.0}) {
    const auto rate = gigabytes_per_second(gigabytes);
    machine.devices.push_back({fmt::format("a.nic{}", machine.devices.size() - 7), "hca", 0, {}});
    machine.links.push_back({"l",
                             "pcie",
                             1,
                             machine.devices.size() - 1,
                             rate,
                             rate,
                             MachineUse{100, 0.1 * gigabytes * static_cast<double>(machine.devices.size() - 7) / 4},
                             {}});
  }
  const auto drawn = with_alike_as_one(machine);
  ASSERT_EQ(drawn.devices.size(), 9u); // the one with the faster link stands alone
  EXPECT_EQ(drawn.devices[7].name, "a.nic0-nic2");
  EXPECT_EQ(drawn.devices[7].count, 3u);
  EXPECT_EQ(drawn.devices[8].name, "a.nic3");
  ASSERT_EQ(drawn.links.size(), 8u);
  EXPECT_EQ(drawn.links[6].count, 3u);
  EXPECT_EQ(drawn.links[6].forward_use->bytes, 300);
  EXPECT_NEAR(drawn.links[6].forward_use->busy, 0.3, 1e-9);
  EXPECT_EQ(drawn.links[7].to, 8u);
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

// Nodes of a socket and four GPUs on a switch.
Machine nodes_of_gpus(std::size_t nodes) {
  Machine machine{"gpus", {}, {}, {}, false, {}};
  const auto rate = gigabytes_per_second(25);
  const auto link = [&](std::size_t from, std::size_t to) {
    machine.links.push_back({"", "nvlink", from, to, rate, rate, std::nullopt, std::nullopt, false});
  };
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto first = machine.devices.size();
    machine.nodes.push_back(fmt::format("n{}", node));
    machine.devices.push_back({machine.nodes.back() + ".cpu", "cpu", node, {}});
    machine.devices.push_back({machine.nodes.back() + ".nvswitch", "switch", node, {}});
    for (std::size_t gpu = 0; gpu < 4; ++gpu) {
      machine.devices.push_back({fmt::format("n{}.gpu{}", node, gpu), "gpu", node, {4 * node + gpu}});
      link(first, first + 2 + gpu);
      link(first + 2 + gpu, first + 1);
    }
  }
  return machine;
}

TEST(MachineLayout, PutsASwitchOfGpusBelowThemAll) {
  const auto layout = lay_out(nodes_of_gpus(1), wide_page);
  const auto bar = std::ranges::find(layout.devices, 1u, &PlacedDevice::device)->box;
  for (const auto& [device, box] : layout.devices)
    if (device > 1) {
      EXPECT_GT(bar.top, box.top + box.height);
      EXPECT_LE(bar.left, box.left);
      EXPECT_GE(bar.left + bar.width, box.left + box.width);
    }
  for (const auto& [link, spots] : layout.links) {
    ASSERT_EQ(spots.size(), 2u); // straight down
    EXPECT_EQ(spots[0].x, spots[1].x);
  }
}

TEST(MachineLayout, ShowsOneOfNodesOfGpusThatAreAlike) {
  auto machine = nodes_of_gpus(5);
  ASSERT_EQ(lay_out(machine, wide_page).nodes.size(), 1u);
  const auto drawing = draw(machine, wide_page);
  EXPECT_TRUE(std::ranges::any_of(drawing.shapes, [](const auto& shape) {
    const auto* text = std::get_if<Text>(&shape.form);
    return text && text->text == "n0, and 4 like it";
  }));
  machine.devices.back().ranks.clear();
  EXPECT_EQ(lay_out(machine, wide_page).nodes.size(), 5u);
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
  EXPECT_TRUE(says("a.cpu0 – a.cpu1, pcie, 16000 MB/s; to a.cpu1: 2 MB, busy 25.0 %; to a.cpu0: nothing"));
  EXPECT_TRUE(says("a.hca – switch, pcie, 1000 MB/s; not used"));
}

// Eight nodes of six sockets, with four GPUs and two adapters under a switch of each, all GPUs on one more switch.
Machine many_links() {
  Machine machine{"many", {}, {}, {}, true, {}};
  const auto device = [&](const std::string& name, std::string kind, std::optional<std::size_t> node) {
    machine.devices.push_back({name, std::move(kind), node, {}});
    return machine.devices.size() - 1;
  };
  const auto link = [&](std::size_t from, std::size_t to, double gigabytes) {
    const auto rate = gigabytes_per_second(gigabytes);
    machine.links.push_back({"", "nvlink", from, to, rate, rate, std::nullopt, std::nullopt, false});
  };
  const auto top = device("switch", "switch", std::nullopt);
  for (std::size_t node = 0; node < 8; ++node) {
    const auto name = fmt::format("node{}", node);
    machine.nodes.push_back(name);
    const auto joint = device(name + ".nvswitch", "switch", node);
    std::vector<std::size_t> sockets;
    for (int socket = 0; socket < 6; ++socket) {
      const auto cpu = device(fmt::format("{}.cpu{}", name, socket), "cpu", node);
      const auto below = device(fmt::format("{}.pcie-switch{}", name, socket), "switch", node);
      for (const auto other : sockets)
        link(cpu, other, 20);
      sockets.push_back(cpu);
      link(cpu, below, 30);
      for (int i = 0; i < 4; ++i) {
        const auto gpu = device(fmt::format("{}.gpu{}", name, 4 * socket + i), "gpu", node);
        machine.devices[gpu].ranks = {4 * static_cast<std::size_t>(socket + 6 * node) + static_cast<std::size_t>(i)};
        link(below, gpu, 30);
        link(gpu, joint, 300);
      }
      for (int i = 0; i < 2; ++i) {
        const auto adapter = device(fmt::format("{}.hca{}", name, 2 * socket + i), "hca", node);
        link(below, adapter, 30);
        link(adapter, top, 25);
      }
    }
  }
  return machine;
}

// The room that a shape takes.
struct Extent {
  double left, right, top, bottom;
};
struct Measure {
  Extent operator()(const Stroke& stroke) const {
    const auto [left, right] = std::ranges::minmax(stroke.spots, {}, &Spot::x);
    const auto [top, bottom] = std::ranges::minmax(stroke.spots, {}, &Spot::y);
    return {left.x - stroke.width / 2, right.x + stroke.width / 2, top.y - stroke.width / 2,
            bottom.y + stroke.width / 2};
  }
  Extent operator()(const Area& area) const {
    const auto [left, right] = std::ranges::minmax(area.corners, {}, &Spot::x);
    const auto [top, bottom] = std::ranges::minmax(area.corners, {}, &Spot::y);
    return {left.x, right.x, top.y, bottom.y};
  }
  Extent operator()(const Rect& box) const {
    return {box.corner.x, box.corner.x + box.width, box.corner.y, box.corner.y + box.height};
  }
  Extent operator()(const Dot& dot) const {
    return {dot.at.x - dot.radius, dot.at.x + dot.radius, dot.at.y - dot.radius, dot.at.y + dot.radius};
  }
  Extent operator()(const Text& text) const {
    const double width = width_of(text.text, text.size);
    const double left = text.at.x - (text.anchor == Anchor::start    ? 0
                                     : text.anchor == Anchor::middle ? width / 2
                                                                     : width);
    return {left, left + width, text.at.y - text.size, text.at.y};
  }
};

TEST(MachineDrawing, DrawsNothingOutsideOfThePicture) {
  for (const auto& machine : {two_nodes(), many_links()})
    for (const double width : {wide_page, narrow_page}) {
      const auto drawing = draw(machine, width);
      for (const auto& shape : drawing.shapes) {
        const auto extent = std::visit(Measure{}, shape.form);
        EXPECT_GE(extent.left, 0) << shape.says;
        EXPECT_LE(extent.right, width) << shape.says;
        EXPECT_GE(extent.top, 0) << shape.says;
        EXPECT_LE(extent.bottom, drawing.height) << shape.says;
      }
    }
}

TEST(MachineDrawing, CablesSideBySideLeaveRoomBetweenThem) {
  auto machine = many_links();
  machine.devices.back().ranks = {0}; // else one node stands for all
  const auto layout = lay_out(machine, wide_page);
  const auto widths = line_widths(machine, layout);
  std::map<double, double> shaft; // where cables go from row to row, and how thick they are
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (const auto& spots = layout.links[i].spots; spots.size() > 4)
      shaft[spots[2].x] = std::max(shaft[spots[2].x], widths[i]);
  ASSERT_EQ(shaft.size(), 8u);
  for (auto next = std::next(shaft.begin()); next != shaft.end(); ++next) {
    const auto& [x, thickness] = *std::prev(next);
    EXPECT_GT(next->first - x, next->second / 2 + thickness / 2);
  }
}

TEST(MachineDrawing, FasterLinksAreThicker) {
  auto machine = two_nodes();
  const auto widths = line_widths(machine, lay_out(machine, wide_page));
  ASSERT_EQ(widths.size(), 6u);
  EXPECT_LT(widths[4], widths[1]); // 1 and 4 GB/s
  EXPECT_LT(widths[1], widths[0]); // and 16
}

} // namespace
} // namespace kakehashi
