// Random machines and programs, the same for the same seed, to which tests hold what must be true of all.
#pragma once

#include "engine/mpi/two_protocols.hpp"
#include "model/scenario.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <random>

namespace kakehashi {

class Dice {
public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  int below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool heads() { return below(2) == 0; }
  // Evenly in its logarithm.
  double between(double low, double high) {
    return low * std::pow(high / low, static_cast<double>(engine_()) / static_cast<double>(std::mt19937::max()));
  }
  std::uint64_t size() { return below(8) == 0 ? 0 : static_cast<std::uint64_t>(between(1.0, 300e3)); }
  template <class T> void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  }

private:
  std::mt19937 engine_;
};

// Nodes under a switch, each with sockets, coprocessors and an adapter: a tree, so that there is one way between two
// devices, whatever their links can carry. Ranks may be on the first devices that compute.
struct RandomMachine {
  Platform platform;
  std::vector<std::size_t> computing;
};

inline std::size_t add_device(Platform& platform, std::string name, DeviceKind kind, std::optional<std::size_t> node) {
  platform.devices.push_back({std::move(name), kind, node, std::nullopt});
  return platform.devices.size() - 1;
}

inline void add_random_link(Platform& platform, Dice& dice, std::size_t from, std::size_t to, std::string_view type) {
  const auto latency = microseconds(dice.between(0.01, 2.0)); // before the bandwidth, whatever the compiler's order
  add_link(platform, from, to, link_type(type), dice.between(0.5, 20.0), latency);
}

inline void vary(Regime& regime, Dice& dice) {
  regime.send_overhead = all_kinds(microseconds(dice.between(0.05, 2.0)));
  regime.receive_overhead = all_kinds(microseconds(dice.between(0.05, 2.0)));
  if (dice.heads())
    regime.send_per_byte = all_kinds(SecondsPerByte{dice.between(1e-11, 1e-9)});
  if (dice.heads())
    regime.receive_per_byte = all_kinds(SecondsPerByte{dice.between(1e-11, 1e-9)});
  if (dice.heads())
    regime.setup = microseconds(dice.between(0.1, 3.0));
  if (dice.heads())
    regime.cap = gigabytes_per_second(dice.between(0.3, 15.0));
  if (dice.below(4) == 0)
    regime.gap = microseconds(dice.between(0.1, 3.0));
}

inline RandomMachine random_machine(Dice& dice) {
  RandomMachine machine;
  auto& platform = machine.platform;
  platform.name = "random";
  platform.file = "p.json";
  const int nodes = dice.between(1, 4);
  const auto network =
      nodes > 1 ? std::optional(add_device(platform, "switch", DeviceKind::network_switch, {})) : std::nullopt;
  for (int node = 0; node < nodes; ++node) {
    const auto at = static_cast<std::size_t>(node);
    platform.nodes.push_back(fmt::format("n{}", node));
    const auto device = [&](const std::string& name, DeviceKind kind) {
      const auto made = add_device(platform, fmt::format("n{}.{}", node, name), kind, at);
      if (kind == DeviceKind::cpu || kind == DeviceKind::coprocessor)
        machine.computing.push_back(made);
      return made;
    };
    std::vector<std::size_t> sockets{device("cpu0", DeviceKind::cpu)};
    if (dice.heads()) {
      sockets.push_back(device("cpu1", DeviceKind::cpu));
      add_random_link(platform, dice, sockets[0], sockets[1], "qpi");
    }
    for (int i = dice.below(3); i > 0; --i)
      add_random_link(platform, dice, sockets[static_cast<std::size_t>(dice.below(static_cast<int>(sockets.size())))],
                      device(fmt::format("mic{}", i), DeviceKind::coprocessor), "pcie");
    if (network) {
      const auto adapter = device("hca", DeviceKind::hca);
      if (dice.below(4) == 0)
        platform.devices[adapter].message_rate = dice.between(2e5, 2e6);
      add_random_link(platform, dice, sockets[0], adapter, "pcie");
      add_random_link(platform, dice, adapter, *network, "infiniband");
    }
  }
  auto net = two_protocols();
  net.links = {link_type("pcie"), link_type("qpi"), link_type("infiniband")};
  for (auto& regime : net.rules[0].regimes)
    vary(regime, dice);
  platform.fabrics = {net};
  return machine;
}

