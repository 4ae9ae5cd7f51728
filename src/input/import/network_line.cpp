#include "input/import/compose.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/import/assembly.hpp"
#include "input/import/text_parts.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::string_view rail = "rail"; // a kind of its own, as it may be several networks

struct Request {
  std::string line;
  std::vector<std::string> arguments; // after the rate
  std::size_t nodes;
  std::size_t rails;
};

Error fault(const std::string& line, const std::string& message) {
  return usage_error(fmt::format("--network {}: {}", in_quotes(line), message));
}

std::optional<std::size_t> number(std::string_view text, std::size_t most = 10000) {
  const auto value = number_in<std::size_t>(text);
  return value >= 1 && value <= most ? value : std::nullopt;
}

constexpr std::string_view sharp = "+sharp"; // at a line's end: its switches add

std::string without_sharp(const std::string& line) {
  return line.ends_with(sharp) ? line.substr(0, line.size() - sharp.size()) : line;
}

// "4x4x2"
std::optional<std::vector<std::size_t>> points_of(const std::string& text) {
  std::vector<std::size_t> points;
  for (const auto& part : split(text, 'x')) {
    const auto along = number(part);
    if (!along)
      return std::nullopt;
    points.push_back(*along);
  }
  return points;
}

std::size_t devices_of(const std::vector<std::size_t>& points) {
  std::size_t all = 1;
  for (const auto along : points)
    all = std::min<std::size_t>(all * along, std::size_t{1} << 20);
  return all;
}

Result<NetworkShape> one_switch(const Request& request) {
  if (!request.arguments.empty())
    return fault(request.line, "a single switch takes a rate only");
  return NetworkShape{};
}

Result<NetworkShape> fat_tree(const Request& request) {
  const auto& arguments = request.arguments;
  NetworkShape shape;
  if (!arguments.empty())
    shape.ports = number(arguments[0], 4096).value_or(0);
  for (std::size_t i = 1; i < std::min<std::size_t>(3, arguments.size()); ++i)
    shape.taper[i - 1] = number(arguments[i], 64).value_or(0);
  if (shape.ports < 2 || shape.taper[0] == 0 || shape.taper[1] == 0 || arguments.size() > 3)
    return fault(request.line, "expected the number of a switch's ports, from 2 on, and then at most a taper such as "
                               "2:1, links down to links up: \"fat-tree:HDR:40:2:1\"");
  return shape;
}

Result<NetworkShape> torus(const Request& request) {
  const auto points = request.arguments.size() == 1 ? points_of(request.arguments[0]) : std::nullopt;
  if (!points)
    return fault(request.line, "expected the points along each dimension: \"torus:100GbE:4x4x2\"");
  NetworkShape shape;
  shape.points = *points;
  shape.devices = devices_of(*points);
  if (shape.devices < request.nodes)
    return fault(request.line,
                 fmt::format("the torus has {} points, fewer than the {} nodes", shape.devices, request.nodes));
  return shape;
}

Result<NetworkShape> ring(const Request& request) {
  if (!request.arguments.empty())
    return fault(request.line, "a ring takes a rate only");
  NetworkShape shape;
  shape.devices = request.nodes;
  return shape;
}

Result<NetworkShape> dragonfly(const Request& request) {
  const auto& arguments = request.arguments;
  const auto points = arguments.empty() || arguments.size() > 2 ? std::nullopt : points_of(arguments[0]);
  const auto links = arguments.size() == 2 ? number(arguments[1]) : std::size_t{1};
  if (!points || points->size() != 3 || !links)
    return fault(request.line, "expected groups, routers of a group and nodes of a router, and then perhaps the links "
                               "between two groups: \"dragonfly:200GbE:9x8x4\" or \"dragonfly:200GbE:9x8x4:8\"");
  NetworkShape shape;
  shape.group_links = *links;
  shape.points = *points;
  shape.points[2] *= request.rails;
  return shape;
}

// The leaves of a fat tree each hold adapters of one rail only, so all leaves of a rail hold equally many.
Result<NetworkShape> tree_of_rails(NetworkShape tree, std::size_t of_rail, std::size_t down, const Request& request) {
  const auto fewest = (of_rail + down - 1) / down;
  auto leaves = fewest;
  while (of_rail % leaves != 0)
    ++leaves;
  if (leaves > 2 * fewest)
    return fault(request.line, fmt::format("{} adapters of a rail fill no leaves of up to {} evenly; expected another "
                                           "number of nodes, or of ports",
                                           of_rail, down));
  tree.ports = (of_rail / leaves * (tree.taper[0] + tree.taper[1]) + tree.taper[0] - 1) / tree.taper[0];
  tree.kind = NetworkKind::fat_tree;
  tree.devices = request.nodes * request.rails;
  return tree;
}

// A rail is one switch, as long as its ports suffice.
Result<NetworkLine> rail_line(const Request& request, const Cable& cable) {
  const auto& arguments = request.arguments;
  const auto count = arguments.empty() ? std::nullopt : number(arguments[0], 64);
  if (!count)
    return fault(request.line, "expected the number of rails, and then perhaps the ports of a switch, if a spine joins "
                               "the rails: \"rail:NDR:8\" or \"rail:NDR:8:64\"");
  if (request.nodes < 2 || *count > request.rails || request.rails % *count != 0)
    return fault(request.line, fmt::format("{} for {} with {} each; expected at least two nodes, and a number of rails "
                                           "that divides that of adapters",
                                           counted(*count, "rail"), counted(request.nodes, "node"),
                                           counted(request.rails, "adapter")));
  NetworkLine network{NetworkShape(), cable, *count};
  const auto of_rail = request.nodes * request.rails / *count;
  network.shape.devices = of_rail;
  if (arguments.size() == 1)
    return network;
  auto tree = fat_tree({request.line, {arguments.begin() + 1, arguments.end()}, request.nodes, request.rails});
  if (!tree)
    return tree.errors();
  const auto down = tree->ports * tree->taper[0] / (tree->taper[0] + tree->taper[1]);
  if (down == 0)
    return fault(request.line, "there are too few ports for that taper");
  if (of_rail <= down) {
    network.uplinks = (of_rail * tree->taper[1] + tree->taper[0] - 1) / tree->taper[0];
    return network;
  }
  auto leaves = tree_of_rails(*tree, of_rail, down, request);
  if (!leaves)
    return leaves.errors();
  network.shape = std::move(*leaves);
  return network;
}

