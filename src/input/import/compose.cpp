#include "input/import/compose.hpp"

#include "input/import/assembly.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace kakehashi {
namespace {

// Returns the adapters that join the network; those of the rule, if none are chosen.
std::vector<std::string> joining(Assembly& node, const Cable& cable, std::vector<std::string>& notes) {
  if (node.adapters.empty())
    choose_adapters(node, cable, {}, notes);
  return node.adapters;
}

// An adapter, and the rate that it has into the network.
using PortRates = std::vector<std::pair<std::string, BytesPerSecond>>;

// Notes adapters whose slot is slower than their cable to the network; those of equal rates together.
void note_narrow_slots(const Assembly& node, const PortRates& ports, std::vector<std::string>& notes) {
  std::map<std::pair<double, double>, std::vector<std::string>> by_rates; // keys are the rates of the port and its slot
  for (const auto& [adapter, rate] : ports)
    if (const auto slot = slot_rate(node, adapter); slot > BytesPerSecond{} && slot < 0.9 * rate)
      by_rates[{rate.value, slot.value}].push_back(adapter);
  for (const auto& [rates, adapters] : by_rates) {
    const bool is_one = adapters.size() == 1;
    notes.push_back(fmt::format("{} can send {:.4g} GB/s{} into the network, but {} {:.4g} GB/s and {}; if that is not "
                                "so, state --pcie, or put generation and lanes of the slot into the platform",
                                fmt::join(adapters, ", "), rates.first / 1e9, is_one ? "" : " each",
                                is_one ? "its slot has" : "their slots have", rates.second / 1e9,
                                is_one ? "limits it" : "limit them"));
  }
}

// "node[00-15]": `count` of all.
std::string range_of(std::string_view prefix, std::size_t first, std::size_t count, std::size_t all) {
  const auto width = std::to_string(all - 1).size();
  return fmt::format("{0}[{1:0{3}}-{2:0{3}}]", prefix, first, first + count - 1, width);
}
std::string first_of(std::string_view prefix, std::size_t count, std::size_t all) {
  return range_of(prefix, 0, count, all);
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

// Adapter i of each node joins rail i, of all rails in turn. A rail is a switch; a spine may join these. Rails of more
// adapters than a switch has ports are leaves of a fat tree that hold adapters of one rail each.
void add_rails(Blueprint& blueprint, const NetworkLine& network, const std::string& hosts,
               const std::vector<std::string>& adapters) {
  const auto own = hosts + "." + with_range(adapters);
  if (network.shape.kind == NetworkKind::fat_tree) {
    PlannedNetwork tree{"net", network.shape, {}, network.cable};
    for (std::size_t rail = 0; rail < network.rails; ++rail)
      for (auto i = rail; i < adapters.size(); i += network.rails)
        tree.joins.push_back(hosts + "." + adapters[i]);
    blueprint.networks.push_back(std::move(tree));
    return;
  }
  blueprint.networks.push_back({"rail", network.shape, {own}, network.cable, network.rails});
  if (network.uplinks > 0) {
    NetworkShape joint;
    joint.adds = network.shape.adds;
    auto up = in_parallel(network.cable, network.uplinks);
    up.source.from += "; all spines as one";
    blueprint.networks.push_back({"spine", joint, {first_of("rail", network.rails, 1)}, std::move(up)});
  }
}

} // namespace

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

void add_domains(Blueprint& blueprint, const NvlinkDomain& domain, std::size_t nodes) {
  const auto at_once = std::min(nodes, domain.nodes);
  for (std::size_t first = 0; first < nodes; first += at_once) {
    const auto count = std::min(at_once, nodes - first);
    PlannedNetwork network{fmt::format("nvswitch{}", first / at_once), NetworkShape(), {}, domain.link};
    if (blueprint.nodes.size() > 1)
      for (auto i = first; i < first + count; ++i)
        network.joins.push_back(blueprint.nodes[i].first + "." + domain.joins);
    else
      network.joins.push_back((nodes == 1 ? "node0" : range_of("node", first, count, nodes)) + "." + domain.joins);
    blueprint.networks.push_back(std::move(network));
  }
}

Blueprint compose(const std::string& name, Assembly node, const NetworkPlan& network, std::vector<std::string>& notes) {
  Blueprint blueprint;
  blueprint.name = name;
  const auto adapters = joining(node, network.ports.front().cable, notes);
  PortRates rates;
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    BytesPerSecond fastest;
    for (const auto& port : network.ports)
      if (port.rail % adapters.size() == i)
        fastest = std::max(fastest, capacity_of(port.cable));
    rates.emplace_back(adapters[i], fastest);
  }
  note_narrow_slots(node, rates, notes);
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
  const auto adapters = joining(node, network.cable, notes);
  PortRates rates;
  for (const auto& adapter : adapters)
    rates.emplace_back(adapter, capacity_of(network.cable));
  note_narrow_slots(node, rates, notes);
  blueprint.templates.emplace_back("node", std::move(node));
  const auto hosts = first_of("node", nodes, nodes);
  blueprint.nodes.emplace_back(hosts, "node");
  if (network.rails > 1) {
    add_rails(blueprint, network, hosts, adapters);
    return blueprint;
  }
  auto joins = hosts + "." + with_range(adapters);
  if (network.has_routers()) {
    const auto points = network.shape.devices;
    joins = first_of("router", points, points);
    blueprint.outside.devices.push_back({joins, DeviceKind::network_switch, assumed("a router at each point")});
    for (const auto& adapter : adapters)
      blueprint.outside.links.push_back({hosts + "." + adapter, first_of("router", nodes, points), network.cable});
  }
  blueprint.networks.push_back({"net", network.shape, {std::move(joins)}, network.cable});
  return blueprint;
}

} // namespace kakehashi
