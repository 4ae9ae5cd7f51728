#include "input/import/compose.hpp"
#include "input/import/known_hardware.hpp"
#include "input/import/machine.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Texts = std::vector<std::string>;

Imported imported_from(const std::string& text, const ImportOptions& options = {}) {
  auto imported = import_text(text, "x", options);
  EXPECT_EQ(faults_of(imported), "");
  return imported ? *imported : Imported{};
}

// The matrix of two GPUs on one socket that so many NVLinks join; 0: none.
std::string matrix_of(int nvlinks) {
  const auto cell = nvlinks > 0 ? fmt::format("NV{}", nvlinks) : "PHB";
  return fmt::format("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \t{0}\t0-31\nGPU1\t{0}\t X \t0-31\n", cell);
}

std::string assumed_type(const std::string& type, int links, int rate, int generation) {
  return fmt::format("nvidia-smi does not state the type of GPUs; assumed: {}, as a GPU has {} NVLinks, so each has {} "
                     "GB/s, and slots of generation {} with 16 lanes; --gpu NAME and --pcie GEN state otherwise",
                     type, links, rate, generation);
}

TEST(NvidiaMatrix, OfPeerAccessIsRefused) {
  for (const auto* access : {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"})
    EXPECT_EQ(faults_of(import_text(fmt::format(" \tGPU0\tGPU1\t\n GPU0\tX\t{0}\t\n GPU1\t{0}\tX\t\n", access), "x")),
              "x: line 2: got what `nvidia-smi topo -p2p` prints: which GPUs reach each other, but not over which "
              "links, expected what `nvidia-smi topo -m` prints");
}

TEST(NvidiaMatrix, LetsTypesBeAssumedInOneNote) {
  const auto hopper = imported_from(matrix_of(18));
  EXPECT_EQ(hopper.notes, Texts{assumed_type("H100", 18, 25, 5)});
  EXPECT_EQ(links_in(*hopper.node), (Texts{"cpu0-gpu0 pcie 57.61 GB/s assumed", "cpu0-gpu1 pcie 57.61 GB/s assumed",
                                           "gpu0-gpu1 nvlink 450 GB/s assumed"}));
  EXPECT_EQ(imported_from(matrix_of(13)).notes, Texts{assumed_type("H100", 13, 25, 5)});
  EXPECT_EQ(imported_from(matrix_of(12)).notes, Texts{assumed_type("A100", 12, 25, 4)});
  EXPECT_EQ(imported_from(matrix_of(7)).notes, Texts{assumed_type("A100", 7, 25, 4)});
  EXPECT_EQ(imported_from(matrix_of(6)).notes, Texts{assumed_type("V100", 6, 25, 3)});
}

TEST(NvidiaMatrix, WithoutNvlinksHasUsualSlots) {
  const auto imported = imported_from(matrix_of(0));
  EXPECT_EQ(links_in(*imported.node), (Texts{"cpu0-gpu0 pcie 14.4 GB/s assumed", "cpu0-gpu1 pcie 14.4 GB/s assumed"}));
  EXPECT_EQ(imported.notes, Texts{"nvidia-smi states no slots; assumed: slots of generation 3, with 16 lanes for GPUs "
                                  "and 8 for adapters; --gpu NAME and --pcie GEN state otherwise"});
}

TEST(NvidiaMatrix, TakesTheStatedTypeAndGeneration) {
  const auto blackwell = imported_from(matrix_of(18), {.gpu = find_gpu_type("GB200")});
  EXPECT_EQ(blackwell.notes, Texts{});
  EXPECT_EQ(links_in(*blackwell.node).back(), "gpu0-gpu1 nvlink 900 GB/s assumed");
  EXPECT_EQ(blackwell.node->links.back().cable.source.from, "18 NVLinks of 50 GB/s, as GB200 has");
  const auto slow = imported_from(matrix_of(18), {.generation = 4, .gpu = find_gpu_type("H100")});
  EXPECT_EQ(links_in(*slow.node).front(), "cpu0-gpu0 pcie 28.81 GB/s assumed");
  EXPECT_EQ(imported_from(matrix_of(12), {.generation = 5}).notes,
            Texts{"nvidia-smi does not state the type of GPUs; assumed: A100, as a GPU has 12 NVLinks, so each has 25 "
                  "GB/s; --gpu NAME and --pcie GEN state otherwise"});
  EXPECT_EQ(imported_from(matrix_of(0), {.generation = 5}).notes, Texts{});
}

TEST(NvidiaMatrix, OfMoreLinksThanTheStatedTypeHasIsRefused) {
  EXPECT_EQ(faults_of(import_text(matrix_of(18), "x", {.gpu = find_gpu_type("V100")})),
            "--gpu: V100 has 6 NVLinks, but a GPU of x has 18");
}

// Two of eight GPUs behind switches: more links than one has show the switch.
TEST(NvidiaMatrix, OfTheStatedTypeShowsSwitchesByItsLinks) {
  const std::string three = "\tGPU0\tGPU1\tGPU2\tCPU Affinity\nGPU0\t X \tNV6\tNV6\t0-3\nGPU1\tNV6\t X \tNV6\t0-3\n"
                            "GPU2\tNV6\tNV6\t X \t0-3\n";
  EXPECT_EQ(links_in(*imported_from(three, {.gpu = find_gpu_type("V100")}).node).back(),
            "gpu2-nvswitch nvlink 150 GB/s assumed");
  EXPECT_EQ(links_in(*imported_from(three).node).back(), "gpu1-gpu2 nvlink 150 GB/s assumed");
}

TEST(NvidiaMatrix, HasNoLinksFromADeviceToItself) {
  EXPECT_EQ(faults_of(import_text("\tGPU0\tCPU Affinity\nGPU0\tNV4\t0-3\n", "x")),
            "x: line 2: got \"NV4\" from a device to itself, expected X");
  EXPECT_EQ(faults_of(import_text("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tXX\t0-3\nGPU1\tXX\t X \t0-3\n", "x")),
            "x: line 2: got \"XX\", expected SYS, NODE, PHB, PXB, PIX or NV and a number");
}

TEST(NvidiaMatrix, NotesAGpuWithoutNvlinksAmongOthers) {
  const auto imported = imported_from("\tGPU0\tGPU1\tGPU2\tCPU Affinity\nGPU0\t X \tNV4\tPHB\t0-3\n"
                                      "GPU1\tNV4\t X \tPHB\t0-3\nGPU2\tPHB\tPHB\t X \t0-3\n");
  ASSERT_EQ(imported.notes.size(), 2u);
  EXPECT_EQ(imported.notes[1], "gpu2 has no NVLinks or xGMI links, which other GPUs have, so PCIe joins it with them");
}

std::string with_gpus(const std::string& name, const std::string& type = "0302 [10de:1db1]") {
  std::string text = "<topology><object type=\"Machine\"><object type=\"Package\"><object type=\"PU\"/>";
  for (int i = 1; i <= 4; ++i)
    text += fmt::format("<object type=\"PCIDev\" pci_busid=\"0000:0{}:00.0\" pci_type=\"{} [1:1] 00\" "
                        "pci_link_speed=\"15.75\"><info name=\"PCIDevice\" value=\"{}\"/></object>",
                        i, type, name);
  return text + "</object></object></topology>";
}

TEST(Lstopo, NotesModulesWithoutNvlinks) {
  const auto notes = imported_from(with_gpus("GV100GL [Tesla V100 SXM2 16GB]")).notes;
  EXPECT_EQ(
      std::count(notes.begin(), notes.end(),
                 "gpu0, gpu1, gpu2, gpu3 are modules that NVLinks or xGMI links join, but the file has none, so "
                 "PCIe joins them; lstopo writes NVLinks if it is built with NVML; `nvidia-smi topo -m` or NCCL's "
                 "topology state them"),
      1);
  for (const auto& note : imported_from(with_gpus("GV100GL [Tesla V100 PCIe 16GB]")).notes)
    EXPECT_EQ(note.find("modules"), std::string::npos) << note;
}

// hwloc 1 has no backend that shows that these compute.
TEST(Lstopo, OfHwloc1HasAmdsGpusButNotTheConsole) {
  const auto node = *imported_from(with_gpus("Vega 10 [Radeon Instinct MI25]", "0300 [1002:6860]")).node;
  EXPECT_EQ(devices_in(node), (Texts{"cpu0 cpu", "gpu0 gpu", "gpu1 gpu", "gpu2 gpu", "gpu3 gpu"}));
  EXPECT_EQ(devices_in(*imported_from(with_gpus("ES1000", "0300 [1002:515e]")).node), Texts{"cpu0 cpu"});
}

std::string nccl_gpu(const std::string& bus, const std::string& target, const std::string& more) {
  return fmt::format("<pci busid=\"{}\" class=\"0x030200\" vendor=\"0x10de\"><gpu dev=\"0\" {}>"
                     "<nvlink target=\"{}\" count=\"2\" tclass=\"0x030200\"/></gpu></pci>",
                     bus, more, target);
}

TEST(Nccl, HasNoLinkFromAGpuToItself) {
  const auto imported =
      imported_from("<system version=\"1\"><cpu numaid=\"0\">" + nccl_gpu("0000:0A:00.0", "0000:0a:00.0", "sm=\"80\"") +
                    nccl_gpu("0000:0B:00.0", "0000:0B:00.0", "sm=\"80\"") + "</cpu></system>");
  EXPECT_EQ(links_in(*imported.node), (Texts{"cpu0-gpu0 pcie 14.4 GB/s assumed", "cpu0-gpu1 pcie 14.4 GB/s assumed"}));
}

TEST(Nccl, TakesTheStatedTypeWhereItHasNone) {
  const auto text = [](const std::string& more) {
    return "<system version=\"1\"><cpu numaid=\"0\">" + nccl_gpu("0000:0a:00.0", "0000:0b:00.0", more) +
           nccl_gpu("0000:0b:00.0", "0000:0a:00.0", more) + "</cpu></system>";
  };
  const ImportOptions options{.gpu = find_gpu_type("B200")};
  EXPECT_EQ(links_in(*imported_from(text(""), options).node).back(), "gpu0-gpu1 nvlink 100 GB/s");
  EXPECT_EQ(links_in(*imported_from(text("sm=\"90\""), options).node).back(), "gpu0-gpu1 nvlink 50 GB/s");
  EXPECT_EQ(links_in(*imported_from(text("sm=\"103\"")).node).back(), "gpu0-gpu1 nvlink 100 GB/s");
}

TEST(Nccl, ShowsTheProcessorByItsNumbers) {
  const auto joined = [](const std::string& numbers) {
    std::string text = "<system version=\"1\">";
    for (const auto* bus : {"0000:0a:00.0", "0000:0b:00.0"})
      text += fmt::format("<cpu numaid=\"0\" arch=\"x86_64\" {}>{}</cpu>", numbers, nccl_gpu(bus, bus, "sm=\"80\""));
    return links_in(*imported_from(text + "</system>").node)[2];
  };
  const std::string intel = "vendor=\"GenuineIntel\" familyid=\"6\" modelid=",
                    amd = "vendor=\"AuthenticAMD\" familyid=";
  EXPECT_EQ(joined(intel + "\"207\""), "cpu0-cpu1 upi 160 GB/s assumed");
  EXPECT_EQ(joined(intel + "\"143\""), "cpu0-cpu1 upi 128 GB/s assumed");
  EXPECT_EQ(joined(intel + "\"85\""), "cpu0-cpu1 upi 62.4 GB/s assumed");
  EXPECT_EQ(joined(intel + "\"9\""), "cpu0-cpu1 upi 20.8 GB/s assumed");
  EXPECT_EQ(joined(amd + "\"143\" modelid=\"1\""), "cpu0-cpu1 upi 72 GB/s assumed");
  EXPECT_EQ(joined(amd + "\"143\" modelid=\"49\""), "cpu0-cpu1 upi 144 GB/s assumed");
  EXPECT_EQ(joined(amd + "\"175\" modelid=\"17\""), "cpu0-cpu1 upi 256 GB/s assumed");
}

std::string amd_table(const std::string& title, const std::vector<Texts>& rows) {
  std::string text = title + ":\n             0000:05:00.0 0000:26:00.0 0000:46:00.0 \n";
  const Texts names{"0000:05:00.0", "0000:26:00.0", "0000:46:00.0"};
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += fmt::format("{} {:<13}{:<13}{}\n", names[i], rows[i][0], rows[i][1], rows[i][2]);
  return text + "\n";
}

const std::string amd_types =
    amd_table("LINK TYPE TABLE", {{"SELF", "XGMI", "XGMI"}, {"XGMI", "SELF", "PCIE"}, {"XGMI", "PCIE", "SELF"}});

TEST(AmdTables, HaveTheStatedRatesOfDirectLinks) {
  const auto imported =
      imported_from(amd_table("WEIGHT TABLE", {{"0", "15", "30"}, {"15", "0", "40"}, {"30", "40", "0"}}) + amd_types +
                    amd_table("NUMA BW TABLE", {{"N/A", "50000-200000", "50000-50000"},
                                                {"50000-200000", "N/A", "N/A"},
                                                {"50000-50000", "N/A", "N/A"}}));
  EXPECT_EQ(links_in(*imported.node), (Texts{"cpu0-gpu0 pcie 28.81 GB/s assumed", "cpu0-gpu1 pcie 28.81 GB/s assumed",
                                             "cpu0-gpu2 pcie 28.81 GB/s assumed", "gpu0-gpu1 nvlink 200 GB/s"}));
  EXPECT_EQ(imported.notes,
            (Texts{"amd-smi does not state sockets: there is one, or as many as --sockets states, to which GPUs are "
                   "dealt in order",
                   "amd-smi does not state the type of GPUs; assumed: MI250, so slots of generation 4 with 16 lanes; "
                   "--gpu NAME and --pcie GEN state otherwise, and the file that RCCL writes with "
                   "NCCL_TOPO_DUMP_FILE=topo.xml has all of it",
                   "gpu2 has no NVLinks or xGMI links, which other GPUs have, so PCIe joins it with them"}));
}

TEST(AmdTables, WithoutRatesHaveThoseOfTheStatedType) {
  const auto links = links_in(*imported_from(amd_types, {.gpu = find_gpu_type("MI300X")}).node);
  EXPECT_EQ(links, (Texts{"cpu0-gpu0 pcie 57.61 GB/s assumed", "cpu0-gpu1 pcie 57.61 GB/s assumed",
                          "cpu0-gpu2 pcie 57.61 GB/s assumed", "gpu0-gpu1 nvlink 64 GB/s assumed",
                          "gpu0-gpu2 nvlink 64 GB/s assumed"}));
}

TEST(AmdTables, AreDealtToTheStatedSockets) {
  auto node = *imported_from(amd_types).node;
  EXPECT_TRUE(complete(node, {2, 0, "EPYC 9654", "", ""}).empty());
  EXPECT_EQ(links_in(node), (Texts{"cpu0-gpu0 pcie 28.81 GB/s assumed", "cpu0-gpu1 pcie 28.81 GB/s assumed",
                                   "cpu1-gpu2 pcie 28.81 GB/s assumed", "gpu0-gpu1 nvlink 50 GB/s assumed",
                                   "gpu0-gpu2 nvlink 50 GB/s assumed", "cpu0-cpu1 upi 256 GB/s assumed"}));
}

TEST(AmdTables, ThatAreNotCompleteAreRefused) {
  EXPECT_EQ(faults_of(import_text("LINK TYPE TABLE:\n  0000:05:00.0 0000:26:00.0\n0000:05:00.0 SELF XGMI\n", "x")),
            "x: a table of weights or link types is missing or not complete; expected all that `amd-smi topology` "
            "prints");
}

TEST(AmdTables, WithRatesOfZeroHaveThoseOfTheType) {
  const auto rates =
      amd_table("NUMA BW TABLE", {{"N/A", "0-0", "50000-50000"}, {"0-0", "N/A", "N/A"}, {"50000-50000", "N/A", "N/A"}});
  const auto links = links_in(*imported_from(amd_types + rates, {.gpu = find_gpu_type("MI300X")}).node);
  EXPECT_EQ((Texts{links.end() - 2, links.end()}),
            (Texts{"gpu0-gpu1 nvlink 64 GB/s assumed", "gpu0-gpu2 nvlink 50 GB/s"}));
}

TEST(Models, AreThoseThatFilesShow) {
  EXPECT_EQ(models_in(*imported_from(data_of("node-hwloc2.xml")).node),
            (Texts{"gpu0 A100", "hca0 ConnectX-6", "gpu1 A100"}));
  EXPECT_EQ(models_in(*imported_from(data_of("nccl.xml")).node), (Texts{"gpu0 H100", "hca0 ConnectX-7", "gpu1 H100"}));
  EXPECT_EQ(models_in(*imported_from(data_of("rccl.xml")).node),
            (Texts{"gpu0 MI250X", "gpu1 MI250X", "gpu2 MI300X", "gpu3 MI300X"}));
}

TEST(Models, OfFilesWithoutAnyAreStatedOrAssumed) {
  const auto stated = imported_from(matrix_of(18), {.gpu = find_gpu_type("H200")});
  EXPECT_EQ(models_in(*stated.node), (Texts{"gpu0 H200", "gpu1 H200"}));
  EXPECT_EQ(stated.node->devices.back().source->kind, SourceKind::document);
  const auto assumed = imported_from(matrix_of(18));
  EXPECT_EQ(models_in(*assumed.node), (Texts{"gpu0 H100", "gpu1 H100"}));
  EXPECT_EQ(assumed.node->devices.back().source->from, "nvidia-smi: GPU1; the model is assumed");
  EXPECT_EQ(models_in(*imported_from(matrix_of(0)).node), Texts{});
}

// A capability is that of several types, so the stated one is taken if it has it.
TEST(Models, AgreeWithTheCapability) {
  const auto model = [](const std::string& gpu, const char* stated) {
    const auto text = R"(<system><cpu numaid="0"><pci busid="1" class="0x030200" vendor="0x10de"><gpu )" + gpu +
                      R"(/></pci></cpu></system>)";
    return models_in(*imported_from(text, {.gpu = find_gpu_type(stated)}).node);
  };
  EXPECT_EQ(model(R"(sm="90")", "H200"), Texts{"gpu0 H200"});
  EXPECT_EQ(model(R"(sm="90")", "A100"), Texts{"gpu0 H100"});
  EXPECT_EQ(model(R"(sm="120")", ""), Texts{"gpu0 RTX PRO 6000"});
  EXPECT_EQ(model(R"(sm="75")", ""), Texts{});
  EXPECT_EQ(model("", "L40S"), Texts{"gpu0 L40S"});
}

TEST(GpuType, FollowsFromTheCapabilityAmongThoseWithLinks) {
  EXPECT_EQ(gpu_type_of(0).name, "P100");
  EXPECT_EQ(gpu_type_of(75).name, "V100");
  EXPECT_EQ(gpu_type_of(89).name, "A40");
  EXPECT_EQ(gpu_type_of(103).name, "B300");
  EXPECT_EQ(gpu_type_of("gfx910").name, "MI250X");
  EXPECT_EQ(gpu_type_of("gfx942").name, "MI300X");
  EXPECT_EQ(gpu_type_of("").name, "MI50");
}

TEST(GpuType, IsFoundInLongerNames) {
  EXPECT_EQ(find_gpu_type("NVIDIA H100 80GB HBM3")->name, "H100");
  EXPECT_EQ(find_gpu_type("gb200")->name, "GB200");
  EXPECT_EQ(find_gpu_type("GeForce"), nullptr);
  const auto stated = stated_gpu_type("H10");
  ASSERT_FALSE(stated);
  EXPECT_EQ(stated.errors().front().suggestion, "H100");
}

} // namespace
} // namespace kakehashi
