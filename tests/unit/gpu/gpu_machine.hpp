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
  std::vector<std::array<int, 3>> joined = {}; // instead of `nvlinks`: two GPUs, and how many NVLinks of 25 GB/s
};

inline std::string text_of(const GpuMachine& machine) {
  const auto last = machine.gpus - 1;
  const std::string source = R"("source": {"kind": "assumed", "from": "a test"})";
  std::string devices =
      fmt::format(R"({{"name": "cpu0", "kind": "cpu", {0}}}, {{"name": "plx[0-{1}]", "kind": "switch", {0}}},
    {{"name": "gpu[0-{1}]", "kind": "gpu", "model": "{2}", {0}}}, {{"name": "nic[0-{1}]", "kind": "hca", {0}}})",
                  source, last, machine.model);
  const auto pcie = [&](const std::string& from, const std::string& to) {
    return fmt::format(R"({{"between": ["{}", "{}"], "type": "pcie", "generation": 5, "lanes": 16, {}}})", from, to,
                       source);
  };
  const auto all = fmt::format("[0-{}]", last);
  std::string links =
      pcie("cpu0", "plx" + all) + "," + pcie("plx" + all, "gpu" + all) + "," + pcie("plx" + all, "nic" + all);
  if (machine.has_switch && !machine.nvlinks.empty())
    devices += fmt::format(R"(, {{"name": "nvswitch", "kind": "switch", {}}})", source);
  if (!machine.nvlinks.empty())
    links += fmt::format(R"(, {{"between": ["gpu{0}", "{1}"], "type": "nvlink", "line_rate": "{2}", {3}}})", all,
                         machine.has_switch ? "nvswitch" : "gpu" + all, machine.nvlinks, source);
  for (const auto& [from, to, count] : machine.joined)
    links += fmt::format(R"(, {{"between": ["gpu{}", "gpu{}"], "type": "nvlink", "line_rate": "{} GB/s", {}}})", from,
                         to, 25 * count, source);
  std::string networks;
  for (int rail = 0; rail < machine.gpus && machine.nodes > 1; ++rail)
    networks += fmt::format(R"({}"rail{}": {{"kind": "fat-tree", "joins": ["node[0-{}].nic{}"], "ports": 64,
      "link": {{"type": "infiniband", "bandwidth": "{}", "latency": "0.5 us", {}}}}})",
                            rail > 0 ? ", " : "", rail, machine.nodes - 1, rail, machine.adapter, source);
  return fmt::format(R"({{"name": "test", "templates": {{"node": {{"devices": [{}], "links": [{}]}}}},
    "nodes": {{"{}": "node"}}, {} "gpu_library": {{"version": "{}"}},
    "fabrics": {{"any": {{"links": ["pcie"{}], "rules": [{{{}, "regimes": [{{"from": "0 B"}}]}}]}}}}}})",
                     devices, links, machine.nodes > 1 ? fmt::format("node[0-{}]", machine.nodes - 1) : "node0",
                     networks.empty() ? "" : fmt::format(R"("networks": {{{}}},)", networks), machine.release,
                     networks.empty() ? "" : R"(, "infiniband")", source);
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

inline std::shared_ptr<const GpuCollectives> collectives_of(const GpuMachine& machine) {
  const auto platform = platform_of(machine);
  const auto made = gpu_collectives(platform, std::make_shared<Topology>(*platform), gpus_of(*platform));
  EXPECT_TRUE(made) << to_text(made.errors().front());
  return *made;
}

} // namespace kakehashi
