#include "input/import/network_line.hpp"

#include "base/number.hpp"
#include "input/import/assembly.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>

namespace kakehashi {
namespace {

constexpr std::size_t most_parts = 100000;

struct Request {
  std::string line;
  Cable cable;
  std::vector<std::string> arguments; // after the rate
  std::size_t nodes;
  std::size_t rails;
};

Error fault(const std::string& line, const std::string& message) {
  return {ErrorKind::usage, "", "", fmt::format("--network {}: {}", in_quotes(line), message), ""};
}

std::optional<std::size_t> number(std::string_view text, std::size_t most = 10000) {
  const auto value = number_in<std::size_t>(text);
  return value >= 1 && value <= most ? value : std::nullopt;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// "4x4x2"
std::optional<std::vector<std::size_t>> shape_of(const std::string& text) {
  std::vector<std::size_t> shape;
  for (const auto& part : split(text, 'x')) {
    const auto size = number(part);
    if (!size)
      return std::nullopt;
    shape.push_back(*size);
  }
  return shape;
}

std::size_t product(const std::vector<std::size_t>& shape) {
  std::size_t points = 1;
  for (const auto size : shape)
    points = std::min(points * size, most_parts * 10);
  return points;
}

NetworkPlan start(const Request& request, std::string description) {
  NetworkPlan plan;
  plan.description = std::move(description);
  for (std::size_t node = 0; node < request.nodes; ++node)
    plan.hosts.push_back(numbered("node", node, request.nodes));
  return plan;
}

void add_switch(NetworkPlan& plan, const std::string& name, std::string what) {
  plan.switches.devices.push_back({name, DeviceKind::network_switch, assumed(std::move(what))});
}

void connect_node(const Request& request, std::size_t node, const std::string& far_end, NetworkPlan& plan) {
  for (std::size_t rail = 0; rail < request.rails; ++rail)
    plan.ports.push_back({node, rail, far_end, 0, 0, request.cable});
}

Result<NetworkPlan> one_switch(const Request& request) {
  if (!request.arguments.empty())
    return fault(request.line, "a single switch takes a rate only");
  auto plan = start(request, "one switch for all nodes");
  add_switch(plan, "switch", "one switch with ports for all nodes");
  for (std::size_t node = 0; node < request.nodes; ++node)
    connect_node(request, node, "switch", plan);
  return plan;
}

struct Taper {
  std::size_t down = 1, up = 1;
};

// Levels as few as possible. The links of a switch to the level above act as one: traffic spreads evenly over them. A
// level of spines is therefore one device, and so is each pod's in a tree of three levels.
Result<NetworkPlan> fat_tree(const Request& request) {
  const auto& arguments = request.arguments;
  const auto ports = arguments.empty() ? 36 : number(arguments[0], 4096).value_or(0);
  Taper taper;
  if (arguments.size() > 1)
    taper.down = number(arguments[1], 64).value_or(0);
  if (arguments.size() > 2)
    taper.up = number(arguments[2], 64).value_or(0);
  if (ports < 2 || taper.down == 0 || taper.up == 0 || arguments.size() > 3)
    return fault(request.line, "expected the number of a switch's ports, from 2 on, and then at most a taper such as "
                               "2:1, links down to links up: \"fat-tree:HDR:40:2:1\"");
  const auto wanted = request.nodes * request.rails;
  if (wanted <= ports)
    return one_switch({request.line, request.cable, {}, request.nodes, request.rails});
  const auto down = std::max<std::size_t>(1, ports * taper.down / (taper.down + taper.up));
  const auto up = ports - down;
  const auto nodes_a_leaf = down / request.rails;
  if (nodes_a_leaf == 0 || up == 0)
    return fault(request.line,
                 fmt::format("a switch of {} ports has no room for the {} adapters of a node and links up", ports,
                             request.rails));
  const auto leaves = (request.nodes + nodes_a_leaf - 1) / nodes_a_leaf;
  const bool has_pods = leaves > ports;
  const auto leaves_a_pod = has_pods ? ports / 2 : leaves;
  const auto pods = (leaves + leaves_a_pod - 1) / leaves_a_pod;
  if (pods > ports)
    return fault(request.line, fmt::format("three levels of switches with {} ports have room for {} nodes, not {}; "
                                           "expected more ports",
                                           ports, ports * leaves_a_pod * nodes_a_leaf, request.nodes));
  auto plan = start(request, fmt::format("fat tree of {} levels, switches of {} ports, {} down and {} up at a leaf",
                                         has_pods ? 3 : 2, ports, down, up));
  add_switch(plan, "spine", "all switches of the top level as one: traffic spreads evenly over them");
  auto above = bundle(request.cable, up);
  above.source = assumed(above.source.from + "; the links up from a switch act as one");
  for (std::size_t pod = 0; has_pods && pod < pods; ++pod) {
    const auto name = numbered("pod", pod, pods);
    add_switch(plan, name, "all switches of a pod's middle level as one");
    auto cable = bundle(request.cable, up * std::min(leaves_a_pod, leaves - pod * leaves_a_pod));
    cable.source = assumed(cable.source.from + "; the links up from a pod act as one");
    plan.switches.links.push_back({name, "spine", cable});
  }
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const auto name = numbered("leaf", leaf, leaves);
    add_switch(plan, name, "a leaf switch");
    plan.switches.links.push_back({name, has_pods ? numbered("pod", leaf / leaves_a_pod, pods) : "spine", above});
    for (auto node = leaf * nodes_a_leaf; node < std::min((leaf + 1) * nodes_a_leaf, request.nodes); ++node)
      connect_node(request, node, name, plan);
  }
  return plan;
}

// A router at each point, with one node; neighbours are joined in rings along each dimension.
Result<NetworkPlan> torus_of(const Request& request, const std::vector<std::size_t>& shape) {
  if (product(shape) < request.nodes)
    return fault(request.line,
                 fmt::format("the torus has {} points, fewer than the {} nodes", product(shape), request.nodes));
  if (product(shape) > most_parts)
    return fault(request.line, fmt::format("the torus has more than {} points", most_parts));
  auto plan = start(request, fmt::format("torus of {} points", product(shape)));
  const auto points = product(shape);
  const auto name = [&](std::size_t point) { return numbered("router", point, points); };
  for (std::size_t point = 0; point < points; ++point) {
    add_switch(plan, name(point), "a router at each point of the torus");
    std::size_t stride = 1;
    for (const auto size : shape) {
      const auto at = point / stride % size;
      const auto next = point - at * stride + (at + 1) % size * stride;
      if (size > 1 && (size > 2 || at == 0))
        plan.switches.links.push_back({name(point), name(next), request.cable});
      stride *= size;
    }
    if (point < request.nodes)
      connect_node(request, point, name(point), plan);
  }
  return plan;
}

Result<NetworkPlan> torus(const Request& request) {
  const auto shape = request.arguments.size() == 1 ? shape_of(request.arguments[0]) : std::nullopt;
  if (!shape)
    return fault(request.line, "expected the points along each dimension: \"torus:100GbE:4x4x2\"");
  return torus_of(request, *shape);
}

Result<NetworkPlan> ring(const Request& request) {
  if (!request.arguments.empty())
    return fault(request.line, "a ring takes a rate only");
  return torus_of(request, {request.nodes});
}

// Groups of routers that are all joined; one link between any two groups, spread over their routers in turn.
Result<NetworkPlan> dragonfly(const Request& request) {
  const auto shape = request.arguments.size() == 1 ? shape_of(request.arguments[0]) : std::nullopt;
  if (!shape || shape->size() != 3)
    return fault(request.line, "expected groups, routers of a group and nodes of a router: \"dragonfly:200GbE:9x8x4\"");
  const auto groups = (*shape)[0], routers = (*shape)[1], nodes = (*shape)[2];
  if (product(*shape) < request.nodes)
    return fault(request.line,
                 fmt::format("the dragonfly has room for {} nodes, fewer than {}", product(*shape), request.nodes));
  if (groups * routers * routers > most_parts || groups * groups > most_parts)
    return fault(request.line, fmt::format("the dragonfly has more than {} links", most_parts));
  auto plan = start(request, fmt::format("dragonfly of {} groups of {} routers", groups, routers));
  const auto name = [&](std::size_t group, std::size_t router) {
    return numbered("group", group, groups) + "-" + numbered("router", router, routers);
  };
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t router = 0; router < routers; ++router) {
      add_switch(plan, name(group, router), "a router of a group, joined to all others of it");
      for (std::size_t other = 0; other < router; ++other)
        plan.switches.links.push_back({name(group, router), name(group, other), request.cable});
    }
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t other = 0; other < group; ++other) // each group has the others in turn on its routers
      plan.switches.links.push_back({name(group, other % routers), name(other, (group - 1) % routers), request.cable});
  for (std::size_t node = 0; node < request.nodes; ++node)
    connect_node(request, node, name(node / nodes / routers, node / nodes % routers), plan);
  return plan;
}

