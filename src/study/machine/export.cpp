#include "study/machine/machine_views.hpp"

#include "study/machine/exported_costs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

constexpr std::size_t most_hosts = 1000;
constexpr double small = 1e-3; // smaller differences from what links give need no link of their own

// Returns the latency that crossing a link of this type adds to each trip of any protocol.
Seconds added_latency(const Fabric& fabric, LinkType type) {
  Seconds added;
  for (const auto& adjustment : fabric.adjustments)
    if (adjustment.crosses == type && !adjustment.protocol)
      added += adjustment.latency;
  return added;
}

// What the links of a route give a lone message.
struct Given {
  Seconds latency;
  std::optional<BytesPerSecond> bandwidth; // none: there are no links
};

// Makes the network: all routes, and then the costs of the messages of one pair.
class Exporter {
public:
  Exporter(const Platform& platform, const Fabric& fabric)
      : platform_(platform), fabric_(fabric),
        topology_(platform), network_{platform.name, fabric.name, {}, {}, {}, {}, {}, {}} {
    for (std::size_t i = 0; i < platform.devices.size(); ++i)
      if (can_run_ranks(platform.devices[i].kind)) {
        devices_.push_back(i);
        network_.hosts.push_back(platform.devices[i].name);
      }
    for (const auto& link : platform.links) {
      const auto capacity = capacity_of(link);
      network_.links.push_back({link.name, capacity.forward, capacity.backward,
                                link.latency + added_latency(fabric, link.type), Sharing::duplex});
    }
  }

  std::size_t hosts() const { return devices_.size(); }

  // Finds the paths that messages of the fabric take. Some pairs may have none.
  void find_paths() {
    for (std::size_t i = 0; i < devices_.size(); ++i)
      for (std::size_t j = 0; j < devices_.size(); ++j) {
        auto way = make_way(platform_, topology_, fabric_, devices_[i], devices_[j]);
        if (way)
          paths_.emplace(std::pair(i, j), std::move(way->stages.front()));
      }
  }
  bool has_paths() const { return !paths_.empty(); }
  const Path* path(std::size_t from, std::size_t to) const {
    for (const auto& [ends, path] : paths_)
      if (path.from == from && path.to == to)
        return &path;
    return nullptr;
  }
  // The first pair of the widest scope that the fabric carries.
  const Path& widest() const {
    return std::ranges::max_element(paths_, {}, [](const auto& each) { return each.second.scope; })->second;
  }

  ExportedNetwork write(const Path& of_costs) {
    set_costs(of_costs);
    for (const auto& [ends, path] : paths_) {
      if (ends.first <= ends.second)
        add_route(ends.first, ends.second, path);
      if (const auto back = paths_.find({ends.second, ends.first}); ends.first < ends.second && back != paths_.end())
        add_route(ends.second, ends.first, back->second);
    }
    return std::move(network_);
  }

private:
  const Platform& platform_;
  const Fabric& fabric_;
  Topology topology_;
  ExportedNetwork network_;
  std::vector<std::size_t> devices_;
  std::map<std::pair<std::size_t, std::size_t>, Path> paths_;  // keys are hosts
  std::map<std::size_t, std::size_t> channel_links_;           // by channel that is no direction of a link
  std::map<std::pair<double, double>, std::size_t> own_links_; // by bandwidth and latency

  // Also the limited legs and the adapters' limits of both directions. Cores that copy load no links.
  std::vector<ExportedHop> hops_of(const Path& path) {
    std::vector<ExportedHop> hops;
    if (path.terms.rule->moved_by_cores || path.from == path.to)
      return hops;
    for (const auto channel : path.route.channels) {
      if (channel < 2 * platform_.links.size()) {
        hops.push_back({channel / 2, channel % 2 == 0});
        continue;
      }
      const auto& of = topology_.channels()[channel];
      const auto [found, is_new] = channel_links_.try_emplace(channel, network_.links.size());
      if (is_new)
        network_.links.push_back({of.name, of.capacity, of.capacity, {}, Sharing::shared});
      hops.push_back({found->second, true});
    }
    return hops;
  }

