#include "topology/symmetry.hpp"

#include "input/platform/platform_reader.hpp"
#include "topology/spanning.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

Platform colfax() {
  return *read_platform(KAKEHASHI_SOURCE_DIR "/platforms/colfax-mic.json");
}

struct Fixture {
  explicit Fixture(const Platform& given) : platform(given), topology(platform) {}
  std::size_t device(const char* name) const { return *find_device(platform, name); }
  Symmetry symmetry(std::initializer_list<const char*> names, const char* fabric = "dapl") {
    std::vector<int> offered(platform.devices.size());
    for (const auto* name : names)
      ++offered[device(name)];
    return Symmetry(platform, *find_fabric(platform, fabric), topology, offered);
  }
  Platform platform;
  Topology topology;
};

TEST(Symmetry, ExchangesCoprocessorsOfASocketAndWholeNodes) {
  Fixture fixture(colfax());
  const auto symmetry = fixture.symmetry(
      {"node0.mic0", "node0.mic1", "node0.mic2", "node0.mic3", "node1.mic0", "node1.mic1", "node1.mic2", "node1.mic3"});
  const auto classes = symmetry.device_classes();
  EXPECT_EQ(classes[fixture.device("node0.mic1")], fixture.device("node0.mic0"));
  EXPECT_EQ(classes[fixture.device("node0.mic3")], fixture.device("node0.mic2"));
  EXPECT_NE(classes[fixture.device("node0.mic2")], fixture.device("node0.mic0")); // the HCA is on the other socket
  EXPECT_EQ(symmetry.node_classes()[1], 0u);
  const std::vector devices{fixture.device("node1.mic3"), fixture.device("node0.mic1"), fixture.device("node1.mic2")};
  const std::vector image{fixture.device("node0.mic2"), fixture.device("node1.mic0"), fixture.device("node0.mic3")};
  EXPECT_EQ(symmetry.canonical(devices), image);
  EXPECT_EQ(symmetry.canonical(image), image);
}

TEST(Symmetry, KeepsApartWhatIsNotOfferedAlike) {
  Fixture fixture(colfax());
  const auto symmetry = fixture.symmetry({"node0.mic0", "node0.mic2", "node0.mic3"});
  EXPECT_EQ(symmetry.device_classes()[fixture.device("node0.mic1")], fixture.device("node0.mic1"));
  EXPECT_EQ(symmetry.device_classes()[fixture.device("node0.mic3")], fixture.device("node0.mic2"));
  EXPECT_EQ(symmetry.node_classes()[1], 1u);
}

TEST(Symmetry, KeepsApartWhatHasAnotherLink) {
  auto platform = colfax();
  for (auto& link : platform.links)
    if (link.name == "node0.cpu0-node0.mic1:pcie")
      link.latency = microseconds(0.2);
  Fixture fixture(platform);
  const auto symmetry = fixture.symmetry({"node0.mic0", "node0.mic1", "node1.mic0", "node1.mic1"});
  EXPECT_EQ(symmetry.device_classes()[fixture.device("node0.mic1")], fixture.device("node0.mic1"));
  EXPECT_EQ(symmetry.device_classes()[fixture.device("node1.mic1")], fixture.device("node1.mic0"));
  EXPECT_EQ(symmetry.node_classes()[1], 1u);
}

TEST(Spanning, HasTheLeastLargestWeight) {
  // A triangle of 1, 2 and 3, and a fourth point that is 7 from all.
  const double weights[4][4] = {{0, 1, 3, 7}, {1, 0, 2, 7}, {3, 2, 0, 7}, {7, 7, 7, 0}};
  const auto weight = [&](std::size_t a, std::size_t b) { return weights[a][b]; };
  EXPECT_EQ(spanning_bottleneck(1, weight), 0);
  EXPECT_EQ(spanning_bottleneck(3, weight), 2);
  EXPECT_EQ(spanning_bottleneck(4, weight), 7);
}

} // namespace
} // namespace kakehashi
