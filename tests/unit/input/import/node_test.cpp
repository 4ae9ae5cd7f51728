#include "input/import/machine.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Texts = std::vector<std::string>;

Assembly node_of(const std::string& file) {
  const auto imported = import_text(data_of(file), file);
  EXPECT_EQ(faults_of(imported), "");
  return imported && imported->node ? *imported->node : Assembly{};
}

std::string limit_of_cores(const std::string& cores, int rate) {
  return "cpu0 has " + cores + ", so what they copy within caches shares " + std::to_string(rate) +
         " GB/s, at four bytes for each that is sent: 10 GB/s a core are assumed; without \"cores\" caches limit "
         "nothing";
}

TEST(Lstopo, OfHwloc1HasSocketsInsideDomains) {
  const auto node = node_of("node-hwloc1.xml");
  EXPECT_EQ(devices_in(node), (Texts{"cpu0 cpu", "cpu1 cpu", "hca0 hca"}));
  EXPECT_EQ(links_in(node), (Texts{"cpu0-hca0 pcie 1.829 GB/s", "cpu0-cpu1 qpi 11.38 GB/s assumed"}));
  EXPECT_EQ(node.links[0].cable.source.kind, SourceKind::assumed);
  EXPECT_TRUE(node.links[0].cable.source.from.ends_with("; the latency is assumed"));
  EXPECT_EQ(node.devices[0].source->from, "lstopo: Intel(R) Xeon(R) CPU X5650 @ 2.67GHz, 2 cores, 2 threads, "
                                          "1 NUMA domain, L3 12288 KiB");
}

TEST(Lstopo, OfHwloc2HasSwitchesCardsAndNvlinks) {
  const auto node = node_of("node-hwloc2.xml");
  // The display of the console is no GPU, the two ports of one adapter are one, and a slot is as wide as the narrowest
  // link above the card.
  EXPECT_EQ(devices_in(node),
            (Texts{"cpu0 cpu", "cpu1 cpu", "pcie-switch0 switch", "gpu0 gpu", "hca0 hca", "gpu1 gpu", "nic0 nic"}));
  EXPECT_EQ(links_in(node),
            (Texts{"cpu0-pcie-switch0 pcie 28.81 GB/s", "pcie-switch0-gpu0 pcie 28.81 GB/s",
                   "pcie-switch0-hca0 pcie 28.81 GB/s", "cpu1-gpu1 pcie 14.4 GB/s", "cpu1-nic0 pcie 1.829 GB/s",
                   "cpu0-cpu1 upi 144 GB/s assumed", "gpu0-gpu1 nvlink 300 GB/s"}));
}

TEST(Lstopo, OfPowerHasNvlinksOfSockets) {
  EXPECT_EQ(links_in(node_of("node-power.xml")),
            (Texts{"cpu0-gpu0 pcie 14.4 GB/s", "cpu1-gpu1 pcie 14.4 GB/s", "cpu0-cpu1 upi 64 GB/s assumed",
                   "gpu0-cpu0 nvlink 40 GB/s", "gpu1-cpu1 nvlink 20 GB/s"}));
}

TEST(Lstopo, OfHwloc3WithoutSpeedsHasAssumedSlots) {
  const auto imported = import_text(data_of("node-hwloc3.xml"), "node.xml");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(devices_in(*imported->node), (Texts{"cpu0 cpu", "cpu1 cpu", "mic0 coprocessor", "hca0 hca"}));
  EXPECT_EQ(links_in(*imported->node), (Texts{"cpu0-mic0 pcie 7.314 GB/s assumed", "cpu0-hca0 pcie 7.202 GB/s assumed",
                                              "cpu0-cpu1 qpi 28.44 GB/s assumed"}));
  EXPECT_EQ(imported->notes, (Texts{"the file does not state to which socket some PCI devices are connected; assumed: "
                                    "the first",
                                    limit_of_cores("1 core", 10)}));
}

