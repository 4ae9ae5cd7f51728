#include "input/import/simgrid.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using std::string_view;
using Point = SimgridMap::Point;

constexpr std::size_t most_points = 100000;

struct Unit {
  string_view name;
  double scale;
};

// Errors: it is no number, or the table lacks its unit. A number alone has the first unit.
template <std::size_t N> std::optional<double> parse(string_view text, const std::array<Unit, N>& units) {
  auto rest = text;
  const auto value = take_number<double>(rest);
  if (!value || !(*value >= 0) || *value > 1e30)
    return std::nullopt;
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  for (const auto& unit : units)
    if (rest == unit.name || rest.empty())
      return *value * unit.scale;
  return std::nullopt;
}

// Reads "4,3;2" as {{4, 3}, {2}}; nothing if it has anything but numbers from 1.
std::optional<std::vector<std::vector<std::size_t>>> parameters_of(string_view text) {
  std::vector<std::vector<std::size_t>> groups(1);
  while (true) {
    const auto value = take_number<std::size_t>(text);
    if (!value || *value < 1 || *value > most_points)
      return std::nullopt;
    groups.back().push_back(*value);
    if (text.empty())
      return groups;
    if (text.front() == ';')
      groups.emplace_back();
    else if (text.front() != ',')
      return std::nullopt;
    text.remove_prefix(1);
  }
}

std::size_t product(const std::vector<std::size_t>& factors, std::size_t from = 0) {
  std::size_t all = 1;
  for (std::size_t i = from; i < factors.size(); ++i)
    all = std::min(all * factors[i], 10 * most_points);
  return all;
}

struct Cluster {
  std::string name;
  std::vector<Point> hosts;
  SimgridLink link;
  std::vector<std::vector<std::size_t>> shape;
  SimgridMap& map;
};

SimgridLink times(SimgridLink link, std::size_t count) {
  return {static_cast<double>(count) * link.bandwidth, link.latency};
}

// Adds a cluster; returns why it could not, or an empty text.
using Builder = std::string (*)(const Cluster& cluster);

// The switches above a node of a level become one switch here: SimGrid spreads traffic over them by destination.
std::string fat_tree(const Cluster& cluster) {
  const auto& shape = cluster.shape;
  if (shape.size() != 4 || shape[0].size() != 1)
    return "levels; children; parents; links";
  const auto levels = shape[0][0];
  if (shape[1].size() != levels || shape[2].size() != levels || shape[3].size() != levels)
    return "as many numbers of children, parents and links as levels";
  if (product(shape[1]) != cluster.hosts.size())
    return fmt::format("{} hosts, the product of the children, not {}", product(shape[1]), cluster.hosts.size());
  auto below = cluster.hosts;
  std::size_t side_by_side = 1;
  for (std::size_t level = 0; level < levels; ++level) {
    const auto children = shape[1][level];
    std::vector<Point> above;
    for (std::size_t i = 0; i < below.size() / children; ++i)
      above.push_back(cluster.map.add_router(fmt::format("{}-level{}-{}", cluster.name, level + 1, i)));
    side_by_side *= shape[2][level];
    for (std::size_t i = 0; i < below.size(); ++i)
      cluster.map.connect(below[i], above[i / children], times(cluster.link, side_by_side * shape[3][level]));
    below = std::move(above);
  }
  return "";
}

std::string torus(const Cluster& cluster) {
  if (cluster.shape.size() != 1 || product(cluster.shape[0]) != cluster.hosts.size())
    return fmt::format("dimensions whose product is {}, the number of hosts", cluster.hosts.size());
  for (std::size_t host = 0; host < cluster.hosts.size(); ++host) {
    std::size_t stride = 1;
    for (const auto size : cluster.shape[0]) {
      const auto at = host / stride % size;
      const auto next = host - at * stride + (at + 1) % size * stride;
      if (size > 2 || (size == 2 && at == 0))
        cluster.map.connect(cluster.hosts[host], cluster.hosts[next], cluster.link);
      stride *= size;
    }
  }
  return "";
}

