#include "study/machine/machine_views.hpp"

#include "study/run/scenario_run.hpp"
#include "topology/capacity.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {

Machine machine_of(const Platform& platform, std::span<const std::size_t> ranks) {
  Machine machine{platform.name, platform.nodes, {}, {}, false, {}, platform.rate_unit};
  for (const auto& device : platform.devices)
    machine.devices.push_back({device.name, std::string(name_of(device_kind_names, device.kind)), device.node, {}});
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    machine.devices[ranks[rank]].ranks.push_back(rank);
  for (const auto& link : platform.links) {
    const auto capacity = capacity_of(link);
    machine.links.push_back({link.name, std::string(name_of(link.type)), link.from, link.to, capacity.forward,
                             capacity.backward, std::nullopt, std::nullopt, false});
  }
  return machine;
}

Machine machine_of(const Scenario& scenario) {
  return machine_of(*scenario.platform, scenario.ranks);
}

namespace {

// The name of a limited leg has its two devices and the access: "a.mic0-a.hca:read". One that a requester's accesses
// share is named after this device, "a.hca:read", and lies between it and its neighbour.
std::optional<MachineLink> leg_of(const LinkUse& use, const Machine& machine) {
  const auto end = use.channel.rfind(':');
  const auto device_of = [&](std::string_view name) {
    const auto found = std::ranges::find(machine.devices, name, &MachineDevice::name);
    return found == machine.devices.end() ? std::nullopt
                                          : std::optional(static_cast<std::size_t>(found - machine.devices.begin()));
  };
  if (end == std::string::npos)
    return std::nullopt;
  const auto ends = std::string_view(use.channel).substr(0, end);
  const auto access = std::string_view(use.channel).substr(end + 1);
  if (std::ranges::find(memory_access_names, access) == memory_access_names.end())
    return std::nullopt;
  const auto leg = [&](std::size_t from, std::size_t to) {
    return MachineLink{use.channel,  fmt::format("limited leg ({})", access), from,         to,  use.capacity,
                       use.capacity, MachineUse{use.bytes, use.busy},         std::nullopt, true};
  };
  if (const auto requester = device_of(ends))
    for (const auto& link : machine.links)
      if (link.from == *requester || link.to == *requester)
        return leg(*requester, link.from == *requester ? link.to : link.from);
  for (auto dash = ends.find('-'); dash != std::string_view::npos; dash = ends.find('-', dash + 1)) {
    const auto from = device_of(ends.substr(0, dash));
    const auto to = device_of(ends.substr(dash + 1));
    if (from && to)
      return leg(*from, *to);
  }
  return std::nullopt;
}

// Makes a run of each size once, or once from each root. Full runs need different numbers of iterations, so their
// traffic could not be compared.
Scenario one_round_of(Scenario scenario) {
  if (auto* benchmark = std::get_if<Benchmark>(&scenario.workload)) {
    const bool changes_root = kind_of(*benchmark).changes_root && !benchmark->root;
    benchmark->repetitions = changes_root ? static_cast<int>(scenario.ranks.size()) : 1;
    benchmark->warm_up = 0;
  }
  return scenario;
}

} // namespace

void add_use(Machine& machine, std::span<const LinkUse> uses) {
  std::map<std::string_view, const LinkUse*> by_channel;
  for (const auto& use : uses)
    by_channel[use.channel] = &use;
  const auto use_of = [&](const std::string& channel) -> std::optional<MachineUse> {
    const auto found = by_channel.find(channel);
    return found == by_channel.end() ? std::nullopt
                                     : std::optional(MachineUse{found->second->bytes, found->second->busy});
  };
  for (auto& link : machine.links) {
    link.forward_use = use_of(link.name + ">"); // names of channels are those of src/topology
    link.backward_use = use_of(link.name + "<");
  }
  for (auto& device : machine.devices)
    device.memory = use_of(device.name + ":memory");
  for (const auto& use : uses)
    if (const auto leg = leg_of(use, machine))
      machine.links.push_back(*leg);
  machine.has_use = true;
  machine.uses.assign(uses.begin(), uses.end());
}

std::optional<Machine> used_machine(const Scenario& whole, const EngineOptions& engine) {
  const auto scenario = one_round_of(whole);
  const auto planned = plan(scenario, engine);
  if (!planned)
    return std::nullopt;
  Recording recording;
  const auto record = run(scenario, *planned, &recording);
  if (!record)
    return std::nullopt;
  auto machine = machine_of(scenario);
  add_use(machine, link_uses(recording, *planned, record->duration));
  return machine;
}

} // namespace kakehashi
