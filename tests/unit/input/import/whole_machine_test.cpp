#include "input/import/infragraph_parts.hpp"
#include "input/import/machine.hpp"
#include "input/import/simgrid.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Texts = std::vector<std::string>;

Blueprint machine_of(const std::string& text) {
  const auto imported = import_text(text, "x");
  EXPECT_EQ(faults_of(imported), "");
  return imported && imported->machine ? *imported->machine : Blueprint{};
}

std::string simgrid(const std::string& zone) {
  return "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">" + zone + "</zone></platform>";
}

TEST(Simgrid, FindsTheEndsOfLinksFromRoutes) {
  const auto links = links_in(machine_of(data_of("simgrid.xml")).outside);
  EXPECT_EQ(links.size(), 25u);
  for (const auto* link :
       {"t3.cpu-tree-level1-1 ethernet 1 GB/s", "tree-level1-1-tree-level2-0 ethernet 2 GB/s",
        "c6.cpu-c7.cpu ethernet 1 GB/s", "b.cpu-door ethernet 0.125 GB/s", "door-ttree_router ethernet 1.25 GB/s"})
    EXPECT_NE(std::find(links.begin(), links.end(), link), links.end()) << link;
}

// Both routes from a and the one between b and c would go over one link whose ends differ.
TEST(Simgrid, MakesLinksOfRoutesThatNoGraphHas) {
  const auto machine = machine_of(simgrid(
      "<host id=\"a\"/><host id=\"b\"/><host id=\"c\"/><link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>"
      "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route><route src=\"a\" dst=\"c\"><link_ctn id=\"l\"/></route>"
      "<route src=\"b\" dst=\"c\"><link_ctn id=\"l\"/></route>"));
  EXPECT_EQ(links_in(machine.outside),
            (Texts{"a.cpu-b.cpu ethernet 1 GB/s", "a.cpu-c.cpu ethernet 1 GB/s", "b.cpu-c.cpu ethernet 1 GB/s"}));
}

TEST(Simgrid, SaysThatSmpisFactorsAreNotImported) {
  const auto imported = import_text(
      simgrid(
          "<host id=\"a\"/><host id=\"b\"/><link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\" "
          "sharing_policy=\"SPLITDUPLEX\"/><route src=\"a\" dst=\"b\"><link_ctn id=\"l\" direction=\"UP\"/></route>"),
      "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(
      imported->notes,
      (Texts{"the factors of smpirun's model by size (smpi/lat-factor, smpi/bw-factor) and its overheads (smpi/os, "
             "smpi/or) are not imported, neither its defaults nor the file's, so small messages take half of its "
             "time or less; with --cfg=network/model:CM02 it takes links as they are"}));
}

TEST(Simgrid, SaysWhatIsMissing) {
  const auto fault = [](const std::string& zone) { return faults_of(import_text(simgrid(zone), "x")); };
  EXPECT_EQ(fault(""), "x: line 1, column 2: there is no host in this platform");
  EXPECT_EQ(fault("<host id=\"a\"/><host id=\"b\"/>"), "x: line 1, column 2: there is no route between its hosts; a "
                                                       "platform needs links between them");
  EXPECT_EQ(fault("<link id=\"l\" bandwidth=\"fast\"/>"),
            "x: line 1, column 54: bandwidth: got \"fast\", expected a bandwidth such as \"125MBps\"");
  EXPECT_EQ(fault("<host id=\"a\"/><route src=\"a\" dst=\"b\"/>"),
            "x: line 1, column 68: got \"b\", expected the name of a host or router");
  EXPECT_EQ(
      fault("<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-2\" bw=\"1GBps\" lat=\"0\" topology=\"TORUS\" "
            "topo_parameters=\"2,2\"/>"),
      "x: line 1, column 54: topo_parameters: got \"2,2\", expected dimensions whose product is 3, the number of "
      "hosts");
}

TEST(Simgrid, ReadsItsUnits) {
  EXPECT_DOUBLE_EQ(simgrid_bandwidth("10Gbps")->value, 1.25e9);
  EXPECT_DOUBLE_EQ(simgrid_bandwidth("1.25E8")->value, 1.25e8);
  EXPECT_DOUBLE_EQ(simgrid_latency("50us")->value, 5e-5);
  EXPECT_FALSE(simgrid_bandwidth("1 apple"));
  EXPECT_FALSE(simgrid_bandwidth("-1"));
}