// Routers form chassis, and these form groups; router j of a group's first chassis has the link to group j.
std::string dragonfly(const Cluster& cluster) {
  const auto& shape = cluster.shape;
  if (shape.size() != 4 || shape[0].size() != 2 || shape[1].size() != 2 || shape[2].size() != 2 || shape[3].size() != 1)
    return "groups,links; chassis,links; routers,links; nodes";
  const auto groups = shape[0][0], chassis = shape[1][0], routers = shape[2][0], nodes = shape[3][0];
  const auto all = product({groups, chassis, routers});
  if (product({all, nodes}) != cluster.hosts.size() || groups > chassis * routers)
    return fmt::format("a product of {}, the number of hosts, and a router for each other group", cluster.hosts.size());
  std::vector<Point> points;
  for (std::size_t i = 0; i < all; ++i)
    points.push_back(cluster.map.add_router(fmt::format("{}-router{}", cluster.name, i)));
  for (std::size_t host = 0; host < cluster.hosts.size(); ++host)
    cluster.map.connect(cluster.hosts[host], points[host / nodes], cluster.link);
  for (std::size_t i = 0; i < all; ++i)
    for (auto j = i - i % routers; j < i; ++j)
      cluster.map.connect(points[j], points[i], times(cluster.link, shape[2][1]));
  for (std::size_t i = 0; i < all; ++i)
    for (auto j = i - i % (chassis * routers) + i % routers; j < i; j += routers)
      cluster.map.connect(points[j], points[i], times(cluster.link, shape[1][1]));
  for (std::size_t i = 0; i < groups; ++i)
    for (std::size_t j = 0; j < i; ++j)
      cluster.map.connect(points[j * chassis * routers + i], points[i * chassis * routers + j],
                          times(cluster.link, shape[0][1]));
  return "";
}

struct Topology {
  string_view name;
  Builder build;
};
constexpr Topology topologies[] = {{"FAT_TREE", fat_tree}, {"TORUS", torus}, {"DRAGONFLY", dragonfly}};

} // namespace

std::optional<BytesPerSecond> simgrid_bandwidth(string_view text) {
  static constexpr std::array<Unit, 17> units{{{"Bps", 1},
                                               {"bps", 0.125},
                                               {"kBps", 1e3},
                                               {"kbps", 125},
                                               {"MBps", 1e6},
                                               {"Mbps", 125e3},
                                               {"GBps", 1e9},
                                               {"Gbps", 125e6},
                                               {"TBps", 1e12},
                                               {"Tbps", 125e9},
                                               {"KiBps", 1024.},
                                               {"MiBps", 1048576.},
                                               {"GiBps", 1 << 30},
                                               {"Kibps", 128.},
                                               {"Mibps", 131072},
                                               {"Gibps", 1 << 27},
                                               {"KBps", 1e3}}};
  const auto value = parse(text, units);
  return value && *value > 0 ? std::optional(BytesPerSecond{*value}) : std::nullopt;
}

std::optional<Seconds> simgrid_latency(string_view text) {
  static constexpr std::array<Unit, 7> units{
      {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"m", 60}, {"h", 3600}}};
  const auto value = parse(text, units);
  return value ? std::optional(Seconds{*value}) : std::nullopt;
}

Result<SimgridLink> read_simgrid_link(const XmlFile& xml, pugi::xml_node element, const char* bandwidth,
                                      const char* latency) {
  const auto rate = simgrid_bandwidth(element.attribute(bandwidth).value());
  const std::string_view time = element.attribute(latency).value();
  const auto delay = simgrid_latency(time.empty() ? "0" : time);
  if (rate && delay)
    return SimgridLink{*rate, *delay};
  const auto* wrong = rate ? latency : bandwidth;
  return fault_at(xml, element,
                  fmt::format("{}: {}", wrong,
                              mismatch(in_quotes(element.attribute(wrong).value()),
                                       rate ? "a time such as \"50us\"" : "a bandwidth such as \"125MBps\"")));
}

