#include "input/import/assembly.hpp"
#include "input/import/compose.hpp"
#include "input/import/formats.hpp"
#include "input/import/machine.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Texts = std::vector<std::string>;

// A node with so many adapters.
Assembly node_with(std::size_t adapters) {
  auto node = plain_node();
  for (std::size_t i = 0; i < adapters; ++i) {
    node.devices.push_back({fmt::format("hca{}", i), DeviceKind::hca, {}});
    node.links.push_back({"cpu0", node.devices.back().name, pcie_cable(4, 16, stated("test"))});
  }
  return node;
}

// What is written of so many of them, joined as the line says: "fat-tree node[0-7].hca0".
std::string joined(const std::string& line, std::size_t nodes, std::size_t adapters = 1) {
  const auto network = read_network_line(line, nodes, adapters);
  if (!network)
    return to_text(network.errors().front());
  std::vector<std::string> notes;
  const auto machine = compose("x", node_with(adapters), *network, nodes, notes);
  std::string text = machine.nodes.front().first;
  for (const auto& link : machine.outside.links)
    text += fmt::format("; {} to {}", link.from, link.to);
  for (const auto& network : machine.networks) {
    text += fmt::format("; {}{} joins {}", name_of(network_kind_names, network.shape.kind),
                        network.rails > 1 ? fmt::format(" of each of {} rails", network.rails) : "",
                        fmt::join(network.joins, " "));
    if (network.name == "spine")
      text += fmt::format(" by {:.4g} GB/s", capacity_of(network.link).value / 1e9);
  }
  return text;
}

TEST(NetworkLine, JoinsTheAdaptersOfAllNodes) {
  EXPECT_EQ(joined("100GbE", 3), "node[0-2]; switch joins node[0-2].hca0");
  EXPECT_EQ(joined("fat-tree:HDR:36", 40, 2), "node[00-39]; fat-tree joins node[00-39].hca[0,1]");
  EXPECT_EQ(joined("dragonfly:200GbE:3x2x2", 12, 2), "node[00-11]; dragonfly joins node[00-11].hca[0,1]");
}

TEST(NetworkLine, OfRailsHasASwitchForEach) {
  EXPECT_EQ(joined("rail:NDR:8", 16, 8),
            "node[00-15]; switch of each of 8 rails joins node[00-15].hca[0,1,2,3,4,5,6,7]");
  EXPECT_EQ(joined("rail:NDR:2:64", 16, 4), "node[00-15]; switch of each of 2 rails joins node[00-15].hca[0,1,2,3]; "
                                            "switch joins rail[0-1] by 1580 GB/s");
  EXPECT_EQ(joined("rail:NDR:2:64:2:1", 16, 2), "node[00-15]; switch of each of 2 rails joins node[00-15].hca[0,1]; "
                                                "switch joins rail[0-1] by 395 GB/s");
}

TEST(NetworkLine, OfLargeRailsHasLeavesOfOneRailEach) {
  EXPECT_EQ(joined("rail:NDR:2:64", 50, 2), "node[00-49]; fat-tree joins node[00-49].hca0 node[00-49].hca1");
  const auto line = read_network_line("rail:NDR:2:64", 50, 2);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->shape.ports, 50u); // two leaves of 25 adapters for each rail
  EXPECT_EQ(joined("rail:NDR:2:64", 101, 2), "--network \"rail:NDR:2:64\": 101 adapters of a rail fill no leaves of up "
                                             "to 32 evenly; expected another number of nodes, or of ports");
}

TEST(NetworkLine, StatesSwitchesThatAdd) {
  const auto adding = read_network_line("rail:NDR:2:64+sharp", 50, 2);
  ASSERT_TRUE(adding);
  EXPECT_TRUE(adding->shape.adds);
  EXPECT_EQ(joined("100GbE+sharp", 4, 1), "--network \"100GbE+sharp\": only switches of InfiniBand add by SHARP");
}