// A run takes the cache for what it is, and only the bandwidth for the usual one.
TEST(Lstopo, StatesCachesOfProcessorsThatItDoesNotKnow) {
  auto text = data_of("node-hwloc2.xml");
  for (std::size_t at; (at = text.find("EPYC 7763")) != std::string::npos;)
    text.replace(at, 9, "FAST 1");
  const auto imported = import_text(text, "x");
  ASSERT_EQ(faults_of(imported), "");
  const auto& devices = imported->node->devices;
  ASSERT_TRUE(devices[0].memory);
  EXPECT_EQ(devices[0].memory->cache, Bytes{32 << 20});
  EXPECT_FALSE(devices[0].memory->states_bandwidth());
  EXPECT_FALSE(devices[1].memory); // without caches in the file
}

TEST(Lstopo, SaysWhatFewCoresLimit) {
  const auto imported = import_text(data_of("node-hwloc1.xml"), "x");
  ASSERT_EQ(faults_of(imported), "");
  ASSERT_FALSE(imported->notes.empty());
  EXPECT_EQ(imported->notes.back(), limit_of_cores("2 cores", 20));
}

TEST(Lstopo, SaysWhichCardsSeemToRest) {
  auto text = data_of("node-power.xml");
  text.replace(text.find("15.753846"), 9, "2.000000");
  const auto imported = import_text(text, "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(imported->notes, (Texts{"slots as slow as those of cards that rest: gpu0 (1.829 GB/s); make the file while "
                                    "the cards compute, or put generation and lanes of the slots into the platform",
                                    limit_of_cores("1 core", 10)}));
}

