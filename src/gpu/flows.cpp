#include "gpu/channels.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace kakehashi {
namespace {

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
  void add_channel(std::size_t channel, double weight, double share) { loads_[channel] += weight / share; }
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
    default: add_collnet(pattern, channels);
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

  // The memory that an adapter reaches for a GPU.
  std::size_t memory_for(std::size_t gpu) const {
    return system_.handicaps.has_gpudirect ? gpu : system_.host_of(gpu).value_or(gpu);
  }

  void add_pcie(std::size_t from, std::size_t to, double weight) {
    if (from != to)
      loads_.add(system_.pcie_way(from, to), weight, shares_);
  }

  void add_between(int from, int to, int out_by, int in_by, double weight) {
    const int out = handed_to(system_, from, out_by), in = handed_to(system_, to, in_by);
    add_inside(from, out, weight);
    const auto leaves = memory_for(device(out)), enters = memory_for(device(in));
    add_pcie(device(out), leaves, weight);
    loads_.add(system_.network_way(leaves, enters, out_by, in_by), weight, shares_);
    add_pcie(enters, device(in), weight);
    add_inside(in, to, weight);
  }

  std::size_t lanes() const { return rails_of(system_) * (system_.has_switch ? 1 : graph_.rings.size()); }
  RingWay way(std::size_t node, std::size_t lane) const {
    return ring_way(system_, graph_, node % system_.node_count(), lane);
  }

  void add_rings(int channels) {
    const double weight = static_cast<double>(channels) / static_cast<double>(lanes());
    for (std::size_t lane = 0; lane < lanes(); ++lane)
      for (std::size_t node = 0; node < system_.node_count(); ++node) {
        const auto here = way(node, lane), next = way(node + 1, lane);
        for (std::size_t i = 0; i + 1 < here.order.size(); ++i)
          add_inside(here.order[i], here.order[i + 1], weight);
        if (system_.node_count() == 1)
          add_inside(here.order.back(), here.order.front(), weight);
        else
          add_between(here.order.back(), next.order.front(), here.out, next.in, weight);
      }
  }

  // A chain in each node, up and down at the same time; between nodes two trees, in one of which each node is inside.
  void add_trees(int channels) {
    const double weight = static_cast<double>(channels) / static_cast<double>(lanes());
    const auto nodes = system_.node_count();
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
      add_chains(lane, weight);
      const int rail = rail_of(lane);
      for (std::size_t node = 1; node < nodes; ++node)
        for (const std::size_t shift : {std::size_t{0}, std::size_t{1}}) {
          const auto below = head(node + shift, lane), above = head(parent(node, nodes) + shift, lane);
          add_between(below, above, rail, rail, weight / 2);
          add_between(above, below, rail, rail, weight / 2);
        }
    }
  }

  int rail_of(std::size_t lane) const {
    return system_.node_count() > 1 ? static_cast<int>(lane % rails_of(system_)) : -1;
  }
  // The rank beside the lane's adapter, from which chains begin.
  std::vector<int> chain(std::size_t node, std::size_t lane) const {
    auto order = way(node, lane).order;
    if (graph_.alternates && node % system_.node_count() % 2 == 1)
      std::ranges::reverse(order);
    return order;
  }
  int head(std::size_t node, std::size_t lane) const { return chain(node, lane).front(); }

  void add_chains(std::size_t lane, double weight) {
    for (std::size_t node = 0; node < system_.node_count(); ++node) {
      const auto here = chain(node, lane);
      for (std::size_t i = 0; i + 1 < here.size(); ++i) {
        add_inside(here[i], here[i + 1], weight);
        add_inside(here[i + 1], here[i], weight);
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
          add_between(static_cast<int>(from), static_cast<int>(to), std::max(0, sender.rail), std::max(0, sender.rail),
                      weight);
      }
  }

  // Each GPU sends all of its vector to the switches of its node, which add, and gets the sum.
  void add_switch(int channels) {
    for (const auto& node : system_.nodes)
      for (std::size_t i = 0; i < node.size(); ++i)
        add_inside(node[i], node[(i + 1) % node.size()], channels);
  }

  // Inside nodes to the ranks beside adapters, by which a part of the vector goes up to the switches that add, and
  // comes back. A gather is the second half; a Reduce-scatter, the first, is its mirror image.
  void add_collnet(GpuPattern pattern, int channels) {
    const bool is_gather = pattern == GpuPattern::collnet_gather || pattern == GpuPattern::collnet_nvls_gather;
    if (pattern == GpuPattern::collnet_nvls || pattern == GpuPattern::collnet_nvls_gather)
      add_switch(channels);
    const double weight = channels / static_cast<double>(lanes());
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
      if (pattern == GpuPattern::collnet_chain)
        add_chains(lane, weight);
      if (pattern == GpuPattern::collnet_direct || pattern == GpuPattern::collnet_gather)
        for (std::size_t node = 0; node < system_.node_count(); ++node) {
          const int top = head(node, lane);
          for (const int rank : system_.nodes[node]) {
            add_inside(top, rank, weight);
            add_inside(rank, top, is_gather ? 0 : weight);
          }
        }
      add_sum(lane, is_gather ? weight / static_cast<double>(system_.node_count()) : weight, weight);
    }
  }

  // Each adapter's part to its switch and the sum back; what passes between two switches passes once.
  void add_sum(std::size_t lane, double up, double down) {
    std::set<std::size_t> passed;
    const auto& platform = *system_.platform;
    for (std::size_t node = 0; node < system_.node_count(); ++node) {
      const auto from = device(head(node, lane)), to = device(head(node + 1, lane));
      const auto leaves = memory_for(from), enters = memory_for(to);
      add_pcie(from, leaves, up);
      add_pcie(enters, to, down);
      const auto way = system_.network_way(leaves, enters, rail_of(lane), rail_of(lane));
      if (!way)
        return loads_.add(way, 0, shares_);
      double weight = up;
      for (const auto channel : way->channels) {
        const bool is_link = channel < 2 * platform.links.size();
        const auto& link = platform.links[is_link ? channel / 2 : 0];
        const auto end = channel % 2 == 0 ? link.to : link.from, begin = channel % 2 == 0 ? link.from : link.to;
        if (is_link && !platform.devices[begin].node && platform.devices[end].node)
          weight = down;
        if (!is_link || platform.devices[begin].node || platform.devices[end].node || passed.insert(channel).second)
          loads_.add_channel(channel, weight, shares_.between);
      }
    }
  }

  const GpuSystem& system_;
  const GpuGraph& graph_;
  Shares shares_;
  Loads loads_;
};

} // namespace

ChannelRate rate_of(const GpuSystem& system, const GpuGraph& graph, GpuPattern pattern, int channels, Shares shares) {
  return Flows(system, graph, shares).of(pattern, channels).slowest();
}

std::map<std::size_t, double> loads_of(const GpuSystem& system, const GpuGraph& graph, GpuPattern pattern,
                                       int channels) {
  return Flows(system, graph, {}).of(pattern, channels).all();
}

} // namespace kakehashi
