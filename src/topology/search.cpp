#include "topology/search.hpp"

#include "topology/capacity.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace kakehashi {
namespace {

constexpr std::size_t most_remembered = 4 << 20; // lengths, over all searches of a part
constexpr Length infinitely_long{std::numeric_limits<double>::infinity(), std::numeric_limits<int>::max()};

struct Longer {
  Length operator()(const Length& a, const Length& b) const {
    return a == infinitely_long || b == infinitely_long ? infinitely_long : a + b;
  }
};

struct Hop {
  std::uint32_t direction = 0;
  Length length;
  BytesPerSecond capacity;
};

using DeviceGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, Hop>;
using Vertex = DeviceGraph::vertex_descriptor;

std::vector<std::size_t> first_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

} // namespace

bool equally_long(const Length& a, const Length& b) {
  return a.hops == b.hops && std::abs(a.latency - b.latency) <= 1e-9 * std::max(a.latency, b.latency);
}

std::uint32_t bits_of(std::span<const LinkType> types) {
  std::uint32_t bits = 0;
  for (const auto type : types)
    bits |= 1u << type.row;
  return bits;
}

BytesPerSecond capacity_of(const Platform& platform, std::size_t direction) {
  const auto capacity = capacity_of(platform.links[link_of_direction(direction)]);
  return direction % 2 == 0 ? capacity.forward : capacity.backward;
}

struct WaySearch::Graph {
  const Platform& platform;
  std::vector<std::size_t> devices; // the device of each vertex, ascending
  DeviceGraph graph;
  std::vector<bool> forwards;          // whether each vertex forwards
  using Lengths = std::vector<Length>; // from one vertex to each vertex
  std::map<std::tuple<std::uint32_t, BytesPerSecond, Vertex>, Lengths> known;
  std::size_t remembered = 0;

  Graph(const Platform& of, std::vector<std::size_t> its_devices, std::span<const std::size_t> links)
      : platform(of), devices(std::move(its_devices)), graph(devices.size()), forwards(devices.size()) {
    for (Vertex each = 0; each < devices.size(); ++each) {
      const auto& device = platform.devices[devices[each]];
      forwards[each] = !is_card(device.kind) && !(device.node && is_adapter(device.kind));
    }
    for (const auto link : links)
      for (const auto direction : {2 * link, 2 * link + 1}) {
        const auto& tail = platform.devices[tail_of(platform, direction)];
        if (is_adapter(tail.kind) && tail.node != platform.devices[head_of(platform, direction)].node)
          forwards[vertex(tail_of(platform, direction))] = true;
        boost::add_edge(vertex(tail_of(platform, direction)), vertex(head_of(platform, direction)),
                        Hop{static_cast<std::uint32_t>(direction),
                            {platform.links[link].latency.value, 1},
                            capacity_of(platform, direction)},
                        graph);
      }
  }

  Vertex vertex(std::size_t device) const {
    const auto found = std::lower_bound(devices.begin(), devices.end(), device);
    assert(found != devices.end() && *found == device);
    return static_cast<Vertex>(found - devices.begin());
  }

  bool allows(DeviceGraph::edge_descriptor edge, const Usable& usable, Vertex start) const {
    const auto& hop = graph[edge];
    const auto source = boost::source(edge, graph);
    return usable.allows(platform.links[link_of_direction(hop.direction)].type) && hop.capacity > usable.above &&
           (source == start || forwards[source]);
  }

  // The reference is valid until the next call.
  const Lengths& lengths(Vertex start, const Usable& usable);

  // In a grid, ways go along one dimension after the other, so the last hops are those of the last dimension. If two of
  // them are (half around a ring), the one up comes first.
  void keep_last_dimension(std::vector<DeviceGraph::edge_descriptor>& hops) const {
    const auto dimension_of = [&](DeviceGraph::edge_descriptor hop) {
      return platform.links[link_of_direction(graph[hop].direction)].dimension;
    };
    const int last = dimension_of(*std::ranges::max_element(hops, {}, dimension_of));
    if (last == 0)
      return;
    std::erase_if(hops, [&](DeviceGraph::edge_descriptor hop) { return dimension_of(hop) < last; });
    std::ranges::stable_sort(hops, {}, [&](DeviceGraph::edge_descriptor hop) { return graph[hop].direction % 2; });
  }