TEST(NetworkLine, OfRailsNeedsAdaptersForAll) {
  EXPECT_EQ(joined("rail:NDR:3", 4, 4),
            "--network \"rail:NDR:3\": 3 rails for 4 nodes with 4 adapters each; expected at "
            "least two nodes, and a number of rails that divides that of adapters");
  EXPECT_EQ(joined("rail:NDR", 4, 4),
            "--network \"rail:NDR\": expected the number of rails, and then perhaps the ports "
            "of a switch, if a spine joins the rails: \"rail:NDR:8\" or \"rail:NDR:8:64\"");
}

TEST(NetworkLine, OfARingOrTorusHasARouterAtEachPoint) {
  EXPECT_EQ(joined("ring:100GbE", 5), "node[0-4]; node[0-4].hca0 to router[0-4]; ring joins router[0-4]");
  EXPECT_EQ(joined("torus:100GbE:4x3", 9, 2),
            "node[0-8]; node[0-8].hca0 to router[00-08]; node[0-8].hca1 to router[00-08]; torus joins router[00-11]");
}

TEST(NetworkLine, SaysWhichAdaptersSlotsAreSlowerThanTheNetwork) {
  std::vector<std::string> notes;
  compose("x", node_with(1), *read_network_line("NDR", 2, 1), 2, notes);
  EXPECT_EQ(notes,
            (Texts{"hca0 can send 49.37 GB/s into the network, but its slot has 28.81 GB/s and limits it; if that "
                   "is not so, state --pcie, or put generation and lanes of the slot into the platform"}));
}

TEST(NetworkLine, StatesPortsTaperAndPoints) {
  const auto tapered = read_network_line("fat-tree:HDR:40:2:1", 200, 1);
  ASSERT_TRUE(tapered);
  EXPECT_EQ(tapered->shape.ports, 40u);
  EXPECT_EQ(tapered->shape.taper, (std::array<std::size_t, 2>{2, 1}));
  EXPECT_EQ(read_network_line("dragonfly:200GbE:3x2x2:4", 12, 2)->shape.group_links, 4U);
  const auto dragonfly = read_network_line("dragonfly:200GbE:3x2x2", 12, 2);
  ASSERT_TRUE(dragonfly);
  EXPECT_EQ(dragonfly->shape.points, (std::vector<std::size_t>{3, 2, 4})); // with both adapters of a node
}