std::optional<std::vector<std::size_t>> numbers_of(string_view radical) {
  std::vector<std::size_t> numbers;
  while (!radical.empty()) {
    const auto part = radical.substr(0, radical.find(','));
    radical.remove_prefix(std::min(part.size() + 1, radical.size()));
    const auto dash = part.find('-');
    const auto first = number_in<std::size_t>(part.substr(0, dash));
    const auto last = dash == string_view::npos ? first : number_in<std::size_t>(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first >= most_points || numbers.size() >= most_points)
      return std::nullopt;
    for (auto i = *first; i <= *last; ++i)
      numbers.push_back(i);
  }
  return numbers.empty() ? std::nullopt : std::optional(numbers);
}

Errors add_cluster(const XmlFile& xml, pugi::xml_node element, SimgridMap& map, std::vector<std::string>& notes) {
  const std::string name = element.attribute("id").value();
  const std::string prefix = element.attribute("prefix").value(), suffix = element.attribute("suffix").value();
  const auto link = read_simgrid_link(xml, element, "bw", "lat");
  if (!link)
    return link.errors();
  const auto numbers = numbers_of(element.attribute("radical").value());
  if (!numbers)
    return {fault_at(xml, element,
                     "radical: " + mismatch(in_quotes(element.attribute("radical").value()),
                                            "numbers such as \"0-15,20\", at most 100000"))};
  Cluster cluster{name, {}, *link, {}, map};
  for (const auto number : *numbers)
    cluster.hosts.push_back(map.add_host(fmt::format("{}{}{}", prefix, number, suffix)));
  if (element.attribute("limiter_link") || element.attribute("loopback_bw"))
    notes.push_back(fmt::format("cluster {}: its limiter and loopback links are left out", in_quotes(name)));
  const std::string router = element.attribute("router_id").value();
  const auto hub = map.add_router(router.empty() ? prefix + name + "_router" + suffix : router);
  const string_view topology = element.attribute("topology").value();
  if (topology.empty() || topology == "FLAT") {
    // All messages pass the backbone in both directions; half of its latency goes to each host's way to it.
    if (element.attribute("bb_bw")) {
      const auto backbone = read_simgrid_link(xml, element, "bb_bw", "bb_lat");
      if (!backbone)
        return backbone.errors();
      cluster.link.latency += 0.5 * backbone->latency;
      notes.push_back(fmt::format("cluster {}: the capacity of its backbone, {:.4g} GB/s, is left out; half of its "
                                  "latency is in the link of each host",
                                  in_quotes(name), backbone->bandwidth.value / 1e9));
    }
    for (const auto host : cluster.hosts)
      map.connect(host, hub, cluster.link);
    return {};
  }
  const auto* found = std::find_if(std::begin(topologies), std::end(topologies),
                                   [&](const Topology& each) { return each.name == topology; });
  if (found == std::end(topologies))
    return {fault_at(xml, element, "topology: " + mismatch(in_quotes(topology), "FLAT, FAT_TREE, TORUS or DRAGONFLY"))};
  const auto shape = parameters_of(element.attribute("topo_parameters").value());
  cluster.shape = shape.value_or(cluster.shape);
  const auto wanted = shape ? found->build(cluster) : "numbers from 1 on, between commas and semicolons";
  if (!wanted.empty())
    return {fault_at(xml, element,
                     "topo_parameters: " + mismatch(in_quotes(element.attribute("topo_parameters").value()), wanted))};
  const auto joins_zones = [](pugi::xml_node node) {
    return string_view(node.name()) == "zoneRoute" || string_view(node.name()) == "ASroute";
  };
  if (xml.root().find_node(joins_zones)) {
    map.connect(cluster.hosts.front(), hub, cluster.link);
    notes.push_back(fmt::format("cluster {}: what leads out of it begins at its first host", in_quotes(name)));
  }
  return {};
}

} // namespace kakehashi
