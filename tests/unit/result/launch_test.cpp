#include "result/sweep_record.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Two nodes of two sockets: devices 0 to 3.
Platform two_nodes() {
  Platform platform;
  platform.nodes = {"n0", "n1"};
  for (std::size_t i = 0; i < 4; ++i) {
    Device socket;
    socket.kind = DeviceKind::cpu;
    socket.node = i / 2;
    platform.devices.push_back(socket);
  }
  return platform;
}

using DeviceList = std::vector<std::size_t>;

TEST(Launch, DealsRanksOutAsLaunchersDo) {
  const auto platform = two_nodes();
  const DeviceList some{3, 1, 0, 2, 2, 0, 1, 3};
  EXPECT_EQ(dealt_out(platform, some, LaunchOrder::block), (DeviceList{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(dealt_out(platform, some, LaunchOrder::by_socket), (DeviceList{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(dealt_out(platform, some, LaunchOrder::by_node), (DeviceList{0, 2, 0, 2, 1, 3, 1, 3}));
  EXPECT_EQ(dealt_out(platform, some, LaunchOrder::by_both), (DeviceList{0, 2, 1, 3, 0, 2, 1, 3}));
}

TEST(Launch, HasOptionsForEvenPlacesOnly) {
  auto platform = two_nodes();
  const auto places = even_places(platform, {0, 1, 2, 3, 3, 2, 1, 0});
  ASSERT_TRUE(places);
  EXPECT_EQ(places->nodes, 2u);
  EXPECT_EQ(places->sockets, 2u);
  EXPECT_EQ(places->ranks, 2u);
  EXPECT_TRUE(even_places(platform, {2, 3}));
  EXPECT_FALSE(even_places(platform, {0, 1, 1}));
  EXPECT_FALSE(even_places(platform, {0, 2}));
  platform.devices[1].kind = DeviceKind::gpu;
  EXPECT_FALSE(even_places(platform, {0, 1}));
}

} // namespace
} // namespace kakehashi