TEST(InfraGraph, ExpandsEndpointsAndLeavesMemoryOut) {
  const auto machine = machine_of(data_of("infragraph.yaml"));
  EXPECT_EQ(machine.nodes,
            (std::vector<std::pair<std::string, std::string>>{{"host0", "server"}, {"host1", "server"}}));
  EXPECT_EQ(links_in(machine.templates.front().second),
            (Texts{"cpu0-cpu1 upi 20.8 GB/s assumed", "cpu0-gpu0 pcie 32 GB/s", "cpu1-gpu1 pcie 32 GB/s",
                   "cpu0-nic0 pcie 32 GB/s", "cpu1-nic1 pcie 32 GB/s"}));
  EXPECT_EQ(links_in(machine.outside).back(), "host1.nic1-leaf0-port3 ethernet 12.5 GB/s");
}

TEST(InfraGraph, TakesAChipAmongPortsForASwitch) {
  const auto machine = machine_of(
      "devices:\n"
      "- {name: server, components: [{name: cpu, count: 1, choice: cpu}, {name: nic, count: 1, choice: nic}], links: "
      "[{name: pcie}], edges: [{ep1: {component: cpu}, ep2: {component: nic}, scheme: one2one, link: pcie}]}\n"
      "- {name: leaf, components: [{name: asic, count: 1, choice: cpu}, {name: port, count: 2, choice: port}], links: "
      "[{name: ic}], edges: [{ep1: {component: asic}, ep2: {component: port}, scheme: many2many, link: ic}]}\n"
      "instances: [{name: host, device: server, count: 2}, {name: leaf, device: leaf, count: 1}]\n"
      "links: [{name: eth}]\n"
      "edges: [{ep1: {instance: host, component: nic}, ep2: {instance: leaf, component: port}, scheme: one2one, link: "
      "eth}]\n");
  EXPECT_EQ(machine.nodes,
            (std::vector<std::pair<std::string, std::string>>{{"host0", "server"}, {"host1", "server"}}));
  EXPECT_EQ(devices_in(machine.outside), (Texts{"leaf0-asic0 switch", "leaf0-port0 switch", "leaf0-port1 switch"}));
}

// Two servers of two GPUs and two NVSwitches, and a switch between them.
std::string with_nvswitches(const std::string& links) {
  return "devices:\n"
         "- {name: server, components: [{name: cpu, count: 1, choice: cpu}, {name: xpu, count: 2, choice: xpu}, {name: "
         "nvsw, description: NVIDIA NVSwitch, count: 2, choice: switch}, {name: nic, count: 1, choice: nic}], links: "
         "[" +
         links +
         "], edges: [{ep1: {component: cpu}, ep2: {component: \"xpu[0:2]\"}, scheme: many2many, link: pcie}, {ep1: "
         "{component: cpu}, ep2: {component: nvsw}, scheme: many2many, link: pcie}, {ep1: {component: nvsw}, ep2: "
         "{component: xpu}, scheme: many2many, link: xpu_fabric}, {ep1: {component: cpu}, ep2: {component: nic}, "
         "scheme: one2one, link: pcie}]}\n"
         "- {name: leaf, components: [{name: asic, count: 1, choice: cpu}, {name: port, count: 2, choice: port}], "
         "links: [{name: ic}], edges: [{ep1: {component: asic}, ep2: {component: port}, scheme: many2many, link: "
         "ic}]}\n"
         "instances: [{name: host, device: server, count: 2}, {name: leaf, device: leaf, count: 1}]\n"
         "links: [{name: ib}]\n"
         "edges: [{ep1: {instance: host, component: nic}, ep2: {instance: leaf, component: port}, scheme: one2one, "
         "link: ib}]\n";
}

TEST(InfraGraph, HasNvlinksToAllNvswitchesAsOne) {
  const auto imported = import_text(with_nvswitches("{name: pcie}, {name: xpu_fabric, description: nvlink_4}"), "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(links_in(imported->machine->templates.front().second),
            (Texts{"cpu0-xpu0 pcie 28.8 GB/s assumed", "cpu0-xpu1 pcie 28.8 GB/s assumed",
                   "nvsw0-xpu0 nvlink 450 GB/s assumed", "nvsw0-xpu1 nvlink 450 GB/s assumed",
                   "cpu0-nic0 pcie 28.8 GB/s assumed"}));
  EXPECT_EQ(imported->notes, (Texts{"PCIe links of NVSwitches are left out, since no messages go over them",
                                    "assumed: 450 GB/s for all such links of a GPU: InfraGraph states no bandwidth of "
                                    "the link xpu_fabric"}));
  // What is inside a switch is of the network's type, and a fabric that takes the one takes the other.
  EXPECT_EQ(name_of(imported->machine->outside.links.front().cable.type), "infiniband");
}

TEST(InfraGraph, HasNvlinksAsFastAsStated) {
  const auto machine = machine_of(with_nvswitches(
      "{name: pcie}, {name: xpu_fabric, physical: {bandwidth: {choice: gigabytes_per_second, gigabytes_per_second: "
      "50}}}"));
  EXPECT_EQ(links_in(machine.templates.front().second)[2], "nvsw0-xpu0 nvlink 100 GB/s");
}