struct Kind {
  std::string_view name;
  Result<NetworkPlan> (*plan)(const Request& request);
};
constexpr std::array kinds{Kind{"switch", one_switch}, Kind{"fat-tree", fat_tree}, Kind{"torus", torus},
                           Kind{"ring", ring}, Kind{"dragonfly", dragonfly}};

const Kind* find_kind(std::string_view name) {
  const auto* found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : found;
}

} // namespace

std::string_view network_forms() {
  return "RATE, fat-tree:RATE:PORTS[:DOWN:UP], torus:RATE:4x4x2, ring:RATE or dragonfly:RATE:GROUPSxROUTERSxNODES, "
         "where "
         "RATE is SDR to XDR (InfiniBand, 4 lanes), HDR100, NDR200, OPA, or Ethernet such as 100GbE";
}

std::optional<Cable> parse_cable(std::string_view rate) {
  const auto source = assumed(fmt::format("{}, as --network states; the latency is assumed", rate));
  for (const auto& row : infiniband_rates())
    if (row.name == rate)
      return infiniband_cable(rate, 4, source);
  if (rate == "HDR100")
    return infiniband_cable("HDR", 2, source);
  if (rate == "NDR200")
    return infiniband_cable("NDR", 2, source);
  if (rate == "OPA") // as much of the data is payload as on InfiniBand, see link_type.cpp
    return stated_cable("infiniband", {100e9 / 8 * 2048 / 2074}, source);
  std::string text(rate);
  if (rate.ends_with("GbE"))
    text = std::string(rate.substr(0, rate.size() - 3)) + " Gbit/s";
  if (const auto line_rate = parse_rate(text))
    return rated_cable("ethernet", *line_rate, source);
  return std::nullopt;
}

Result<Cable> cable_of_line(const std::string& line) {
  const auto parts = split(line, ':');
  const auto& rate = find_kind(parts[0]) && parts.size() > 1 ? parts[1] : parts[0];
  if (auto cable = parse_cable(rate))
    return std::move(*cable);
  std::vector<std::string> known{"HDR100", "NDR200", "OPA", "100GbE"};
  for (const auto& row : infiniband_rates())
    known.emplace_back(row.name);
  for (const auto& kind : kinds)
    known.emplace_back(kind.name);
  auto error = fault(line, fmt::format("got {}, expected {}", in_quotes(rate), network_forms()));
  error.suggestion = closest(rate, known);
  return error;
}

Result<NetworkPlan> plan_network(const std::string& line, std::size_t nodes, std::size_t rails) {
  const auto cable = cable_of_line(line);
  if (!cable)
    return cable.errors();
  auto parts = split(line, ':');
  const auto* kind = find_kind(parts[0]);
  parts.erase(parts.begin(), parts.begin() + (kind ? 2 : 1));
  return (kind ? kind->plan : one_switch)({line, *cable, std::move(parts), nodes, rails});
}

} // namespace kakehashi
