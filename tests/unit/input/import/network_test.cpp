#include "input/import/assembly.hpp"
#include "input/import/machine.hpp"
#include "input/import/network_line.hpp"
#include "input/import/network_readers.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Texts = std::vector<std::string>;

NetworkPlan plan(const std::string& line, std::size_t nodes, std::size_t rails = 1) {
  const auto planned = plan_network(line, nodes, rails);
  if (planned)
    return *planned;
  ADD_FAILURE() << to_text(planned.errors().front());
  return {};
}

std::string fault(const std::string& line, std::size_t nodes) {
  const auto planned = plan_network(line, nodes, 1);
  return planned ? "accepted" : to_text(planned.errors().front());
}

TEST(NetworkLine, OfFewNodesIsOneSwitch) {
  EXPECT_EQ(devices_in(plan("fat-tree:HDR:36", 36).switches), Texts{"switch switch"});
  EXPECT_EQ(plan("100GbE", 3, 2).ports.size(), 6u);
}

// 18 nodes a leaf, 18 links up; with a taper of 2:1 24 and 12.
TEST(NetworkLine, OfTwoLevelsHasLeavesWithAllTheirLinksUpAsOne) {
  const auto full = plan("fat-tree:HDR:36", 40);
  EXPECT_EQ(devices_in(full.switches), (Texts{"spine switch", "leaf0 switch", "leaf1 switch", "leaf2 switch"}));
  EXPECT_EQ(links_in(full.switches)[0], "leaf0-spine infiniband 444.4 GB/s assumed");
  EXPECT_EQ(full.ports[17].far_end, "leaf0");
  EXPECT_EQ(full.ports[18].far_end, "leaf1");
  EXPECT_EQ(full.hosts[7], "node07");
  const auto tapered = plan("fat-tree:HDR:36:2:1", 40);
  EXPECT_EQ(links_in(tapered.switches),
            (Texts{"leaf0-spine infiniband 296.2 GB/s assumed", "leaf1-spine infiniband 296.2 GB/s assumed"}));
}

TEST(NetworkLine, OfThreeLevelsHasPods) {
  const auto tree = plan("fat-tree:HDR:4", 12); // 2 nodes a leaf, 6 leaves, 2 leaves a pod
  EXPECT_EQ(devices_in(tree.switches).size(), 1u + 3 + 6);
  EXPECT_EQ(links_in(tree.switches)[0], "pod0-spine infiniband 98.75 GB/s assumed");
  EXPECT_EQ(links_in(tree.switches)[3], "leaf0-pod0 infiniband 49.37 GB/s assumed");
}

TEST(NetworkLine, OfATorusJoinsNeighboursOnce) {
  EXPECT_EQ(plan("torus:100GbE:4x2", 8).switches.links.size(), 8u + 4);
  EXPECT_EQ(plan("ring:100GbE", 5).switches.links.size(), 5u);
}

TEST(NetworkLine, OfADragonflyJoinsEachPairOfGroups) {
  const auto network = plan("dragonfly:200GbE:3x2x2", 12);
  EXPECT_EQ(
      links_in(network.switches),
      (Texts{"group0-router1-group0-router0 ethernet 23.73 GB/s", "group1-router1-group1-router0 ethernet 23.73 GB/s",
             "group2-router1-group2-router0 ethernet 23.73 GB/s", "group1-router0-group0-router0 ethernet 23.73 GB/s",
             "group2-router0-group0-router1 ethernet 23.73 GB/s",
             "group2-router1-group1-router1 ethernet 23.73 GB/s"}));
}

TEST(NetworkLine, SaysWhatItExpects) {
  EXPECT_EQ(fault("fat-tree:HDR:4", 17),
            "--network \"fat-tree:HDR:4\": three levels of switches with 4 ports have room "
            "for 16 nodes, not 17; expected more ports");
  EXPECT_EQ(fault("torus:HDR:2x2", 5), "--network \"torus:HDR:2x2\": the torus has 4 points, fewer than the 5 nodes");
  EXPECT_EQ(fault("torus:HDR", 5), "--network \"torus:HDR\": expected the points along each dimension: "
                                   "\"torus:100GbE:4x4x2\"");
  EXPECT_NE(fault("fat-tree:HDRR:4", 4).find("(did you mean \"HDR\"?)"), std::string::npos);
}

