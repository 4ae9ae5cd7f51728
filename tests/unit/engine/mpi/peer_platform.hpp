// Two nodes "a" and "b" of two sockets, a coprocessor on each socket (near, far) and an HCA on the first one. Links of
// 10 GB/s and, between nodes, 4 GB/s, without latency. A PCIe device that uses a coprocessor's memory is limited.
#pragma once

#include "model/scenario.hpp"

#include <fmt/format.h>

namespace kakehashi::peer {

inline constexpr std::size_t per_node = 5;
enum Device : std::size_t { cpu0, cpu1, near_mic, far_mic, hca };
inline std::size_t at(std::size_t node, Device device) {
  return node * per_node + device;
}

// Any path: 1 us of the sender's core, 0.5 us of the receiver's.
inline Fabric fabric(const char* name) {
  Fabric fabric;
  fabric.name = name;
  fabric.links = {link_type("pcie"), link_type("qpi"), link_type("infiniband")};
  fabric.gateways = {"hca"};
  Rule rule;
  rule.regimes.emplace_back();
  rule.regimes[0].send_overhead = all_kinds(microseconds(1));
  rule.regimes[0].receive_overhead = all_kinds(microseconds(0.5));
  fabric.rules = {rule};
  return fabric;
}

inline std::shared_ptr<Platform> platform() {
  auto made = std::make_shared<Platform>();
  made->name = "peers";
  made->file = "p.json";
  made->nodes = {"a", "b"};
  const auto link = [&](std::size_t from, std::size_t to, LinkType type, double gb_s) {
    Link link;
    link.name = fmt::format("{}-{}", made->devices[from].name, made->devices[to].name);
    link.from = from;
    link.to = to;
    link.type = type;
    link.bandwidth = gigabytes_per_second(gb_s);
    made->links.push_back(link);
  };
  constexpr std::array<std::pair<const char*, DeviceKind>, per_node> devices{{{"cpu0", DeviceKind::cpu},
                                                                              {"cpu1", DeviceKind::cpu},
                                                                              {"near", DeviceKind::coprocessor},
                                                                              {"far", DeviceKind::coprocessor},
                                                                              {"hca", DeviceKind::hca}}};
  for (std::size_t node = 0; node < 2; ++node)
    for (const auto& [name, kind] : devices)
      made->devices.push_back({fmt::format("{}.{}", made->nodes[node], name), kind, node, std::nullopt});
  for (std::size_t node = 0; node < 2; ++node) {
    link(at(node, cpu0), at(node, cpu1), link_type("qpi"), 10);
    link(at(node, cpu0), at(node, near_mic), link_type("pcie"), 10);
    link(at(node, cpu1), at(node, far_mic), link_type("pcie"), 10);
    link(at(node, cpu0), at(node, hca), link_type("pcie"), 10);
  }
  link(at(0, hca), at(1, hca), link_type("infiniband"), 4);
  const auto limit = [&](DeviceKind requester, MemoryAccess access, std::optional<LinkType> crosses, double gb_s) {
    made->peer_limits.push_back({requester, DeviceKind::coprocessor, access, crosses, gigabytes_per_second(gb_s),
                                 std::nullopt, false, Source{}});
  };
  limit(DeviceKind::hca, MemoryAccess::read, link_type("qpi"), 0.5);
  limit(DeviceKind::hca, MemoryAccess::write, link_type("qpi"), 0.25);
  limit(DeviceKind::coprocessor, MemoryAccess::write, link_type("qpi"), 1);
  limit(DeviceKind::coprocessor, MemoryAccess::write, std::nullopt, 2);
  limit(DeviceKind::coprocessor, MemoryAccess::read, std::nullopt, 0.1);
  made->fabrics = {fabric("net")};
  return made;
}

// Adds the fabric "staged": own host's cpu0, remote cpu0, the far end, each way by the first fabric.
inline void add_stages(Platform& platform, std::optional<Bytes> chunk) {
  platform.fabrics.push_back(fabric("staged"));
  auto& staged = platform.fabrics.back();
  staged.rules.clear();
  staged.stages = {{"net", {Side::sender, ""}, {Side::sender, "cpu0"}, Side::sender, {}, {}},
                   {"net", {Side::sender, "cpu0"}, {Side::receiver, "cpu0"}, Side::sender, {}, {}},
                   {"net", {Side::receiver, "cpu0"}, {Side::receiver, ""}, Side::sender, {}, {}}};
  staged.chunk = chunk;
}

inline Step send(int to, std::uint64_t size) {
  Step step;
  step.to = to;
  step.size = Bytes{size};
  return step;
}
inline Step receive(int from) {
  Step step;
  step.kind = Step::Kind::recv;
  step.from = from;
  return step;
}

// Rank 2·i sends to rank 2·i + 1, all at once.
inline Scenario pairs(std::shared_ptr<Platform> on, const std::vector<std::size_t>& ranks, std::uint64_t size,
                      const char* fabric = "net") {
  Scenario scenario;
  scenario.name = "pairs";
  scenario.file = "s.json";
  scenario.platform = std::move(on);
  scenario.fabric = fabric;
  scenario.ranks = ranks;
  StepProgram program;
  for (int rank = 0; rank < static_cast<int>(ranks.size()); rank += 2) {
    program.steps.push_back({send(rank + 1, size)});
    program.steps.push_back({receive(rank)});
  }
  scenario.workload = program;
  return scenario;
}

} // namespace kakehashi::peer