  Given given_by(const std::vector<ExportedHop>& hops) const {
    Given given;
    for (const auto& hop : hops) {
      const auto& link = network_.links[hop.link];
      const auto rate = hop.is_forward ? link.forward : link.backward;
      given.latency += link.latency;
      given.bandwidth = given.bandwidth ? std::min(*given.bandwidth, rate) : rate;
    }
    return given;
  }

  // The route of the pair whose costs all have gives its long messages their time for each byte.
  void set_costs(const Path& path) {
    constexpr Seconds least{1e-9};
    const auto latency = std::max(least, given_by(hops_of(path)).latency);
    const auto& channels = topology_.channels();
    auto bandwidth = BytesPerSecond{1 / longest_messages(path, channels).per_byte.value};
    network_.costs = costs_of(path, latency, bandwidth, channels);
    bandwidth = network_.costs.back().bandwidth_factor * bandwidth;
    network_.costs = costs_of(path, latency, bandwidth, channels);
    network_.first = platform_.devices[path.from].name;
    network_.second = platform_.devices[path.to].name;
  }

  // Adds a route. A link that no messages share gives it the time of the pair's long messages for each byte, and the
  // constant time of its short ones, as far as the links and the costs of all pairs do not.
  void add_route(std::size_t from, std::size_t to, const Path& path) {
    ExportedRoute route{from, to, hops_of(path)};
    const auto given = given_by(route.hops);
    const auto& channels = topology_.channels();
    const auto& first = network_.costs.front();
    const auto per_byte = longest_messages(path, channels).per_byte - core_time_of(network_.costs.back());
    auto bandwidth = per_byte.value > 0 ? BytesPerSecond{1 / per_byte.value} : BytesPerSecond{1e13};
    bool is_needed = !given.bandwidth || bandwidth < (1 - small) * *given.bandwidth;
    if (given.bandwidth)
      bandwidth = std::min(bandwidth, *given.bandwidth);
    const auto constant = shortest_messages(path, channels).constant - first.send - first.receive;
    auto latency = (1 / first.latency_factor) * constant - given.latency;
    if (latency <= small * given.latency)
      latency = {};
    else
      is_needed = true;
    if (is_needed)
      route.hops.push_back({own_link(bandwidth, latency), true});
    network_.routes.push_back(std::move(route));
  }

  std::size_t own_link(BytesPerSecond bandwidth, Seconds latency) {
    const auto [found, is_new] = own_links_.try_emplace({bandwidth.value, latency.value}, network_.links.size());
    if (is_new)
      network_.links.push_back(
          {fmt::format("protocol{}", own_links_.size()), bandwidth, bandwidth, latency, Sharing::none});
    return found->second;
  }
};

} // namespace

Result<ExportedNetwork> export_network(const Platform& platform, const Fabric& fabric,
                                       const std::optional<std::array<std::size_t, 2>>& between) {
  const auto fault = [&](std::string message) {
    return input_error(platform.file, "/fabrics/" + fabric.name, std::move(message));
  };
  if (!fabric.stages.empty())
    return fault("a fabric of stages has no routes of its own; expected one with links and rules");
  Exporter exporter(platform, fabric);
  if (exporter.hosts() > most_hosts)
    return fault(fmt::format("the platform has {} devices that ranks run on, expected at most {}: a route is written "
                             "for each pair of them",
                             exporter.hosts(), most_hosts));
  exporter.find_paths();
  if (!exporter.has_paths())
    return fault("no rule of the fabric applies to any two devices");
  if (!between)
    return exporter.write(exporter.widest());
  const auto [from, to] = *between;
  const auto* path = exporter.path(from, to);
  if (!path)
    return fault(
        fmt::format("the fabric does not join {} with {}", platform.devices[from].name, platform.devices[to].name));
  return exporter.write(*path);
}

} // namespace kakehashi
