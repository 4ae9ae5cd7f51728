#include "gpu_machine.hpp"

#include <map>
#include <set>

namespace kakehashi {
namespace {

// As NCCL 2.22.3 prints for four H100 with six NVLinks between each two: 24 channels.
TEST(GpuChannels, MeshOfFourUsesEachLinkAlike) {
  const auto gpus = collectives_of({.gpus = 4, .nvlinks = "150 GB/s", .has_switch = false, .release = "2.22"});
  const auto& graph = gpus->graph();
  EXPECT_EQ(graph.rings.size(), 6u);
  EXPECT_EQ(graph.channels, 24);
  EXPECT_DOUBLE_EQ(graph.inside, 360);
  std::map<std::pair<int, int>, int> uses;
  for (const auto& ring : graph.rings)
    for (std::size_t i = 0; i < ring.size(); ++i)
      ++uses[{ring[i], ring[(i + 1) % ring.size()]}];
  EXPECT_EQ(uses.size(), 12u);
  for (const auto& [link, times] : uses)
    EXPECT_EQ(times, 2);
}

// Likewise for two such nodes with an adapter for each GPU: 8 channels.
TEST(GpuChannels, EachAdapterHasTwoChannels) {
  const auto gpus = collectives_of(
      {.nodes = 2, .gpus = 4, .nvlinks = "150 GB/s", .has_switch = false, .adapter = "25 GB/s", .release = "2.22"});
  EXPECT_EQ(gpus->graph().channels, 8);
  EXPECT_DOUBLE_EQ(gpus->graph().between, 96); // four times 24 GB/s, the next speed below the line
}

TEST(GpuChannels, SwitchSplitsFastChannels) {
  EXPECT_EQ(collectives_of(GpuMachine{})->graph().channels, 24);
  const auto a100 = collectives_of({.model = "A100", .nvlinks = "300 GB/s"});
  EXPECT_EQ(a100->graph().channels, 24);
  EXPECT_DOUBLE_EQ(a100->graph().inside, 240);
}

// The NVLinks of a DGX-1: two squares of four, and four links between them; 0, 1, 4 and 5 are doubled along the edges.
const std::vector<std::array<int, 3>> cube{{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1},
                                           {1, 5, 2}, {2, 3, 2}, {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1},
                                           {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};

std::shared_ptr<const GpuCollectives> on_cube(int gpus, const std::string& release) {
  const auto platform = platform_of({.model = "V100", .nvlinks = "", .release = release, .joined = cube});
  auto devices = gpus_of(*platform);
  devices.resize(static_cast<std::size_t>(gpus));
  const auto made = gpu_collectives(platform, std::make_shared<Topology>(*platform), devices);
  EXPECT_TRUE(made);
  return *made;
}

// Two squares of GPUs without a link between them: a ring leaves each once, over PCIe.
TEST(GpuChannels, RingLeavesAnIslandOnce) {
  const auto gpus = collectives_of(
      {.model = "MI50",
       .nvlinks = "",
       .joined = {{0, 2, 2}, {2, 5, 2}, {5, 7, 2}, {7, 0, 2}, {1, 3, 2}, {3, 4, 2}, {4, 6, 2}, {6, 1, 2}}});
  EXPECT_EQ(gpus->system().inside, GpuWay::host);
  EXPECT_EQ(gpus->graph().rings.front(), (std::vector<int>{0, 2, 5, 7, 1, 3, 4, 6}));
}

// Six rings of 20 GB/s use all NVLinks of eight V100.
TEST(GpuChannels, CubeOfEightUsesAllLinks) {
  const auto gpus = on_cube(8, "2.12");
  EXPECT_EQ(gpus->system().inside, GpuWay::nvlink);
  EXPECT_DOUBLE_EQ(gpus->graph().inside, 120);
}

// GPU 4 has a link to one of the first four alone: from 2.12 on its ring goes through another GPU, before it takes
// PCIe.
TEST(GpuChannels, FiveOfTheCubeForward) {
  EXPECT_EQ(on_cube(5, "2.12")->system().inside, GpuWay::nvlink);
  EXPECT_EQ(on_cube(5, "2.11")->system().inside, GpuWay::host);
}

// A ring sends each byte of a channel over each GPU's port once.
TEST(GpuChannels, RingIsLimitedByThePortToTheSwitch) {
  const auto gpus = collectives_of(GpuMachine{});
  const auto found = rate_of(gpus->system(), gpus->graph(), GpuPattern::ring, 24, {0.5, 1});
  EXPECT_DOUBLE_EQ(found.rate.value * 24, 0.5 * 450e9);
  EXPECT_EQ(found.limit, "node0.gpu0 -> node0.nvswitch (nvlink)");
}

// Over three nodes and more a tree sends each byte over an adapter twice in each direction, over two nodes once.
TEST(GpuChannels, TreesLoadAdaptersByNodes) {
  const auto two = collectives_of({.nodes = 2, .gpus = 2, .nvlinks = "450 GB/s"});
  EXPECT_DOUBLE_EQ(rate_of(two->system(), two->graph(), GpuPattern::tree, 4, {1, 1}).rate.value * 4, 100e9);
  const auto four = collectives_of({.nodes = 4, .gpus = 2, .nvlinks = "450 GB/s"});
  EXPECT_NEAR(rate_of(four->system(), four->graph(), GpuPattern::tree, 4, {1, 1}).rate.value * 4, 50e9, 1);
}

TEST(GpuChannels, GpusWithoutNvlinksMeetInTheHost) {
  const auto gpus = collectives_of({.model = "L40S", .nvlinks = ""});
  EXPECT_EQ(gpus->system().inside, GpuWay::host);
  EXPECT_EQ(gpus->system().generation->name, "PCIe");
}

} // namespace
} // namespace kakehashi
