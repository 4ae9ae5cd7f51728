#include "input/import/known_hardware.hpp"

#include "input/import/assembly.hpp"
#include "input/import/compose.hpp"
#include "input/import/machine.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// "upi 160 GB/s": what joins two sockets.
std::string sockets_joined(const std::string& processor, std::size_t sockets = 2) {
  const auto cable = socket_cable(processor, sockets);
  return fmt::format("{} {:.4g} GB/s", name_of(cable.type), capacity_of(cable).value / 1e9);
}

std::string name_or_fault(const std::string& processor) {
  const auto name = known_processor(processor);
  return name ? *name : to_text(name.errors().front());
}

TEST(Processor, HasAllLinksOfItsDataSheetToTheOtherSocket) {
  EXPECT_EQ(sockets_joined("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"), "qpi 34.13 GB/s");
  EXPECT_EQ(sockets_joined("Xeon E5-2670"), "qpi 28.44 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Platinum 8280"), "upi 62.4 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Gold 6338"), "upi 67.2 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Platinum 8380H"), "upi 124.8 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Platinum 8480+"), "upi 128 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Max 9480"), "upi 128 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Platinum 8592+"), "upi 160 GB/s");
  EXPECT_EQ(sockets_joined("Intel(R) Xeon(R) 6980P"), "upi 288 GB/s");
  EXPECT_EQ(sockets_joined("Xeon 6 6787P"), "upi 192 GB/s");
  EXPECT_EQ(sockets_joined("EPYC 7601"), "upi 72 GB/s");
  EXPECT_EQ(sockets_joined("AMD EPYC 7763 64-Core Processor"), "upi 144 GB/s");
  EXPECT_EQ(sockets_joined("EPYC 9654"), "upi 256 GB/s");
  EXPECT_EQ(sockets_joined("EPYC 9965"), "upi 256 GB/s");
  EXPECT_EQ(sockets_joined("Grace"), "upi 450 GB/s");
  EXPECT_EQ(sockets_joined(""), "upi 20.8 GB/s");
}

TEST(Processor, DividesItsLinksAmongTheOtherSockets) {
  EXPECT_EQ(sockets_joined("Xeon Platinum 8480+", 3), "upi 64 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Platinum 8480+", 4), "upi 32 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Platinum 8480+", 8), "upi 32 GB/s");
  EXPECT_EQ(sockets_joined("Xeon Platinum 8480+", 9), "upi 128 GB/s"); // all to what joins them
  EXPECT_EQ(socket_cable("Xeon Platinum 8480+", 2).source.from, "4 of: UPI of the fourth generation of Xeon Scalable");
}

TEST(Processor, OfSeveralMemoriesHasThemInTheOrderInWhichTheyFill) {
  const auto name = "Intel(R) Xeon Phi(TM) CPU 7250 @ 1.40GHz";
  const auto memories = memories_of_family(name);
  ASSERT_EQ(memories.size(), 2U);
  EXPECT_EQ(memories[0].name, "mcdram");
  EXPECT_EQ(memories[1].name, "ddr");
  EXPECT_EQ(bandwidth_of(memories, MemoryPolicy::fill, Bytes{}), gigabytes_per_second(450));
  EXPECT_EQ(size_of_processor(name)->cores, 68);
  EXPECT_EQ(note_of_processor(name), "MPI's costs are those of a Xeon's core, which is assumed: the cores of Xeon Phi "
                                     "x200 are slower");
  EXPECT_TRUE(memories_of_family("Xeon E5-2670").empty());
  EXPECT_EQ(note_of_processor("Xeon E5-2670"), "");
}

TEST(Processor, IsKnownHoweverItsNameIsWritten) {
  EXPECT_EQ(name_or_fault("epyc 9654"), "EPYC 9654");
  EXPECT_EQ(name_or_fault("AMD EPYC 9654 96-Core Processor"), "EPYC 9654");
  EXPECT_EQ(name_or_fault("Intel(R) Xeon(R) CPU E5-2680v4 @ 2.40GHz"), "Xeon E5-2680 v4");
  EXPECT_EQ(name_or_fault("NVIDIA Grace CPU"), "Grace");
  EXPECT_EQ(name_or_fault("Xeon 6 6980P"), "Xeon 6980P");
  EXPECT_EQ(name_or_fault("EPYC 7303"), "EPYC 7303"); // by its family
  EXPECT_EQ(name_or_fault("Fujitsu A64FX"), "Fujitsu A64FX");
}

