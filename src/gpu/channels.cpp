#include "gpu/channels.hpp"

#include "gpu/rings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

struct Found {
  std::vector<std::vector<int>> rings;
  double speed = 0;
  double all() const { return speed * static_cast<double>(rings.size()); }
};

std::vector<int> in_order(std::size_t count) {
  std::vector<int> order(count);
  for (std::size_t i = 0; i < count; ++i)
    order[i] = static_cast<int>(i);
  return order;
}

// A switch joins all GPUs alike, so the order of their numbers is as good as any.
Found through_switch(const GpuSystem& system, double speed) {
  const double counted =
      system.line.value / system.generation->link_line.value * system.generation->link_rate.value / 1e9;
  const auto rings = static_cast<std::size_t>(std::floor(counted / speed + 1e-6));
  return {std::vector(std::min<std::size_t>(rings, 32), in_order(system.nodes.front().size())), speed};
}

Found through_mesh(const GpuSystem& system, double speed, bool may_bounce) {
  const auto all = joints_of(system, speed, system.generation->link_rate.value / 1e9,
                             system.generation->link_line.value / 1e9, may_bounce);
  Found best{{}, speed};
  for (int turn = 0; turn < static_cast<int>(all.size()); ++turn) {
    auto joints = all;
    Found found{{}, speed};
    while (found.rings.size() < 32) {
      auto ring = take_ring(joints, turn);
      if (ring.empty())
        break;
      found.rings.push_back(std::move(ring));
    }
    if (found.rings.size() > best.rings.size())
      best = std::move(found);
  }
  return best;
}

Found best_inside(const GpuSystem& system) {
  const auto count = system.nodes.front().size();
  if (count == 1)
    return {{{0}}, 0};
  if (system.inside != GpuWay::nvlink)
    return {{2, ring_with_gaps(joints_of(system, 1, 1, 1, false))}, 12};
  Found best;
  for (const bool may_bounce : {false, true})
    for (const double speed : system.generation->speeds_inside) {
      if (may_bounce && !best.rings.empty())
        break;
      auto found = system.has_switch ? through_switch(system, speed) : through_mesh(system, speed, may_bounce);
      if (found.all() > best.all() + 1e-9)
        best = std::move(found);
    }
  if (best.rings.empty())
    best = {{in_order(count)}, system.generation->speeds_inside.back()};
  return best;
}

double step_below(double value, const std::vector<double>& speeds) {
  for (const double speed : speeds)
    if (speed <= value + 1e-9)
      return speed;
  return value;
}

// What all flows of a pattern load on each channel of the topology, in bytes for each byte of a channel of NCCL.
class Loads {
public:
  explicit Loads(const GpuSystem& system) : system_(system) {}

  void add(const Route& route, double weight, Shares shares) {
    const bool leaves = std::ranges::any_of(route.links, [&](std::size_t link) {
      const auto type = system_.platform->links[link].type;
      return type == link_type("infiniband") || type == link_type("ethernet");
    });
    const double share = leaves ? shares.between : shares.inside;
    for (const auto channel : route.channels)
      loads_[channel] += weight / share;
  }
  void add(const Result<Route>& route, double weight, Shares shares) {
    if (route)
      add(*route, weight, shares);
    else if (fault_.empty())
      fault_ = route.errors().front().message;
  }

  ChannelRate slowest() const {
    ChannelRate slowest{{1e30}, "nothing"};
    for (const auto& [channel, load] : loads_) {
      const double rate = system_.topology->channels()[channel].capacity.value / load;
      if (rate < slowest.rate.value * (1 - 1e-9))
        slowest = {{rate}, system_.topology->channel_text(channel)};
    }
    slowest.fault = fault_;
    return slowest;
  }

  const std::map<std::size_t, double>& all() const { return loads_; }

private:
  const GpuSystem& system_;
  std::map<std::size_t, double> loads_;
  std::string fault_;
};

// Each ring of a node with each rail, so that all links of a mesh carry as much as they do on the whole.
std::size_t rails_of(const GpuSystem& system) {
  return system.node_count() > 1 ? system.rails.size() : 1;
}

// The ranks of a node in the order of a ring that begins at the rail's own rank.
std::vector<int> ring_order(const GpuSystem& system, const GpuGraph& graph, std::size_t node, std::size_t ring,
                            int rail) {
  const auto& ranks = system.nodes[node];
  std::vector<int> order;
  for (const int local : graph.rings[ring % graph.rings.size()])
    if (static_cast<std::size_t>(local) < ranks.size())
      order.push_back(ranks[static_cast<std::size_t>(local)]);
  for (std::size_t i = 0; i < order.size(); ++i)
    if (rail >= 0 && system.ranks[static_cast<std::size_t>(order[i])].rail == rail) {
      std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i), order.end());
      break;
    }
  return order;
}

