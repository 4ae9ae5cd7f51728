#include "topology/search.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <limits>
#include <map>

namespace kakehashi {
namespace {

constexpr std::size_t most_remembered = 4 << 20; // devices, over all trees
constexpr Length infinitely_long{std::numeric_limits<double>::infinity(), std::numeric_limits<int>::max()};

struct Longer {
  Length operator()(const Length& a, const Length& b) const {
    if (a == infinitely_long || b == infinitely_long)
      return infinitely_long;
    return {a.latency + b.latency, a.hops + b.hops};
  }
};

struct Hop {
  std::uint32_t direction = 0;
  Length length;
};

using DeviceGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Hop>;

// The link types of a fabric as bits.
std::uint32_t bits_of(std::span<const LinkType> types) {
  std::uint32_t bits = 0;
  for (const auto type : types)
    bits |= 1u << type.row;
  return bits;
}

// Which edges a search may use; copyable, as filtered_graph wants it.
struct Usable {
  const Platform* platform = nullptr;
  const DeviceGraph* graph = nullptr;
  std::uint32_t types = 0;
  std::size_t start = 0;

  bool operator()(DeviceGraph::edge_descriptor edge) const {
    const auto type = platform->links[link_of_direction((*graph)[edge].direction)].type;
    const auto source = boost::source(edge, *graph);
    const auto kind = platform->devices[source].kind;
    return (types >> type.row & 1) != 0 &&
           (source == start || (kind != DeviceKind::coprocessor && kind != DeviceKind::gpu));
  }
};

} // namespace

struct WaySearch::Graph {
  const Platform* platform;
  DeviceGraph devices;
  std::map<std::pair<std::uint32_t, std::size_t>, WayTree> trees; // by link types and start
  std::size_t remembered = 0;
};

WaySearch::WaySearch(const Platform& platform) : graph_(std::make_unique<Graph>()) {
  graph_->platform = &platform;
  graph_->devices = DeviceGraph(platform.devices.size());
  for (std::size_t i = 0; i < platform.links.size(); ++i) {
    const auto& link = platform.links[i];
    const Length length{link.latency.value, 1};
    const auto forwards = static_cast<std::uint32_t>(2 * i);
    boost::add_edge(link.from, link.to, Hop{forwards, length}, graph_->devices);
    boost::add_edge(link.to, link.from, Hop{forwards + 1, length}, graph_->devices);
  }
}

WaySearch::~WaySearch() = default;
WaySearch::WaySearch(WaySearch&&) noexcept = default;

const WayTree& WaySearch::from(std::size_t start, std::span<const LinkType> types) {
  const auto bits = bits_of(types);
  const auto known = graph_->trees.find({bits, start});
  if (known != graph_->trees.end())
    return known->second;
  const auto count = graph_->platform->devices.size();
  if (graph_->remembered + count > most_remembered) {
    graph_->trees.clear();
    graph_->remembered = 0;
  }
  graph_->remembered += count;
  auto& tree = graph_->trees[{bits, start}];
  tree.length.resize(count);
  tree.direction.assign(count, WayTree::none);

  const boost::filtered_graph<DeviceGraph, Usable> allowed(graph_->devices,
                                                           Usable{graph_->platform, &graph_->devices, bits, start});
  std::vector<DeviceGraph::edge_descriptor> entered(count);
  boost::dijkstra_shortest_paths(allowed, start,
                                 boost::distance_map(tree.length.data())
                                     .weight_map(boost::get(&Hop::length, allowed))
                                     .distance_compare(std::less<Length>())
                                     .distance_combine(Longer())
                                     .distance_inf(infinitely_long)
                                     .distance_zero(Length{})
                                     .visitor(boost::make_dijkstra_visitor(
                                         boost::record_edge_predecessors(entered.data(), boost::on_edge_relaxed()))));
  for (std::size_t device = 0; device < count; ++device)
    if (tree.length[device] == infinitely_long)
      tree.length[device].hops = -1;
    else if (device != start)
      tree.direction[device] = graph_->devices[entered[device]].direction;
  return tree;
}

} // namespace kakehashi
