// Machines of GPUs for tests: nodes with a mesh of NVLinks or a switch, and an adapter beside each GPU or none.
#pragma once

#include "gpu/times.hpp"
#include "input/platform/platform_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kakehashi {

struct GpuMachine {
  int nodes = 1;
  int gpus = 8;
  std::string model = "H100";
  std::string nvlinks = "450 GB/s"; // to the switch, or between each two; empty: there are none
  bool has_switch = true;
  std::string adapter = "50 GB/s";
  std::string release = "2.27";
  bool are_alike = true;                       // false: two nodes, of which the second one's adapters have another name
  bool adds = false;                           // the network's switches do
  std::vector<std::array<int, 3>> joined = {}; // instead of `nvlinks`: two GPUs, and how many NVLinks of 25 GB/s
};

inline const std::string from_a_test = R"("source": {"kind": "assumed", "from": "a test"})";

inline std::string pcie(const std::string& from, const std::string& to) {
  return fmt::format(R"({{"between": ["{}", "{}"], "type": "pcie", "generation": 5, "lanes": 16, {}}})", from, to,
                     from_a_test);
}

// A template of nodes whose adapters have that name.
inline std::string node_of(const GpuMachine& machine, const std::string& adapter) {
  const auto all = fmt::format("[0-{}]", machine.gpus - 1);
  std::string devices = fmt::format(
      R"({{"name": "cpu0", "kind": "cpu", {0}}}, {{"name": "plx{1}", "kind": "switch", {0}}},
    {{"name": "gpu{1}", "kind": "gpu", "model": "{2}", {0}}}, {{"name": "{3}{1}", "kind": "hca", {0}}})",
      from_a_test, all, machine.model, adapter);
  std::string links =
      pcie("cpu0", "plx" + all) + "," + pcie("plx" + all, "gpu" + all) + "," + pcie("plx" + all, adapter + all);
  const auto add_nvlinks = [&](const std::string& from, const std::string& to, const std::string& rate) {
    links += fmt::format(R"(, {{"between": ["{}", "{}"], "type": "nvlink", "line_rate": "{}", {}}})", from, to, rate,
                         from_a_test);
  };
  if (machine.has_switch && !machine.nvlinks.empty())
    devices += fmt::format(R"(, {{"name": "nvswitch", "kind": "switch", {}}})", from_a_test);
  if (!machine.nvlinks.empty())
    add_nvlinks("gpu" + all, machine.has_switch ? "nvswitch" : "gpu" + all, machine.nvlinks);
  for (const auto& [from, to, count] : machine.joined)
    add_nvlinks(fmt::format("gpu{}", from), fmt::format("gpu{}", to), fmt::format("{} GB/s", 25 * count));
  return fmt::format(R"({{"devices": [{}], "links": [{}]}})", devices, links);
}

// A network for each rail.
inline std::string networks_of(const GpuMachine& machine) {
  std::string networks;
  for (int rail = 0; rail < machine.gpus && machine.nodes > 1; ++rail) {
    const auto joined = machine.are_alike ? fmt::format(R"("node[0-{}].nic{}")", machine.nodes - 1, rail)
                                          : fmt::format(R"("node0.nic{0}", "node1.hca{0}")", rail);
    networks += fmt::format(R"({}"rail{}": {{"kind": "fat-tree", "joins": [{}], "ports": 64, "sharp": {},
      "link": {{"type": "infiniband", "bandwidth": "{}", "latency": "0.5 us", {}}}}})",
                            rail > 0 ? ", " : "", rail, joined, machine.adds, machine.adapter, from_a_test);
  }
  return networks;
}

inline std::string text_of(const GpuMachine& machine) {
  const auto networks = networks_of(machine);
  const std::string nodes = !machine.are_alike  ? R"("node0": "node", "node1": "other")"
                            : machine.nodes > 1 ? fmt::format(R"("node[0-{}]": "node")", machine.nodes - 1)
                                                : R"("node0": "node")";
  const auto other = machine.are_alike ? "" : R"(, "other": )" + node_of(machine, "hca");
  return fmt::format(R"({{"name": "test", "templates": {{"node": {}{}}}, "nodes": {{{}}}, {}
    "gpu_library": {{"version": "{}"}},
    "fabrics": {{"any": {{"links": ["pcie"{}], "rules": [{{{}, "regimes": [{{"from": "0 B"}}]}}]}}}}}})",
                     node_of(machine, "nic"), other, nodes,
                     networks.empty() ? "" : fmt::format(R"("networks": {{{}}},)", networks), machine.release,
                     networks.empty() ? "" : R"(, "infiniband")", from_a_test);
}

inline std::shared_ptr<const Platform> platform_of(const GpuMachine& machine) {
  const auto document = parse_json(text_of(machine), "test.json");
  EXPECT_TRUE(document) << to_text(document.errors().front());
  auto platform = parse_platform(*document);
  EXPECT_TRUE(platform) << to_text(platform.errors().front());
  return std::make_shared<const Platform>(std::move(*platform));
}

inline std::vector<std::size_t> gpus_of(const Platform& platform) {
  std::vector<std::size_t> gpus;
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    if (platform.devices[i].kind == DeviceKind::gpu)
      gpus.push_back(i);
  return gpus;
}

inline std::shared_ptr<const GpuCollectives> collectives_of(const GpuMachine& machine, const GpuWishes& wishes = {}) {
  const auto platform = platform_of(machine);
  const auto made = gpu_collectives(platform, std::make_shared<Topology>(*platform), gpus_of(*platform), wishes);
  EXPECT_TRUE(made) << to_text(made.errors().front());
  return *made;
}

} // namespace kakehashi