// Networks that have names: the payload's rate in one direction and, where an adapter has less than twice that, in
// both; and the latency of a link beyond InfiniBand's. Kakehashi has them as the type infiniband.
struct NamedNetwork {
  std::string_view name;
  double gigabytes;
  double both = 0;
  double further_latency = 0; // us
};
constexpr NamedNetwork named_networks[] = {
    {"OPA", 12.34},       // 100 Gbit/s with the share of payload that InfiniBand has, see link_type.cpp
    {"SS10", 12},         // Slingshot with ConnectX-5: 100 Gbit/s of Ethernet
    {"SS11", 24},         // Slingshot with Cassini: 200 Gbit/s
    {"Aries", 10, 11},    // what Cray XC30 to XC50 reach of 16 GB/s of PCIe 3
    {"EFA100", 12, 0, 6}, // AWS states some 15 us between two ranks
    {"EFA200", 24, 0, 6}, {"EFA400", 48, 0, 6},
};

struct Kind {
  NetworkKind kind;
  Result<NetworkShape> (*read)(const Request& request);
};
constexpr std::array kinds{Kind{NetworkKind::one_switch, one_switch}, Kind{NetworkKind::fat_tree, fat_tree},
                           Kind{NetworkKind::torus, torus}, Kind{NetworkKind::ring, ring},
                           Kind{NetworkKind::dragonfly, dragonfly}};

const Kind* find_kind(std::string_view name) {
  const auto* found = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const Kind& kind) { return name_of(network_kind_names, kind.kind) == name; });
  return found == kinds.end() ? nullptr : found;
}

} // namespace

std::string_view network_forms() {
  return "RATE, fat-tree:RATE:PORTS[:DOWN:UP], rail:RATE:RAILS[:PORTS], torus:RATE:4x4x2, ring:RATE or "
         "dragonfly:RATE:GROUPSxROUTERSxNODES[:LINKS], where RATE is SDR to XDR (InfiniBand, 4 lanes), HDR100, NDR200, "
         "OPA, SS10 and "
         "SS11 (Slingshot), Aries, EFA100 to EFA400, or Ethernet such as 100GbE; +sharp at the end: its switches add";
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
  for (const auto& row : named_networks)
    if (row.name == rate) {
      auto cable = stated_cable("infiniband", gigabytes_per_second(row.gigabytes), source);
      cable.latency += microseconds(row.further_latency);
      if (row.both > 0)
        cable.both = gigabytes_per_second(row.both);
      return cable;
    }
  std::string text(rate);
  if (rate.ends_with("GbE"))
    text = std::string(rate.substr(0, rate.size() - 3)) + " Gbit/s";
  if (const auto line_rate = parse_rate(text))
    return rated_cable("ethernet", *line_rate, source);
  return std::nullopt;
}

Result<Cable> cable_of_line(const std::string& line) {
  const auto parts = split(without_sharp(line), ':');
  const auto& rate = (parts[0] == rail || find_kind(parts[0])) && parts.size() > 1 ? parts[1] : parts[0];
  if (auto cable = parse_cable(rate))
    return std::move(*cable);
  std::vector<std::string> known{"HDR100", "NDR200", "100GbE"};
  for (const auto& row : named_networks)
    known.emplace_back(row.name);
  for (const auto& row : infiniband_rates())
    known.emplace_back(row.name);
  for (const auto& kind : kinds)
    known.emplace_back(name_of(network_kind_names, kind.kind));
  known.emplace_back(rail);
  auto error = fault(line, fmt::format("got {}, expected {}", in_quotes(rate), network_forms()));
  error.suggestion = closest(rate, known);
  return error;
}

Result<NetworkLine> read_network_line(const std::string& text, std::size_t nodes, std::size_t rails) {
  const auto cable = cable_of_line(text);
  if (!cable)
    return cable.errors();
  const auto line = without_sharp(text);
  if (line != text) {
    if (cable->type != link_type("infiniband"))
      return fault(text, "only switches of InfiniBand add by SHARP");
    auto network = read_network_line(line, nodes, rails);
    if (network)
      network->shape.adds = true;
    return network;
  }
  auto parts = split(line, ':');
  if (parts[0] == rail)
    return rail_line(
        {line, {parts.begin() + std::min<std::ptrdiff_t>(2, std::ssize(parts)), parts.end()}, nodes, rails}, *cable);
  const auto* found = find_kind(parts[0]);
  parts.erase(parts.begin(), parts.begin() + (found ? 2 : 1));
  const auto& kind = found ? *found : kinds.front();
  auto shape = kind.read({line, std::move(parts), nodes, rails});
  if (!shape)
    return shape.errors();
  shape->kind = kind.kind;
  if (shape->devices == 0)
    shape->devices = nodes * rails;
  if (const auto wiring = wiring_of(*shape); !wiring)
    return fault(line, wiring.errors().front().message);
  return NetworkLine{std::move(*shape), *cable};
}

} // namespace kakehashi