TEST(Lstopo, WithoutPackagesHasOneSocket) {
  const auto imported =
      import_text("<topology><object type=\"Machine\"><object type=\"PU\"/></object></topology>", "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(devices_in(*imported->node), Texts{"cpu0 cpu"});
}

TEST(Nccl, HasSwitchesAndAllNvswitchesAsOne) {
  const auto node = node_of("nccl.xml");
  EXPECT_EQ(devices_in(node), (Texts{"cpu0 cpu", "cpu1 cpu", "pcie-switch0 switch", "gpu0 gpu", "hca0 hca", "gpu1 gpu",
                                     "nvswitch switch"}));
  EXPECT_EQ(links_in(node), (Texts{"cpu0-pcie-switch0 pcie 57.61 GB/s", "pcie-switch0-gpu0 pcie 57.61 GB/s",
                                   "pcie-switch0-hca0 pcie 57.61 GB/s", "cpu1-gpu1 pcie 14.4 GB/s assumed",
                                   "cpu0-cpu1 upi 128 GB/s assumed", "gpu0-nvswitch nvlink 450 GB/s",
                                   "gpu1-nvswitch nvlink 450 GB/s"}));
}

TEST(Nccl, HasXgmiLinksOfRccl) {
  const auto imported = import_text(data_of("rccl.xml"), "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(devices_in(*imported->node),
            (Texts{"cpu0 cpu", "cpu1 cpu", "gpu0 gpu", "gpu1 gpu", "gpu2 gpu", "gpu3 gpu"}));
  const auto links = links_in(*imported->node);
  ASSERT_EQ(links.size(), 8u);
  EXPECT_EQ((Texts{links.begin() + 5, links.end()}),
            (Texts{"gpu0-gpu1 nvlink 200 GB/s", "gpu0-gpu2 nvlink 50 GB/s", "gpu2-gpu3 nvlink 64 GB/s"}));
  EXPECT_EQ(imported->node->links.back().cable.source.from,
            "NCCL: 1 xGMI link, 64 GB/s each by data sheet; the latency is assumed");
  EXPECT_EQ(imported->notes, Texts{});
}

TEST(Nccl, HasC2cLinksOfSockets) {
  const auto imported = import_text(
      "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\"><pci busid=\"0009:01:00.0\" class=\"0x030200\" "
      "vendor=\"0x10de\" link_speed=\"32 GT/s\" link_width=\"16\"><gpu dev=\"0\" sm=\"90\"><c2c bw=\"44712\" "
      "count=\"10\"/></gpu></pci></cpu></system>",
      "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(links_in(*imported->node), (Texts{"cpu0-gpu0 pcie 57.61 GB/s", "gpu0-cpu0 nvlink 447.1 GB/s"}));
}

TEST(Nccl, SaysThatNumaDomainsBecomeSockets) {
  std::string text = "<system version=\"1\">";
  for (int domain = 0; domain < 4; ++domain)
    text += fmt::format("<cpu numaid=\"{}\" vendor=\"AuthenticAMD\"><pci busid=\"0000:0{}:00.0\" class=\"0x030200\" "
                        "link_speed=\"16 GT/s\" link_width=\"16\"><gpu dev=\"{}\" sm=\"80\"/></pci></cpu>",
                        domain, domain, domain);
  const auto imported = import_text(text + "</system>", "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(imported->notes.front(),
            "NCCL names NUMA domains, but not the sockets that they are in: each of the 4 is a socket here, and the "
            "links between them are assumed to be those of sockets");
}

TEST(NvidiaMatrix, HasSocketsByAffinityAndDirectNvlinks) {
  const auto node = node_of("nvidia-smi.txt");
  EXPECT_EQ(devices_in(node), (Texts{"cpu0 cpu", "cpu1 cpu", "pcie-switch0 switch", "gpu0 gpu", "gpu1 gpu", "gpu2 gpu",
                                     "gpu3 gpu", "hca0 hca"}));
  const auto links = links_in(node);
  ASSERT_EQ(links.size(), 13u);
  EXPECT_EQ(links[0], "cpu0-pcie-switch0 pcie 28.81 GB/s assumed");
  EXPECT_EQ(links[3], "cpu1-gpu2 pcie 28.81 GB/s assumed");
  EXPECT_EQ(links[7], "gpu0-gpu1 nvlink 100 GB/s assumed");
}

TEST(NvidiaMatrix, OfMoreLinksThanAGpuHasIsThatOfSwitches) {
  const auto imported =
      import_text("\tGPU0\tGPU1\tGPU2\tCPU Affinity\nGPU0\t X \tNV12\tNV12\t0-3\nGPU1\tNV12\t X \tNV12\t0-3\n"
                  "GPU2\tNV12\tNV12\t X \t0-3\n",
                  "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(links_in(*imported->node).back(), "gpu2-nvswitch nvlink 300 GB/s assumed");
}

TEST(RocmTables, HaveLinksOfWeightsThatAreDirectAndDomainsForSockets) {
  const auto imported = import_text(data_of("rocm-smi.txt"), "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(devices_in(*imported->node), (Texts{"cpu0 cpu", "cpu1 cpu", "gpu0 gpu", "gpu1 gpu", "gpu2 gpu"}));
  EXPECT_EQ(links_in(*imported->node), (Texts{"cpu0-gpu0 pcie 28.81 GB/s assumed", "cpu0-gpu1 pcie 28.81 GB/s assumed",
                                              "cpu1-gpu2 pcie 28.81 GB/s assumed", "cpu0-cpu1 upi 144 GB/s assumed",
                                              "gpu0-gpu1 nvlink 50 GB/s assumed"}));
  EXPECT_EQ(imported->notes,
            (Texts{"rocm-smi does not state the type of GPUs; assumed: MI250, so one xGMI link of 50 GB/s between two, "
                   "and slots of generation 4 with 16 lanes; --gpu NAME and --pcie GEN state otherwise, and the file "
                   "that RCCL writes with NCCL_TOPO_DUMP_FILE=topo.xml has all of it",
                   "gpu2 has no NVLinks or xGMI links, which other GPUs have, so PCIe joins it with them"}));
}

TEST(NvidiaMatrix, SaysThatNumaDomainsBecomeSockets) {
  const auto imported = import_text("\tGPU0\tGPU1\tGPU2\tCPU Affinity\nGPU0\t X \tSYS\tSYS\t0-3\n"
                                    "GPU1\tSYS\t X \tSYS\t4-7\nGPU2\tSYS\tSYS\t X \t8-11\n",
                                    "x");
  ASSERT_EQ(faults_of(imported), "");
  ASSERT_EQ(imported->notes.size(), 2u);
  EXPECT_EQ((Texts{imported->notes.back()}),
            (Texts{"nvidia-smi names NUMA domains, but not the sockets that they are in: each of the 3 "
                   "is a socket here, and the links between them are assumed to be those of sockets"}));
}

struct Rejected {
  std::string text;
  std::string fault;
};

void PrintTo(const Rejected& rejected, std::ostream* out) {
  *out << rejected.fault;
}

class FaultyNode : public testing::TestWithParam<Rejected> {};

TEST_P(FaultyNode, IsRefusedWithWhatIsMissing) {
  EXPECT_EQ(faults_of(import_text(GetParam().text, "x")), GetParam().fault);
}

const std::string known = ", expected one of these formats, which one gets by:"
                          "\n  lstopo's XML: lstopo --whole-io node.xml"
                          "\n  NCCL's topology: NCCL_TOPO_DUMP_FILE=node.xml in the environment of a job"
                          "\n  SimGrid's platform: the file that smpirun takes with -platform"
                          "\n  the tables of rocm-smi: rocm-smi --showtopo > node.txt"
                          "\n  the tables of amd-smi: amd-smi topology > node.txt"
                          "\n  the matrix of nvidia-smi: nvidia-smi topo -m > node.txt"
                          "\n  ibnetdiscover's list: ibnetdiscover > network.txt, as root"
                          "\n  Slurm's topology.conf: /etc/slurm/topology.conf"
                          "\n  Slurm's topology.yaml: /etc/slurm/topology.yaml"
                          "\n  InfraGraph: infragraph's YAML or JSON";

std::string nested(int depth) {
  std::string text = "<topology>";
  for (int i = 0; i < depth; ++i)
    text += "<object type=\"Group\">";
  for (int i = 0; i < depth; ++i)
    text += "</object>";
  return text + "</topology>";
}

INSTANTIATE_TEST_SUITE_P(
    Formats, FaultyNode,
    testing::Values(
        Rejected{"", "x: got nothing" + known}, Rejected{"hello", "x: got a text of no known form" + known},
        Rejected{"<svg/>", "x: got XML of <svg>" + known},
        Rejected{"<graphs version=\"1\"/>", "x: got NCCL's channels (NCCL_GRAPH_DUMP_FILE)" + known},
        Rejected{"<topology><object", "x: line 1, column 17: this is not well-formed XML: Error parsing start element "
                                      "tag; is the file complete?"},
        Rejected{nested(2000), "x: line 1, column 1: the elements are nested more than 500 deep"},
        Rejected{"<topology/>", "x: line 1, column 2: there is no object in this topology; `lstopo --whole-io out.xml` "
                                "writes one"},
        Rejected{"<system version=\"1\"/>",
                 "x: line 1, column 2: there is no cpu in this topology; run a job on all GPUs of a node with "
                 "NCCL_TOPO_DUMP_FILE=topo.xml, which writes all of it"},
        Rejected{
            "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:00:16.0\"/></cpu></system>",
            "x: line 1, column 2: its PCI devices have no class, or no GPU and no adapter is among them; run a job "
            "on all GPUs of a node with NCCL_TOPO_DUMP_FILE=topo.xml, which writes all of it"},
        Rejected{"==== Link Type between two GPUs ====\n       GPU0         GPU1\nGPU0   0            XGMI\n",
                 "x: a table of weights or link types is missing or not complete; expected all that `rocm-smi "
                 "--showtopo` prints"},
        Rejected{"\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \n",
                 "x: line 2: got \"GPU0\\t X \", expected GPU0 with 2 entries"}));

} // namespace
} // namespace kakehashi