TEST(Processor, ThatIsUnknownIsRefusedWithTheClosestName) {
  const std::string expected = ", expected a Xeon from 5500 on, EPYC, ThunderX2, POWER9, Grace, Graviton, Altra or "
                               "A64FX with its number; of others state --cores, --cache and --memory alone";
  EXPECT_EQ(name_or_fault("Epic 9654"), "--processor: got \"Epic 9654\"" + expected + " (did you mean \"EPYC 9654\"?)");
  EXPECT_EQ(name_or_fault("SW26010"), "--processor: got \"SW26010\"" + expected);
  EXPECT_EQ(name_or_fault("Xeon"), "--processor: got \"Xeon\"" + expected);
}

TEST(Processor, HasTheCoresAndCachesOfItsModel) {
  const auto size = size_of_processor("xeon gold 6148");
  ASSERT_TRUE(size);
  EXPECT_EQ(size->cores, 20);
  EXPECT_EQ(size->cache, Bytes{27 * 1048576 + 524288});
  EXPECT_EQ(size->cache_domain, 0);
  EXPECT_EQ(size_of_processor("Graviton3")->cores, 64);
  EXPECT_FALSE(size_of_processor("Xeon Gold 6149"));
  EXPECT_FALSE(size_of_processor("Xeon E5-2670 v9")); // not that of Xeon E5-2670
}

TEST(Processor, HasTheCoresThatShareACache) {
  const auto shared = [](const std::string& name) { return size_of_processor(name)->cache_domain; };
  EXPECT_EQ(shared("EPYC 7742"), 4);
  EXPECT_EQ(shared("EPYC 7402"), 3); // some cores of each are off
  EXPECT_EQ(shared("EPYC 7713"), 8);
  EXPECT_EQ(shared("EPYC 9754"), 8);
  EXPECT_EQ(shared("A64FX"), 12);
  EXPECT_EQ(domain_rate_of_family("AMD EPYC 7742 64-Core Processor"), gigabytes_per_second(24));
  EXPECT_FALSE(domain_rate_of_family("EPYC 7713"));
}

TEST(Processor, OfLaterFamiliesHasItsMemory) {
  EXPECT_EQ(memory_of_family("Xeon Max 9470")->channels, 8);
  EXPECT_EQ(memory_of_family("Xeon 6980P")->channels, 12);
  EXPECT_FALSE(memory_of_family("Xeon"));
}

std::string fault_of(const Errors& errors) {
  return errors.empty() ? "" : to_text(errors.front());
}

Assembly two_gpus() {
  const auto imported =
      import_text("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV12\t0-31\nGPU1\tNV12\t X \t32-63\n", "topo.txt");
  EXPECT_EQ(faults_of(imported), "");
  return *imported->node;
}

TEST(DataSheet, CompletesTheNodeOfAFile) {
  auto node = two_gpus();
  EXPECT_EQ(links_in(node)[2], "cpu0-cpu1 upi 20.8 GB/s assumed");
  ASSERT_EQ(fault_of(complete(node, {2, 0, "xeon platinum 8480+", "", ""})), "");
  EXPECT_EQ(node.processor, "Xeon Platinum 8480+");
  EXPECT_EQ(links_in(node).back(), "cpu0-cpu1 upi 128 GB/s assumed");
  EXPECT_EQ(links_in(node).size(), 4u);
  EXPECT_EQ(node.devices[1].cores, 56);
  EXPECT_EQ(node.devices[1].memory->channels, 8);
  EXPECT_EQ(node.devices[1].memory->cache, Bytes{105 << 20});
}

TEST(DataSheet, TakesThePlaceOfWhatTheFileStates) {
  auto node = two_gpus();
  node.devices[0].cores = node.devices[1].cores = 20;
  ASSERT_EQ(fault_of(complete(node, {0, 0, "EPYC 7742", "", ""})), "");
  EXPECT_EQ(node.devices[0].cores, 20); // of the file, since only the table has others
  EXPECT_EQ(node.devices[0].memory->cache, Bytes{256 << 20});
  ASSERT_EQ(fault_of(complete(node, {0, 32, "", "4x3200", "16 MiB"})), "");
  EXPECT_EQ(node.devices[0].cores, 32);
  EXPECT_EQ(node.devices[0].memory->channels, 4);
  EXPECT_EQ(node.devices[0].memory->cache, Bytes{16 << 20});
}

TEST(DataSheet, OfOtherSocketsIsRefused) {
  auto node = two_gpus();
  EXPECT_EQ(fault_of(complete(node, {4, 0, "", "", ""})), "--sockets: got 4, but the node's file has 2");
}

} // namespace
} // namespace kakehashi