  // Returns the last hops of the shortest ways to a vertex other than the start.
  std::vector<DeviceGraph::edge_descriptor> last_hops(Vertex start, Vertex to, const Usable& usable,
                                                      const Lengths& lengths) const {
    std::vector<DeviceGraph::edge_descriptor> found;
    const auto [begin, end] = boost::in_edges(to, graph);
    std::copy_if(begin, end, std::back_inserter(found), [&](DeviceGraph::edge_descriptor edge) {
      const auto& before = lengths[boost::source(edge, graph)];
      return allows(edge, usable, start) && before != infinitely_long &&
             equally_long(before + graph[edge].length, lengths[to]);
    });
    assert(!found.empty());
    keep_last_dimension(found);
    return found;
  }
};

namespace {

// The edges that a search may use. filtered_graph copies it.
template <class Graph> struct Allowed {
  const Graph* graph = nullptr;
  Usable usable;
  Vertex start = 0;
  bool operator()(DeviceGraph::edge_descriptor edge) const { return graph->allows(edge, usable, start); }
};

} // namespace

const WaySearch::Graph::Lengths& WaySearch::Graph::lengths(Vertex start, const Usable& usable) {
  const std::tuple key{usable.types, usable.above, start};
  const auto found = known.find(key);
  if (found != known.end())
    return found->second;
  if (remembered + devices.size() > most_remembered) {
    known.clear();
    remembered = 0;
  }
  remembered += devices.size();
  auto& lengths = known[key];
  lengths.resize(devices.size());
  const boost::filtered_graph<DeviceGraph, Allowed<Graph>> allowed(graph, {this, usable, start});
  boost::dijkstra_shortest_paths(allowed, start,
                                 boost::distance_map(lengths.data())
                                     .weight_map(boost::get(&Hop::length, allowed))
                                     .distance_compare(std::less<Length>())
                                     .distance_combine(Longer())
                                     .distance_inf(infinitely_long)
                                     .distance_zero(Length{}));
  return lengths;
}

WaySearch::WaySearch(const Platform& platform)
    : WaySearch(platform, first_numbers(platform.devices.size()), first_numbers(platform.links.size())) {}
WaySearch::WaySearch(const Platform& platform, std::vector<std::size_t> devices, std::span<const std::size_t> links)
    : graph_(std::make_unique<Graph>(platform, std::move(devices), links)) {}
WaySearch::~WaySearch() = default;
WaySearch::WaySearch(WaySearch&&) noexcept = default;

std::optional<Length> WaySearch::length(std::size_t from, std::size_t to, const Usable& usable) {
  const auto found = graph_->lengths(graph_->vertex(from), usable)[graph_->vertex(to)];
  if (found == infinitely_long)
    return std::nullopt;
  return found;
}

void WaySearch::add_way(std::size_t from, std::size_t to, const Usable& usable, Turn& turn,
                        std::vector<std::size_t>& directions) {
  const auto start = graph_->vertex(from);
  const auto& lengths = graph_->lengths(start, usable);
  const auto first = directions.size();
  for (auto at = graph_->vertex(to); at != start;) {
    const auto hops = graph_->last_hops(start, at, usable, lengths);
    const auto hop = hops[turn.among(hops.size())];
    directions.push_back(graph_->graph[hop].direction);
    at = boost::source(hop, graph_->graph);
  }
  std::reverse(directions.begin() + static_cast<std::ptrdiff_t>(first), directions.end());
}

double WaySearch::count(std::size_t from, std::size_t to, const Usable& usable) {
  const auto start = graph_->vertex(from);
  const auto& lengths = graph_->lengths(start, usable);
  std::map<Vertex, double> known{{start, 1}};
  const auto count_to = [&](const auto& self, Vertex at) -> double {
    if (const auto found = known.find(at); found != known.end())
      return found->second;
    double ways = 0;
    for (const auto hop : graph_->last_hops(start, at, usable, lengths))
      ways += self(self, boost::source(hop, graph_->graph));
    return known[at] = ways;
  };
  return count_to(count_to, graph_->vertex(to));
}

} // namespace kakehashi