TEST(NetworkLine, SaysWhatItExpects) {
  EXPECT_EQ(joined("fat-tree:HDR:4", 17), "--network \"fat-tree:HDR:4\": 3 levels of switches with 4 ports have room "
                                          "for 16 devices, not for 17");
  EXPECT_EQ(joined("torus:HDR:2x2", 5), "--network \"torus:HDR:2x2\": the torus has 4 points, fewer than the 5 nodes");
  EXPECT_EQ(joined("torus:HDR", 5), "--network \"torus:HDR\": expected the points along each dimension: "
                                    "\"torus:100GbE:4x4x2\"");
  EXPECT_EQ(joined("dragonfly:HDR:2x2x2", 9), "--network \"dragonfly:HDR:2x2x2\": the dragonfly has room for 8 "
                                              "devices, not for 9");
  EXPECT_NE(joined("fat-tree:HDRR:4", 4).find("(did you mean \"HDR\"?)"), std::string::npos);
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

TEST(Ibnetdiscover, AddsTheRatesOfParallelCables) {
  const auto network = [](const std::vector<std::string>& rates) {
    std::string text = "Switch 36 \"S-1\" # \"leaf\"\n[9] \"H-1\"[1](b) # \"alpha HCA-1\" lid 4 4xEDR\n";
    std::string other = "Switch 36 \"S-2\" # \"spine\"\n[9] \"H-2\"[1](c) # \"beta HCA-1\" lid 5 4xEDR\n";
    for (std::size_t i = 0; i < rates.size(); ++i) {
      text += fmt::format("[{}] \"S-2\"[{}] # \"spine\" lid 1 4x{}\n", i + 1, i + 21, rates[i]);
      other += fmt::format("[{}] \"S-1\"[{}] # \"leaf\" lid 2 4x{}\n", i + 21, i + 1, rates[i]);
    }
    return import_text(text + other, "x");
  };
  const auto mixed = network({"EDR", "DDR", "EDR"});
  ASSERT_EQ(faults_of(mixed), "");
  EXPECT_EQ(links_in(mixed->network->switches), (Texts{"switch0-switch1 infiniband 26.66 GB/s"}));
  EXPECT_EQ(mixed->network->switches.links.front().cable.source.from,
            "1 of: ibnetdiscover: 4xDDR; the latency is assumed, 2 of: ibnetdiscover: 4xEDR; the latency is assumed");
  EXPECT_EQ(mixed->notes,
            (Texts{"slower than others of the same switch, as cables are that fail: 4xDDR at port [2] of \"leaf\""}));
  EXPECT_EQ(links_in(network({"EDR", "EDR", "DDR"})->network->switches),
            (Texts{"switch0-switch1 infiniband 26.66 GB/s"}));
  EXPECT_EQ(network({"EDR", "EDR"})->notes, Texts{});
}

TEST(Ibnetdiscover, KeepsAdaptersApartThatNoHostHasNamed) {
  const auto imported = import_text(
      "Switch 36 \"S-1\" # \"leaf\"\n[1] \"H-b1\"[1](b) # \"MT4115 ConnectX4 Mellanox Technologies\" lid 4 4xEDR\n"
      "[2] \"H-b2\"[1](c) # \"MT4115 ConnectX4 Mellanox Technologies\" lid 5 4xEDR\n"
      "[3] \"H-b3\"[1](d) # \"Mellanox Technologies Aggregation Node\" lid 6 4xEDR\n",
      "x");
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(imported->network->hosts, (Texts{"H-b1", "H-b2"}));
  EXPECT_EQ(imported->notes, (Texts{"adapters that no host has named are nodes of their own, named by their GUIDs: "
                                    "\"MT4115 ConnectX4 Mellanox Technologies\"; rdma-ndd on the hosts names them"}));
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

TEST(Slurm, HasTheClustersTreeOfItsYaml) {
  const auto imported = import_text(data_of("topology.yaml"), "x", {infiniband_cable("EDR", 4, assumed("stated"))});
  ASSERT_EQ(faults_of(imported), "");
  EXPECT_EQ(imported->network->hosts.size(), 12u);
  EXPECT_EQ(links_in(imported->network->switches),
            (Texts{"s2-s0 infiniband 74.06 GB/s assumed", "s2-s1 infiniband 74.06 GB/s assumed"}));
  EXPECT_EQ(imported->notes, (Texts{"of the 2 topologies, that of the cluster is read: \"fabric\""}));
}

TEST(Slurm, SaysWhichTopologiesOfItsYamlNameNoSwitches) {
  EXPECT_EQ(faults_of(import_text("- topology: a\n  block:\n    blocks:\n    - block: b\n      nodes: n[1-4]\n", "x")),
            "x: line 1: this is for Slurm's plugin topology/block, which does not state how blocks are joined; "
            "expected a tree with switches, as topology/tree takes them");
  EXPECT_EQ(faults_of(import_text("- topology: a\n  flat: true\n", "x")),
            "x: line 1: this topology names no switches; expected a tree, or, for one switch, no file but `--nodes 8 "
            "--network HDR`, say");
  EXPECT_EQ(faults_of(import_text("- topology: a\n  tree:\n    switches:\n    - nodes: n1\n", "x")),
            "x: line 4: the key \"switch\" is missing, the name of the switch");
  EXPECT_EQ(faults_of(import_text("- topology: a\n  tree:\n    switches:\n    - {switch: s, nodes: \"n[1-\"}\n", "x")),
            "x: line 4: nodes: got \"n[1-\", expected names such as n[01-16],login1, at most 10000");
  EXPECT_EQ(faults_of(import_text("- topology: [\n", "x")),
            "x: line 2: this is no YAML: end of sequence flow not found");
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
