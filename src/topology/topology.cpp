#include "topology/topology.hpp"

#include "topology/capacity.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <fmt/format.h>
#include <limits>

namespace kakehashi {
namespace {

// A path's length: latency first, hops to break ties.
struct Length {
  double latency = 0;
  int hops = 0;
  auto operator<=>(const Length&) const = default;
};
constexpr Length infinitely_long{std::numeric_limits<double>::infinity(), std::numeric_limits<int>::max()};

struct Longer {
  Length operator()(const Length& a, const Length& b) const {
    if (a == infinitely_long || b == infinitely_long)
      return infinitely_long;
    return {a.latency + b.latency, a.hops + b.hops};
  }
};

struct Hop { // one direction of a link
  std::size_t link = 0;
  std::size_t channel = 0;
  Length length;
};

using DeviceGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Hop>;

} // namespace

struct Topology::Graph {
  DeviceGraph devices;
};

Topology::Topology(const Platform& platform) : platform_(&platform), graph_(std::make_unique<Graph>()) {
  graph_->devices = DeviceGraph(platform.devices.size());
  for (std::size_t i = 0; i < platform.links.size(); ++i) {
    const auto& link = platform.links[i];
    const auto capacity = capacity_of(link);
    const Length length{link.latency.value, 1};
    boost::add_edge(link.from, link.to, Hop{i, channels_.size(), length}, graph_->devices);
    channels_.push_back({link.name + ">", capacity.forward});
    boost::add_edge(link.to, link.from, Hop{i, channels_.size(), length}, graph_->devices);
    channels_.push_back({link.name + "<", capacity.backward});
  }
  for (const auto& device : platform.devices) {
    memory_channels_.emplace_back();
    if (!device.memory_bandwidth)
      continue;
    memory_channels_.back() = channels_.size();
    channels_.push_back({device.name + ":memory", *device.memory_bandwidth});
  }
}

Topology::~Topology() = default;
Topology::Topology(Topology&&) noexcept = default;

Result<Route> Topology::route(const Fabric& fabric, std::size_t from, std::size_t to) const {
  Route route;
  if (from == to) {
    if (memory_channels_[from])
      route.channels.push_back(*memory_channels_[from]);
    return route;
  }
  const auto& devices = platform_->devices;
  const auto& graph = graph_->devices;
  const auto usable = [&](DeviceGraph::edge_descriptor edge) {
    const auto type = platform_->links[graph[edge].link].type;
    const auto source = boost::source(edge, graph);
    return std::find(fabric.links.begin(), fabric.links.end(), type) != fabric.links.end() &&
           (source == from ||
            (devices[source].kind != DeviceKind::coprocessor && devices[source].kind != DeviceKind::gpu));
  };
  // A copyable predicate, as filtered_graph wants it.
  struct Usable {
    const decltype(usable)* test = nullptr;
    bool operator()(DeviceGraph::edge_descriptor edge) const { return (*test)(edge); }
  };
  const boost::filtered_graph<DeviceGraph, Usable> allowed(graph, Usable{&usable});

  struct Paths {
    std::vector<std::size_t> before;
    std::vector<Length> length;
  };
  const auto paths_from = [&](std::size_t start) {
    Paths paths{std::vector<std::size_t>(devices.size()), std::vector<Length>(devices.size())};
    boost::dijkstra_shortest_paths(allowed, start,
                                   boost::predecessor_map(paths.before.data())
                                       .distance_map(paths.length.data())
                                       .weight_map(boost::get(&Hop::length, allowed))
                                       .distance_compare(std::less<Length>())
                                       .distance_combine(Longer())
                                       .distance_inf(infinitely_long)
                                       .distance_zero(Length{}));
    return paths;
  };
  const auto gateway_near = [&](std::size_t device, const Paths& paths) {
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (devices[i].node == devices[device].node &&
          std::find(fabric.gateways.begin(), fabric.gateways.end(), devices[i].local_name()) != fabric.gateways.end() &&
          paths.length[i] != infinitely_long && (!nearest || paths.length[i] < paths.length[*nearest]))
        nearest = i;
    return nearest;
  };

  std::vector<std::size_t> stops{from};
  if (!fabric.gateways.empty() && devices[from].node != devices[to].node) {
    if (const auto out = gateway_near(from, paths_from(from)); out && *out != from)
      stops.push_back(*out);
    if (const auto in = gateway_near(to, paths_from(to)); in && *in != to)
      stops.push_back(*in);
  }
  stops.push_back(to);
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    const auto paths = paths_from(stops[i]);
    if (paths.length[stops[i + 1]] == infinitely_long)
      return Error{ErrorKind::input, platform_->file, "/fabrics/" + fabric.name + "/links",
                   mismatch(fmt::format("no route from \"{}\" to \"{}\" over these link types", devices[from].name,
                                        devices[to].name),
                            "one"),
                   ""};
    std::vector<Hop> hops;
    for (std::size_t at = stops[i + 1]; at != stops[i]; at = paths.before[at]) {
      std::optional<Hop> best; // of parallel links, the one that the path's length counts
      for (const auto edge : boost::make_iterator_range(boost::out_edges(paths.before[at], allowed)))
        if (boost::target(edge, allowed) == at && (!best || graph[edge].length < best->length))
          best = graph[edge];
      hops.push_back(*best);
    }
    for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
      route.channels.push_back(hop->channel);
      route.links.push_back(hop->link);
      route.latency += Seconds{hop->length.latency};
    }
  }
  return route;
}

int Route::crossings(const Platform& platform, LinkType type) const {
  return static_cast<int>(
      std::count_if(links.begin(), links.end(), [&](std::size_t link) { return platform.links[link].type == type; }));
}

std::optional<std::size_t> bottleneck(const Route& route, std::span<const Channel> channels) {
  const auto least = std::min_element(route.channels.begin(), route.channels.end(), [&](std::size_t a, std::size_t b) {
    return channels[a].capacity < channels[b].capacity;
  });
  if (least == route.channels.end())
    return std::nullopt;
  return *least;
}

std::vector<std::size_t> shared_channels(const Route& a, const Route& b) {
  std::vector<std::size_t> shared;
  std::copy_if(a.channels.begin(), a.channels.end(), std::back_inserter(shared), [&](std::size_t channel) {
    return std::find(b.channels.begin(), b.channels.end(), channel) != b.channels.end();
  });
  return shared;
}

} // namespace kakehashi
