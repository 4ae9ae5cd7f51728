#include "input/import/assembly.hpp"
#include "input/import/compose.hpp"
#include "input/import/known_hardware.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace kakehashi {
namespace {

constexpr std::string_view usual_advice =
    "All costs of the software are assumed; `kakehashi calibrate --merge` replaces them by measured ones.";

// A core's overhead for a message. GPUs add the start of a kernel or a copy; coprocessors have slow cores, and those of
// a DPU are between.
PerKind<Seconds> overheads(double cpu) {
  auto values = all_kinds(microseconds(cpu));
  values[static_cast<std::size_t>(DeviceKind::gpu)] = microseconds(cpu + 1.5);
  values[static_cast<std::size_t>(DeviceKind::coprocessor)] = microseconds(cpu + 3);
  values[static_cast<std::size_t>(DeviceKind::dpu)] = microseconds(cpu + 0.5);
  return values;
}

Rule rule_of(std::optional<Scope> scope, Bytes eager_limit, double overhead, double per_byte, const std::string& what) {
  Regime eager;
  eager.to = eager_limit;
  eager.send_overhead = eager.receive_overhead = overheads(overhead);
  eager.send_per_byte = eager.receive_per_byte = all_kinds(SecondsPerByte{per_byte * 1e-9});
  eager.source = assumed(what);
  auto rendezvous = eager;
  rendezvous.from = eager_limit;
  rendezvous.to.reset();
  rendezvous.trips = 3;
  Rule rule;
  rule.scope = scope;
  rule.regimes = {eager, rendezvous};
  rule.moved_by_cores = per_byte > 0;
  return rule;
}

struct Present {
  std::set<LinkType> inside, between;
  std::set<DeviceKind> kinds;
};

Present what_is_in(const Blueprint& blueprint) {
  Present present;
  for (const auto& [name, parts] : blueprint.templates) {
    for (const auto& link : parts.links)
      present.inside.insert(link.cable.type);
    for (const auto& device : parts.devices)
      present.kinds.insert(device.kind);
  }
  for (const auto& link : blueprint.outside.links)
    present.between.insert(link.cable.type);
  // Switches of NVLinks that join several nodes are part of the way of all messages, and no network of their own.
  for (const auto& network : blueprint.networks)
    (network.link.type == link_type("nvlink") ? present.inside : present.between).insert(network.link.type);
  return present;
}

// The cost of a message from one core to another: up to 256 B, up to 4 KiB, and by rendezvous. Inside a socket it is
// about the mean of three ping-pongs (two Xeons E5 v4, ThunderX2).
struct CopyCosts {
  std::uint64_t to; // 0: no limit
  double overhead, setup, per_byte;
};
Rule copies(Scope scope, const std::array<CopyCosts, 3>& costs, const std::string& what) {
  auto rule = rule_of(scope, Bytes{4096}, 0, 1, what);
  const auto by_size = rule.regimes.front();
  const auto rendezvous = rule.regimes.back();
  rule.regimes = {by_size, by_size, rendezvous};
  for (std::size_t i = 0; i < costs.size(); ++i) {
    auto& regime = rule.regimes[i];
    regime.from = i == 0 ? Bytes{} : *rule.regimes[i - 1].to;
    if (costs[i].to > 0)
      regime.to = Bytes{costs[i].to};
    regime.send_overhead = regime.receive_overhead = overheads(costs[i].overhead);
    regime.send_per_byte = regime.receive_per_byte = all_kinds(SecondsPerByte{costs[i].per_byte * 1e-9});
    regime.setup = microseconds(costs[i].setup);
  }
  return rule;
}

// Rules for copies by cores through shared memory, and over links from and to cards.
std::vector<Rule> rules_inside(const Present& present) {
  const bool has_cards = std::any_of(present.kinds.begin(), present.kinds.end(), is_card);
  std::vector<Rule> rules{
      copies(Scope::inside_device, {{{256, 0.1, 0.22, 0.12}, {4096, 0.25, 0, 0.1}, {0, 0.3, 0.4, 0.073}}},
             "shared memory: about the middle of three ping-pongs in a socket"),
      copies(Scope::inside_node, {{{256, 0.1, 0.42, 0.12}, {4096, 0.25, 0.2, 0.1}, {0, 0.3, 1, 0.073}}},
             "shared memory: as in a socket, and 0.2 us more for a line of its cache")};
  rules.back().between = {DeviceKind::cpu, DeviceKind::cpu};
  if (has_cards)
    rules.push_back(rule_of(Scope::inside_node, Bytes{8192}, 0.5, 0, "cards: 0.5 us a side and more on cards"));
  return rules;
}

// Removes values for kinds of devices that the machine does not have.
void leave_out_absent(const Present& present, Fabric& fabric) {
  for (auto& rule : fabric.rules)
    for (auto& regime : rule.regimes)
      for (const auto kind : {DeviceKind::gpu, DeviceKind::coprocessor, DeviceKind::dpu})
        if (!present.kinds.contains(kind))
          for (auto* costs : {&regime.send_overhead, &regime.receive_overhead})
            (*costs)[static_cast<std::size_t>(kind)] = costs->front();
}

void add_crossings(const Present& present, Fabric& fabric) {
  for (const auto type : present.inside)
    if (row_of(type).joins_sockets) {
      Adjustment adjustment;
      adjustment.crosses = type;
      adjustment.latency = microseconds(0.1);
      adjustment.copy_factor = 1.3;
      adjustment.source = assumed("what another socket adds");
      fabric.adjustments.push_back(adjustment);
    }
}

// Such Ethernet most likely carries the kernel's TCP.
bool is_slow_ethernet(const Cable& cable) {
  constexpr double fast = 1.25e9; // 10 Gbit/s
  return cable.rating.line_rate && cable.rating.line_rate->value < fast;
}

// The rule for messages between nodes.
Rule rule_over(LinkType type, const Blueprint& blueprint) {
  constexpr auto scope = Scope::between_nodes;
  if (name_of(type) != "ethernet")
    return rule_of(scope, Bytes{8192}, 0.4, 0, "verbs: 0.4 us a side");
  const bool is_slow =
      std::ranges::any_of(blueprint.outside.links,
                          [](const PlannedLink& link) { return is_slow_ethernet(link.cable); }) ||
      std::ranges::any_of(blueprint.networks, [](const auto& network) { return is_slow_ethernet(network.link); });
  return is_slow ? rule_of(scope, Bytes{65536}, 12, 0, "TCP: 12 us a side, as on gigabit Ethernet of hpcdiy-qdr")
                 : rule_of(scope, Bytes{65536}, 3, 0, "sockets or RoCE: 3 us a side");
}

} // namespace