TEST(Ibnetdiscover, MergesSpinesAndNamesHosts) {
  const auto imported = import_text(data_of("ibnetdiscover.txt"), "x");
  ASSERT_EQ(faults_of(imported), "");
  const auto& network = *imported->network;
  EXPECT_EQ(network.hosts, (Texts{"alpha", "beta", "gamma"}));
  EXPECT_EQ(links_in(network.switches),
            (Texts{"switch0-switch2 infiniband 13.47 GB/s", "switch1-switch2 infiniband 13.47 GB/s"}));
  ASSERT_EQ(network.ports.size(), 3u);
  EXPECT_EQ(network.ports[2].far_end, "switch1");
}

TEST(Ibnetdiscover, NamesHostsByTheSwitchesPorts) {
  const auto imported = import_text("Switch\t36 \"S-1\"\t\t# \"leaf\" enhanced port 0 lid 3 lmc 0\n"
                                    "[1]\t\"H-1\"[1](b) \t\t# \"alpha HCA-1\" lid 4 4xFDR\n"
                                    "[2]\t\"H-2\"[1](c) \t\t# \"beta HCA-1\" lid 5 4xFDR\n",
                                    "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(imported->network->hosts, (Texts{"alpha", "beta"}));
}

TEST(Ibnetdiscover, PassesOverLinksOfASwitchToItself) {
  const auto at = [](const char* id) {
    return fmt::format("Switch\t36 \"{}\"\n[1]\t\"S-1\"[1] # 4xEDR\n[2]\t\"S-2\"[1] # 4xEDR\n", id);
  };
  const auto imported =
      import_text(at("S-1") + at("S-2") + "Ca\t1 \"H-1\" # \"n1 mlx\"\n[1]\t\"S-3\"[1] # 4xEDR\n", "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(links_in(imported->network->switches).size(), 1u);
}

TEST(Ibnetdiscover, SaysWhatIsMissing) {
  EXPECT_EQ(
      faults_of(import_text("Switch 2 \"S-1\" # \"s\"\n[1] \"S-2\"[1] # \"t\" lid 1 4xEDR\n", "x")),
      "x: there is no host adapter (Ca) in this list; ibnetdiscover lists them when it runs as root while the nodes "
      "are up");
  EXPECT_EQ(
      faults_of(import_text("Switch 2 \"S-1\" # \"s\"\n[1] \"H-2\"[1] # \"t\" lid 1 4xFAST\n", "x")),
      "x: line 2: got \"4xFAST\", expected the width and rate of the link, such as 4xEDR, at the end of the line");
}

TEST(Slurm, HasAsManyLinksUpAsNodesBelow) {
  const auto imported = import_text(data_of("topology.conf"), "x", {infiniband_cable("EDR", 4, assumed("stated"))});
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(imported->network->hosts.size(), 12u);
  EXPECT_EQ(links_in(imported->network->switches),
            (Texts{"s2-s0 infiniband 74.06 GB/s assumed", "s2-s1 infiniband 74.06 GB/s assumed"}));
}

TEST(Slurm, SaysWhatIsMissing) {
  EXPECT_EQ(
      faults_of(import_text("BlockName=b0 Nodes=n[1-4]\n", "x")),
      "x: line 1: this is for Slurm's plugin topology/block, which does not state how blocks are joined; expected "
      "lines of SwitchName, as topology/tree takes them");
  EXPECT_EQ(faults_of(import_text("SwitchName=a Nodes=n[1-\n", "x")),
            "x: line 1: got \"Nodes=n[1-\", expected names such as n[01-16],login1, at most 10000");
  EXPECT_EQ(faults_of(import_text("SwitchName=a Nodes=n1\nSwitchName=b Switches=c\n", "x")),
            "x: line 2: got \"c\", expected the name of another switch");
  EXPECT_EQ(faults_of(import_text("SwitchName=a Nodes=n[1-2]\nSwitchName=a Nodes=n1\n", "x")),
            "x: line 2: got the switch \"a\" twice, expected each only once");
  EXPECT_EQ(faults_of(import_text("SwitchName=a Nodes=n1 Switches=b\nSwitchName=b Switches=a\n", "x")),
            "x: line 1: got switches that are below themselves, expected at most 20 levels");
}

TEST(HostList, KeepsLeadingZeros) {
  EXPECT_EQ(expand_hosts("n[08-10,2]x,login"), (Texts{"n08x", "n09x", "n10x", "n2x", "login"}));
  EXPECT_FALSE(expand_hosts("n[1-99999]"));
}

} // namespace
} // namespace kakehashi