TEST(InfraGraph, ShowsModelsByDescriptions) {
  auto text = with_nvswitches("{name: pcie}, {name: xpu_fabric, description: nvlink_4}");
  text.insert(text.find("count: 2, choice: xpu"), "description: NVIDIA H200 SXM, ");
  EXPECT_EQ(models_in(machine_of(text).templates.front().second), (Texts{"xpu0 H200", "xpu1 H200"}));
}

TEST(InfraGraph, DividesWhatIsAssumedOfNvlinksAmongPeers) {
  const auto machine = machine_of(
      "devices:\n"
      "- {name: server, components: [{name: cpu, count: 1, choice: cpu}, {name: xpu, count: 4, choice: xpu}], links: "
      "[{name: infinity_fabric}], edges: [{ep1: {component: xpu}, ep2: {component: xpu}, scheme: many2many, link: "
      "infinity_fabric}]}\n"
      "instances: [{name: host, device: server, count: 1}]\n");
  const auto links = links_in(machine.templates.front().second);
  EXPECT_EQ(links.size(), 6u);
  EXPECT_EQ(links.front(), "xpu0-xpu1 nvlink 149.3 GB/s assumed");
}

TEST(InfraGraph, SaysWhatIsMissing) {
  const auto fault = [](const std::string& text) { return faults_of(import_text(text, "x")); };
  EXPECT_EQ(fault("devices: [{name: d, components: [{name: s, count: 1, choice: switch}]}]\ninstances: [{name: i, "
                  "device: e}]\n"),
            "x: line 2, column 13: device: got \"e\", expected the name of a device");
  EXPECT_EQ(fault("devices: [{name: d, components: [{name: s, count: 1, choice: switch}]}]\ninstances: [{name: i, "
                  "device: d}]\n"),
            "x: line 1, column 1: no instance has a cpu or xpu, so there is nothing that ranks run on");
  EXPECT_EQ(fault("devices: [{name: d, components: [{name: d, count: 1, choice: device}]}]\ninstances: [{name: i, "
                  "device: d}]\n"),
            "x: line 1, column 1: the device \"d\" contains itself");
  EXPECT_EQ(fault("devices: {instances: [components"),
            "x: line 1, column 1: this is neither YAML nor JSON of InfraGraph: end of sequence flow not found");
}

TEST(InfraGraph, SlicesAsPythonDoes) {
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(expand_index("nic[1:]", 3), (Numbers{1, 2}));
  EXPECT_EQ(expand_index("nic[0:4:2]", 4), (Numbers{0, 2}));
  EXPECT_EQ(expand_index("nic", 2), (Numbers{0, 1}));
  EXPECT_FALSE(expand_index("nic[2]", 2));
  EXPECT_FALSE(expand_index("nic[-1]", 2));
  EXPECT_EQ(pairs_by_scheme("ring", {"a", "b", "c"}, {})->size(), 3u);
}

TEST(InfraGraph, JoinsPartsWithoutAWayToASocket) {
  const auto imported = import_text(
      "{devices: [{name: box, components: [{name: cpu, count: 2, choice: cpu}, {name: gpu, count: 4, choice: xpu}, "
      "{name: slot, count: 4, choice: custom}, {name: nvsw, count: 1, choice: switch}], "
      "links: [{name: pcie_gen5}, {name: nvlink_4}], edges: ["
      "{ep1: {component: 'cpu[0]'}, ep2: {component: 'slot[0:1]'}, scheme: many2many, link: pcie_gen5}, "
      "{ep1: {component: 'cpu[1]'}, ep2: {component: 'slot[2:3]'}, scheme: many2many, link: pcie_gen5}, "
      "{ep1: {component: 'slot'}, ep2: {component: 'gpu'}, scheme: one2one, link: pcie_gen5}, "
      "{ep1: {component: 'nvsw'}, ep2: {component: 'gpu'}, scheme: many2many, link: nvlink_4}]}], "
      "instances: [{name: h, device: box, count: 1}]}",
      "x");
  ASSERT_EQ(faults_of(imported), "");
  const auto links = links_in(imported->machine->templates.front().second);
  EXPECT_EQ((Texts{links.end() - 2, links.end()}),
            (Texts{"cpu0-slot1 pcie 57.6 GB/s assumed", "cpu1-slot3 pcie 57.6 GB/s assumed"}));
  EXPECT_EQ(imported->notes.back(), "box: no way in the file leads from a socket to some parts; PCIe is assumed from "
                                    "slot1 to cpu0, slot3 to cpu1");
}

} // namespace
} // namespace kakehashi