// A rank that has another adapter beside it hands what is for this rail to the rank next to it, over NVLink.
int handed_to(const GpuSystem& system, int rank, int rail) {
  constexpr GpuRelease hands_over{2012};
  const auto& sender = system.ranks[static_cast<std::size_t>(rank)];
  if (system.inside != GpuWay::nvlink || system.line.value == 0 || system.version < hands_over || sender.rail == rail)
    return rank;
  for (const int other : system.nodes[static_cast<std::size_t>(sender.node)])
    if (system.ranks[static_cast<std::size_t>(other)].rail == rail)
      return other;
  return rank;
}

class Flows {
public:
  Flows(const GpuSystem& system, const GpuGraph& graph, Shares shares)
      : system_(system), graph_(graph), shares_(shares), loads_(system) {}

  const Loads& of(GpuPattern pattern, int channels) {
    switch (pattern) {
    case GpuPattern::ring: add_rings(channels); break;
    case GpuPattern::tree: add_trees(channels); break;
    case GpuPattern::all_to_all: add_pairs(channels); break;
    case GpuPattern::through_switch: add_switch(channels); break;
    }
    return loads_;
  }

private:
  std::size_t device(int rank) const { return system_.ranks[static_cast<std::size_t>(rank)].device; }

  void add_inside(int from, int to, double weight) {
    if (from == to)
      return;
    if (!system_.handicaps.has_peers)
      return add_through_host(from, to, weight);
    if (const auto way = system_.nvlink_way(device(from), device(to)))
      return loads_.add(*way, weight, shares_);
    if (const auto way = system_.bounced_way(device(from), device(to)))
      return loads_.add(*way, weight, shares_);
    loads_.add(system_.pcie_way(device(from), device(to)), weight, shares_);
  }

  // Into the host's memory, and out of it.
  void add_through_host(int from, int to, double weight) {
    const auto host = system_.host_of(device(from));
    if (!host)
      return;
    loads_.add(system_.pcie_way(device(from), *host), weight, shares_);
    loads_.add(system_.pcie_way(*host, device(to)), weight, shares_);
  }

  void add_between(int from, int to, int rail, double weight) {
    const int out = handed_to(system_, from, rail), in = handed_to(system_, to, rail);
    add_inside(from, out, weight);
    const auto memory_for = [&](std::size_t gpu) {
      return system_.handicaps.has_gpudirect ? gpu : system_.host_of(gpu).value_or(gpu);
    };
    const auto leaves = memory_for(device(out)), enters = memory_for(device(in));
    if (leaves != device(out))
      loads_.add(system_.pcie_way(device(out), leaves), weight, shares_);
    loads_.add(system_.network_way(leaves, enters, rail), weight, shares_);
    if (enters != device(in))
      loads_.add(system_.pcie_way(enters, device(in)), weight, shares_);
    add_inside(in, to, weight);
  }

  std::vector<int> order(std::size_t node, std::size_t ring, int rail) const {
    return ring_order(system_, graph_, node, ring, rail);
  }
  std::size_t rails() const { return rails_of(system_); }
  std::size_t lanes() const { return rails() * orders(); }
  std::size_t orders() const { return system_.has_switch ? 1 : graph_.rings.size(); }
  int rail(std::size_t lane) const { return system_.node_count() > 1 ? static_cast<int>(lane % rails()) : -1; }

  void add_rings(int channels) {
    const double weight = static_cast<double>(channels) / static_cast<double>(lanes());
    for (std::size_t lane = 0; lane < lanes(); ++lane)
      for (std::size_t node = 0; node < system_.node_count(); ++node) {
        const auto here = order(node, lane / rails(), rail(lane));
        for (std::size_t i = 0; i + 1 < here.size(); ++i)
          add_inside(here[i], here[i + 1], weight);
        const auto next = order((node + 1) % system_.node_count(), lane / rails(), rail(lane));
        if (system_.node_count() == 1)
          add_inside(here.back(), here.front(), weight);
        else
          add_between(here.back(), next.front(), rail(lane), weight);
      }
  }