// Each node's adapter gets a second one beside it, and long messages are cut in two.
inline void add_second_rail(Platform& platform, Dice& dice) {
  for (std::size_t device = 0, devices = platform.devices.size(); device < devices; ++device) {
    if (platform.devices[device].kind != DeviceKind::hca)
      continue;
    const auto node = platform.devices[device].node;
    const auto second = add_device(platform, fmt::format("n{}.hca2", *node), DeviceKind::hca, node);
    for (std::size_t link = 0, links = platform.links.size(); link < links; ++link) {
      const auto& like = platform.links[link];
      if (like.from == device || like.to == device)
        add_random_link(platform, dice, like.from == device ? second : like.from, like.to == device ? second : like.to,
                        name_of(like.type));
    }
  }
  platform.fabrics[0].gateways = {"hca", "hca2"};
  platform.fabrics[0].stripes_from = Bytes{dice.size()};
}

// Inside nodes cores copy what they send.
inline void copy_inside_nodes(Platform& platform, Dice& dice) {
  auto& rules = platform.fabrics[0].rules;
  for (const auto scope : {Scope::inside_device, Scope::inside_node}) {
    auto rule = rules.back();
    rule.scope = scope;
    rule.moved_by_cores = true;
    for (auto& regime : rule.regimes)
      regime.send_per_byte = regime.receive_per_byte = all_kinds(SecondsPerByte{dice.between(1e-11, 1e-9)});
    rules.insert(rules.begin(), rule);
  }
}

// Rounds of messages between random ranks, all begun before any is awaited, with work between.
inline StepProgram random_program(Dice& dice, int ranks, int rounds) {
  StepProgram program;
  program.steps.resize(static_cast<std::size_t>(ranks));
  const auto of = [&](int rank) -> std::vector<Step>& { return program.steps[static_cast<std::size_t>(rank)]; };
  for (int round = 0; round < rounds; ++round) {
    for (int rank = 0; rank < ranks; ++rank)
      if (dice.heads()) {
        Step work;
        work.kind = Step::Kind::compute;
        work.time = microseconds(dice.between(0.1, 30.0));
        of(rank).push_back(work);
      }
    const bool from_any = dice.below(4) == 0; // in this round
    for (int message = dice.between(1, 2 * ranks); message > 0; --message) {
      Step send;
      Step receive;
      send.kind = Step::Kind::isend;
      receive.kind = Step::Kind::irecv;
      send.to = dice.below(ranks);
      const int from = dice.below(ranks);
      send.tag = receive.tag = 10 * round + (from_any ? 0 : dice.below(2));
      if (!from_any)
        receive.from = from;
      send.size = Bytes{dice.size()};
      of(from).push_back(send);
      of(*send.to).push_back(receive);
    }
    for (int rank = 0; rank < ranks; ++rank) {
      Step wait;
      wait.kind = Step::Kind::waitall;
      of(rank).push_back(wait);
    }
  }
  return program;
}

inline Scenario scenario_on(const Platform& platform, std::vector<std::size_t> ranks, StepProgram program) {
  Scenario scenario;
  scenario.name = "random";
  scenario.file = "s.json";
  scenario.platform = std::make_shared<Platform>(platform);
  scenario.fabric = platform.fabrics[0].name;
  scenario.ranks = std::move(ranks);
  scenario.workload = std::move(program);
  return scenario;
}

inline Scenario random_scenario(Dice& dice) {
  const auto machine = random_machine(dice);
  std::vector<std::size_t> ranks;
  for (int rank = dice.between(2, 10); rank > 0; --rank)
    ranks.push_back(
        machine.computing[static_cast<std::size_t>(dice.below(static_cast<int>(machine.computing.size())))]);
  auto program = random_program(dice, static_cast<int>(ranks.size()), dice.between(1, 4));
  return scenario_on(machine.platform, std::move(ranks), std::move(program));
}

} // namespace kakehashi