void add_fabrics(Blueprint& blueprint) {
  if (!blueprint.fabrics.empty())
    return;
  const auto present = what_is_in(blueprint);
  auto advice = std::string(usual_advice);
  for (const auto& [name, parts] : blueprint.templates)
    if (const auto note = note_of_processor(parts.processor); !note.empty())
      advice += " " + note + ".";
  for (const auto& [name, parts] : blueprint.templates)
    if (auto reduction = reduction_of_family(parts.processor); reduction && !blueprint.mpi)
      blueprint.mpi = std::move(reduction);
  Fabric shm;
  shm.name = "shm";
  shm.links.assign(present.inside.begin(), present.inside.end());
  shm.rules = rules_inside(present);
  add_crossings(present, shm);
  leave_out_absent(present, shm);
  if (present.between.empty())
    blueprint.fabrics.emplace_back(shm,
                                   "Between ranks of one node: shared memory, and cards over their links. " + advice);
  for (const auto type : present.between) {
    Fabric network = shm;
    network.name = name_of(type) == "ethernet" ? "eth" : name_of(type) == "infiniband" ? "ib" : "net";
    if (!present.inside.contains(type))
      network.links.push_back(type);
    network.rules.push_back(rule_over(type, blueprint));
    leave_out_absent(present, network);
    blueprint.fabrics.emplace_back(
        network, "Between nodes over the network; inside a node shared memory, and cards over their links. " + advice);
  }
}

} // namespace kakehashi