  // A chain in each node, up and down at the same time; between nodes two trees, in one of which each node is inside.
  void add_trees(int channels) {
    const double weight = static_cast<double>(channels) / static_cast<double>(lanes());
    const auto nodes = system_.node_count();
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
      for (std::size_t node = 0; node < nodes; ++node) {
        const auto here = order(node, lane / rails(), rail(lane));
        for (std::size_t i = 0; i + 1 < here.size(); ++i) {
          add_inside(here[i], here[i + 1], weight);
          add_inside(here[i + 1], here[i], weight);
        }
      }
      for (std::size_t node = 1; node < nodes; ++node)
        for (const std::size_t shift : {std::size_t{0}, std::size_t{1}}) {
          const auto below = order((node + shift) % nodes, lane / rails(), rail(lane)).front();
          const auto above = order((parent(node, nodes) + shift) % nodes, lane / rails(), rail(lane)).front();
          add_between(below, above, rail(lane), weight / 2);
          add_between(above, below, rail(lane), weight / 2);
        }
    }
  }

  // Of a binary tree over nodes in their order: odd nodes are leaves, and node 0 is the root.
  static std::size_t parent(std::size_t node, std::size_t nodes) {
    const auto bit = node & (~node + 1);
    const auto up = (node ^ bit) | (bit << 1);
    return up < nodes ? up : node ^ bit;
  }

  void add_pairs(int channels) {
    constexpr std::size_t most = 64; // the ranks whose pairs are counted
    const auto ranks = std::min(most, system_.ranks.size());
    const double part = static_cast<double>(system_.ranks.size()) / static_cast<double>(ranks);
    const double weight = static_cast<double>(channels) * part / static_cast<double>(system_.ranks.size());
    for (std::size_t from = 0; from < ranks; ++from)
      for (std::size_t to = 0; to < ranks; ++to) {
        const auto& sender = system_.ranks[from];
        if (from == to)
          continue;
        if (sender.node == system_.ranks[to].node)
          add_inside(static_cast<int>(from), static_cast<int>(to), weight);
        else
          add_between(static_cast<int>(from), static_cast<int>(to), std::max(0, sender.rail), weight);
      }
  }

  // Each GPU sends all of its vector to the switches of its node, which add, and gets the sum.
  void add_switch(int channels) {
    for (const auto& node : system_.nodes)
      for (std::size_t i = 0; i < node.size(); ++i)
        add_inside(node[i], node[(i + 1) % node.size()], channels);
  }

  const GpuSystem& system_;
  const GpuGraph& graph_;
  Shares shares_;
  Loads loads_;
};

} // namespace

GpuGraph search_channels(const GpuSystem& system) {
  auto found = best_inside(system);
  GpuGraph graph;
  graph.inside = found.all();
  graph.found = static_cast<int>(found.rings.size());
  graph.rings = std::move(found.rings);
  const int splits = system.inside == GpuWay::nvlink && found.speed >= system.generation->splits_from ? 2 : 1;
  graph.channels = std::min(system.generation->most_channels, 2 * splits * graph.found);
  graph.between = graph.inside;
  if (system.node_count() > 1) {
    const auto rails = static_cast<double>(system.rails.size());
    const double speed = step_below(0.97 * system.rail_line.value / 1e9, system.generation->speeds_between);
    graph.found = static_cast<int>(rails);
    graph.channels = std::min(system.generation->most_channels, 2 * graph.found);
    graph.between = graph.inside > 0 ? std::min(graph.inside, rails * speed) : rails * speed;
    if (graph.inside == 0)
      graph.inside = graph.between;
  }
  return graph;
}

std::string ring_text(const GpuSystem& system, const GpuGraph& graph, std::size_t channel) {
  constexpr std::size_t most_shown = 9;
  const auto rails = rails_of(system);
  const int rail = system.node_count() > 1 ? static_cast<int>(channel % rails) : -1;
  const auto order = ring_order(system, graph, 0, channel / rails, rail);
  const auto name = [&](int rank) { return system.device_of(rank).local_name(); };
  std::string text = system.device_of(order.front()).name;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order.size() <= most_shown || i < 4 || i + 2 > order.size())
      text += fmt::format(" -> {}", name(order[i]));
    else if (i == 4)
      text += " -> ...";
  if (system.node_count() == 1)
    return text + fmt::format(" -> {}", name(order.front()));
  const int out = handed_to(system, order.back(), rail);
  if (out != order.back())
    text += fmt::format(" -> {}", name(out));
  return text + fmt::format(", out by {}, and so on through {} nodes",
                            system.platform->devices[system.rails[static_cast<std::size_t>(rail)]].local_name(),
                            system.node_count());
}

ChannelRate rate_of(const GpuSystem& system, const GpuGraph& graph, GpuPattern pattern, int channels, Shares shares) {
  return Flows(system, graph, shares).of(pattern, channels).slowest();
}

std::map<std::size_t, double> loads_of(const GpuSystem& system, const GpuGraph& graph, GpuPattern pattern,
                                       int channels) {
  return Flows(system, graph, {}).of(pattern, channels).all();
}

} // namespace kakehashi
