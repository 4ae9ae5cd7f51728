#include "input/import/compose.hpp"

#include "input/import/assembly.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

BytesPerSecond slot_rate(const Assembly& node, const std::string& adapter) {
  BytesPerSecond rate;
  for (const auto& link : node.links)
    if ((link.from == adapter || link.to == adapter) && link.cable.type == link_type("pcie"))
      rate = std::max(rate, capacity_of(link.cable));
  return rate;
}

// Adds an adapter for a network if the node has none for it.
std::string add_adapter(Assembly& node, const Cable& cable, std::size_t socket = 0) {
  const bool is_ethernet = name_of(cable.type) == "ethernet";
  const auto kind = is_ethernet ? DeviceKind::nic : DeviceKind::hca;
  auto name = fmt::format("{}{}", is_ethernet ? "nic" : "hca", devices_of(node, kind).size());
  node.devices.push_back({name, kind, assumed("the network needs an adapter, and the file has none for it")});
  const auto sockets = devices_of(node, DeviceKind::cpu);
  int generation = 3;
  while (generation < 6 && capacity_of(pcie_cable(generation, 16, {})) < capacity_of(cable))
    ++generation;
  node.links.push_back(
      {sockets[socket % sockets.size()], name, pcie_cable(generation, 16, assumed("a slot for the adapter"))});
  return name;
}

std::vector<std::string> adapters_or_new(Assembly& node, const Cable& cable, std::vector<std::string>& notes) {
  auto adapters = adapters_for(node, cable.type);
  if (adapters.empty()) {
    adapters.push_back(add_adapter(node, cable));
    notes.push_back("the node has no adapter for this network; assumed: " + adapters.back() + " on the first socket");
  }
  return adapters;
}

// Notes an adapter whose slot is slower than its cable to the network.
void note_narrow_slot(const Assembly& node, const std::string& adapter, BytesPerSecond rate,
                      std::vector<std::string>& notes) {
  const auto slot = slot_rate(node, adapter);
  if (slot > BytesPerSecond{} && slot < 0.9 * rate)
    notes.push_back(fmt::format("{} can send {:.4g} GB/s into the network, but its slot has {:.4g} GB/s and limits it; "
                                "if that is not so, put generation and lanes of the slot into the platform",
                                adapter, rate.value / 1e9, slot.value / 1e9));
}

// "node[00-15]": the first `count` of all.
std::string first_of(std::string_view prefix, std::size_t count, std::size_t all) {
  const auto width = std::to_string(all - 1).size();
  return fmt::format("{0}[{1:0{3}}-{2:0{3}}]", prefix, 0, count - 1, width);
}

// "hca[0,1]" for hca0 and hca1.
std::string with_range(const std::vector<std::string>& names) {
  if (names.size() == 1)
    return names.front();
  const auto digits = names.front().find_last_not_of("0123456789") + 1;
  std::string numbers;
  for (const auto& name : names)
    numbers += (numbers.empty() ? "" : ",") + name.substr(digits);
  return fmt::format("{}[{}]", names.front().substr(0, digits), numbers);
}

} // namespace

std::vector<std::string> adapters_for(const Assembly& node, LinkType type) {
  auto adapters = devices_of(node, name_of(type) == "infiniband" ? DeviceKind::hca : DeviceKind::nic);
  // InfiniBand adapters also carry Ethernet, and those that do both are often listed as InfiniBand.
  if (adapters.empty() && name_of(type) == "ethernet")
    adapters = devices_of(node, DeviceKind::hca);
  BytesPerSecond fastest;
  for (const auto& adapter : adapters)
    fastest = std::max(fastest, slot_rate(node, adapter));
  std::erase_if(adapters, [&](const std::string& adapter) { return slot_rate(node, adapter) < 0.9 * fastest; });
  return adapters;
}

void set_adapters(Assembly& node, const Cable& cable, std::size_t count, std::vector<std::string>& notes) {
  const auto sockets = devices_of(node, DeviceKind::cpu).size();
  const auto before = adapters_for(node, cable.type).size();
  for (auto i = before; i < count; ++i)
    add_adapter(node, cable, i * sockets / count);
  if (before < count)
    notes.push_back(fmt::format("assumed: {}, dealt out to the sockets", counted(count - before, "more adapter")));
  if (before > count)
    notes.push_back(fmt::format("--adapters: the node has {} adapters for this network already, which stay", before));
}

Assembly plain_node() {
  return {{{"cpu0", DeviceKind::cpu, assumed("a socket; lstopo's XML of a node would describe it")}}, {}};
}

Blueprint compose(const std::string& name, const Assembly& node) {
  Blueprint blueprint;
  blueprint.name = name;
  blueprint.templates.emplace_back("node", node);
  blueprint.nodes.emplace_back("node0", "node");
  return blueprint;
}

Blueprint compose(const std::string& name, Assembly node, const NetworkPlan& network, std::vector<std::string>& notes) {
  Blueprint blueprint;
  blueprint.name = name;
  const auto adapters = adapters_or_new(node, network.ports.front().cable, notes);
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    BytesPerSecond fastest;
    for (const auto& port : network.ports)
      if (port.rail % adapters.size() == i)
        fastest = std::max(fastest, capacity_of(port.cable));
    note_narrow_slot(node, adapters[i], fastest, notes);
  }
  blueprint.templates.emplace_back("node", std::move(node));
  for (const auto& host : network.hosts)
    blueprint.nodes.emplace_back(host, "node");
  blueprint.outside = network.switches;
  const auto device_of = [&](std::size_t host, std::size_t rail) {
    return network.hosts[host] + "." + adapters[rail % adapters.size()];
  };
  std::map<std::pair<std::string, std::string>, std::size_t> links; // several ports of an adapter may go to one switch
  for (const auto& port : network.ports) {
    const auto from = device_of(port.host, port.rail);
    const auto to = port.far_end.empty() ? device_of(port.peer_host, port.peer_rail) : port.far_end;
    const auto [known, is_new] = links.emplace(std::pair(from, to), blueprint.outside.links.size());
    if (is_new)
      blueprint.outside.links.push_back({from, to, port.cable});
    else
      blueprint.outside.links[known->second].cable.bandwidth =
          capacity_of(blueprint.outside.links[known->second].cable) + capacity_of(port.cable);
  }
  return blueprint;
}

Blueprint compose(const std::string& name, Assembly node, const NetworkLine& network, std::size_t nodes,
                  std::vector<std::string>& notes) {
  Blueprint blueprint;
  blueprint.name = name;
  const auto adapters = adapters_or_new(node, network.cable, notes);
  for (const auto& adapter : adapters)
    note_narrow_slot(node, adapter, capacity_of(network.cable), notes);
  blueprint.templates.emplace_back("node", std::move(node));
  const auto hosts = first_of("node", nodes, nodes);
  blueprint.nodes.emplace_back(hosts, "node");
  auto joins = hosts + "." + with_range(adapters);
  if (network.has_routers()) {
    const auto points = network.shape.devices;
    joins = first_of("router", points, points);
    blueprint.outside.devices.push_back({joins, DeviceKind::network_switch, assumed("a router at each point")});
    for (const auto& adapter : adapters)
      blueprint.outside.links.push_back({hosts + "." + adapter, first_of("router", nodes, points), network.cable});
  }
  blueprint.networks.push_back({"net", network.shape, std::move(joins), network.cable});
  return blueprint;
}

} // namespace kakehashi
