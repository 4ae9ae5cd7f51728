#include "input/import/compose.hpp"

#include "input/import/assembly.hpp"
#include "input/import/machine.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Texts = std::vector<std::string>;

// A socket with a GPU below a switch.
Assembly node_with_gpu() {
  auto node = plain_node();
  node.devices.push_back({"pcie-switch0", DeviceKind::network_switch, {}});
  node.devices.push_back({"gpu0", DeviceKind::gpu, {}});
  node.links.push_back({"cpu0", "pcie-switch0", pcie_cable(4, 16, {})});
  node.links.push_back({"pcie-switch0", "gpu0", pcie_cable(4, 16, {})});
  return node;
}

void add(Assembly& node, const std::string& name, const std::string& above, const std::string& label,
         int generation = 4) {
  node.devices.push_back({name, DeviceKind::hca, stated("test: 0000:01:00.0 " + label)});
  node.links.push_back({above, name, pcie_cable(generation, 16, {})});
}

// The adapters that join an InfiniBand network, and the notes; or the fault.
Texts chosen(Assembly node, const std::string& option = "") {
  Texts notes;
  const auto wanted = read_adapters(option);
  if (!wanted)
    return {to_text(wanted.errors().front())};
  const auto errors = choose_adapters(node, infiniband_cable("HDR", 4, {}), *wanted, notes);
  if (!errors.empty())
    return {to_text(errors.front())};
  auto texts = node.adapters;
  texts.insert(texts.end(), notes.begin(), notes.end());
  return texts;
}

TEST(Adapters, ThatAreBondsAreLeftOutBesideOthers) {
  auto node = plain_node();
  add(node, "hca0", "cpu0", "mlx5_0");
  add(node, "hca1", "cpu0", "mlx5_bond_0");
  EXPECT_EQ(chosen(node), (Texts{"hca0", "left out of the network: hca1 (bonds of ports); --adapters NAME,NAME picks "
                                         "others"}));
  auto all = plain_node(); // the network of some clouds
  add(all, "hca0", "cpu0", "mlx5_bond_0");
  add(all, "hca1", "cpu0", "mlx5_bond_1");
  EXPECT_EQ(chosen(all), (Texts{"hca0", "hca1"}));
}

TEST(Adapters, ForStorageAreLeftOutBesideThoseOfGpus) {
  auto node = node_with_gpu();
  add(node, "hca0", "pcie-switch0", "mlx5_0");
  add(node, "hca1", "cpu0", "mlx5_1");
  add(node, "hca2", "pcie-switch0", "mlx5_bond_0");
  EXPECT_EQ(chosen(node), (Texts{"hca0", "left out of the network: hca2 (bonds of ports), hca1 (below no switch with a "
                                         "GPU, as adapters for storage are); --adapters NAME,NAME picks others"}));
  auto far = node_with_gpu();
  add(far, "hca0", "cpu0", "mlx5_0");
  add(far, "hca1", "cpu0", "mlx5_1");
  EXPECT_EQ(chosen(far), (Texts{"hca0", "hca1"}));
}

TEST(Adapters, OfSlowerSlotsAreLeftOut) {
  auto node = plain_node();
  add(node, "hca0", "cpu0", "mlx5_0", 3);
  add(node, "hca1", "cpu0", "mlx5_1");
  EXPECT_EQ(chosen(node),
            (Texts{"hca1", "left out of the network: hca0 (slower slots); --adapters NAME,NAME picks others"}));
}

TEST(Adapters, AreThoseThatTheOptionNames) {
  auto node = node_with_gpu();
  add(node, "hca0", "pcie-switch0", "mlx5_0");
  add(node, "hca1", "cpu0", "mlx5_1");
  EXPECT_EQ(chosen(node, "mlx5_1"), Texts{"hca1"});
  EXPECT_EQ(chosen(node, "hca1,mlx5_0,mlx5_1"), (Texts{"hca1", "hca0"}));
  EXPECT_EQ(chosen(node, "2"), (Texts{"hca0", "hca1"}));
  EXPECT_EQ(chosen(node, "3"), (Texts{"hca0", "hca1", "hca2", "assumed: 1 more adapter, dealt out to the sockets"}));
  EXPECT_EQ(chosen(node, "1"), (Texts{"hca0", "left out of the network: hca1 (below no switch with a GPU, as adapters "
                                              "for storage are); --adapters NAME,NAME picks others"}));
  EXPECT_EQ(chosen(node, "mlx5_9"), Texts{"--adapters: got \"mlx5_9\", expected adapters of the node: hca0, hca1"});
}

TEST(Adapters, OfTwoKindsAreNotForOneNetwork) {
  auto node = plain_node();
  add(node, "hca0", "cpu0", "mlx5_0");
  node.devices.push_back({"nic0", DeviceKind::nic, {}});
  EXPECT_EQ(chosen(node, "hca0,nic0"), Texts{"--adapters: hca0 and nic0 are not for one network"});
}

TEST(Adapters, AreStatedAsANumberARateAndANumberOrNames) {
  const auto fault = [](const std::string& text) {
    return "--adapters: got \"" + text +
           "\", expected a number from 1 to 64, a rate and a number such as NDR:1 or "
           "100GbE:2, or names such as hca0,mlx5_3";
  };
  for (const auto* text : {"0", "65", "NDR", "100GbE", "NDR:x", "foo:2", "-1"})
    EXPECT_EQ(chosen(plain_node(), text), Texts{fault(text)});
  EXPECT_EQ(read_adapters("100GbE:2")->rate, "100GbE");
  EXPECT_EQ(read_adapters("64")->count, 64u);
}

// The functions of one adapter are one, also where they have buses of their own.
TEST(Adapters, WithVirtualFunctionsAreOne) {
  std::string text = "<topology><object type=\"Machine\"><object type=\"Package\"><object type=\"PU\"/>"
                     "<object type=\"Bridge\" pci_busid=\"0000:00:01.0\" pci_type=\"0604 [8086:1] [1:1] 00\">";
  for (const auto* place : {"81:00.0", "81:00.1", "82:00.2", "82:01.3"})
    text += fmt::format("<object type=\"PCIDev\" pci_busid=\"0000:{}\" pci_type=\"0207 [15b3:101b] [1:1] 00\">"
                        "<info name=\"PCIDevice\" value=\"MT28908 Family [ConnectX-6{}]\"/></object>",
                        place, std::string(place).starts_with("81") ? "" : " Virtual Function");
  const auto imported = import_text(text + "</object></object></object></topology>", "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(devices_in(*imported->node), (Texts{"cpu0 cpu", "hca0 hca"}));
}

TEST(Adapters, OfSlowSlotsHaveOneNote) {
  auto node = plain_node();
  for (const auto* name : {"hca0", "hca1", "hca2"})
    add(node, name, "cpu0", "");
  Texts notes;
  compose("x", node, *read_network_line("NDR", 2, 3), 2, notes);
  EXPECT_EQ(notes,
            Texts{"hca0, hca1, hca2 can send 49.37 GB/s each into the network, but their slots have 28.81 GB/s "
                  "and limit them; if that is not so, state --pcie, or put generation and lanes of the slot into "
                  "the platform"});
}

} // namespace
} // namespace kakehashi
