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

// The highest speed of a ring over each adapter. A ring that comes back to its adapter passes each GPU's NVLinks; one
// that leaves by another GPU's adapter spares those of a GPU.
double speed_between(const GpuSystem& system, bool crosses) {
  const auto& generation = *system.generation;
  constexpr double line_of_payload = 1.03; // the library counts the line, links have what data gets of it
  double most = line_of_payload * system.rail_line.value / 1e9;
  const auto rings = system.rails.size() - (crosses && system.rails.size() == system.nodes.front().size() ? 1 : 0);
  if (system.has_switch && system.is_linked() && system.nodes.front().size() > 1 && rings > 0)
    most = std::min(most, system.line.value / generation.link_line.value * generation.link_rate.value / 1e9 /
                              static_cast<double>(rings));
  return step_below(most, generation.speeds_between);
}

void search_between(const GpuSystem& system, CrossNic cross_nic, GpuGraph& graph) {
  const auto rails = static_cast<double>(system.rails.size());
  const bool may_cross = system.rails.size() > 1 && cross_nic != CrossNic::never;
  graph.crosses = may_cross && (cross_nic == CrossNic::always || system.library->changes_adapter ||
                                speed_between(system, true) > speed_between(system, false));
  graph.alternates = graph.crosses && system.release->alternates && cross_nic != CrossNic::always;
  const double speed = speed_between(system, graph.crosses);
  graph.found = static_cast<int>(rails);
  graph.channels = std::min(system.generation->most_channels, 2 * graph.found);
  graph.between = rails * speed;
  if (graph.inside > 0 && !graph.crosses)
    graph.between = std::min(graph.inside, graph.between);
  if (graph.inside == 0)
    graph.inside = graph.between;
}

int listed_channels(const GpuSystem& system, int searched) {
  const auto& listed = system.generation->channels;
  const auto found = std::ranges::find_if(listed, [&](const GpuChannels& each) {
    return each.leaves == (system.node_count() > 1) && (each.ranks == 0 || each.ranks == system.per_node);
  });
  return found == listed.end() ? searched : found->channels;
}

} // namespace

GpuGraph search_channels(const GpuSystem& system, CrossNic cross_nic) {
  auto found = best_inside(system);
  GpuGraph graph;
  graph.inside = found.all();
  graph.found = static_cast<int>(found.rings.size());
  graph.rings = std::move(found.rings);
  const int splits = system.inside == GpuWay::nvlink && found.speed >= system.generation->splits_from ? 2 : 1;
  graph.channels = std::min(system.generation->most_channels, 2 * splits * graph.found);
  graph.between = graph.inside;
  if (system.node_count() > 1)
    search_between(system, cross_nic, graph);
  graph.channels = listed_channels(system, graph.channels);
  return graph;
}

std::size_t rails_of(const GpuSystem& system) {
  return system.node_count() > 1 ? system.rails.size() : 1;
}

RingWay ring_way(const GpuSystem& system, const GpuGraph& graph, std::size_t node, std::size_t lane) {
  const int rail = system.node_count() > 1 ? static_cast<int>(lane % rails_of(system)) : -1;
  RingWay way{ring_order(system, graph, node, lane / rails_of(system), rail), rail, rail};
  if (const int last = system.ranks[static_cast<std::size_t>(way.order.back())].rail; graph.crosses && last >= 0)
    way.out = last;
  if (graph.alternates && node % 2 == 1) {
    std::ranges::reverse(way.order);
    std::swap(way.in, way.out);
  }
  return way;
}

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

std::string ring_text(const GpuSystem& system, const GpuGraph& graph, std::size_t channel) {
  constexpr std::size_t most_shown = 9;
  const auto way = ring_way(system, graph, 0, channel);
  const auto& order = way.order;
  const auto name = [&](int rank) { return system.device_of(rank).local_name(); };
  const auto adapter = [&](int rail) {
    return system.platform->devices[system.rails[static_cast<std::size_t>(rail)]].local_name();
  };
  std::string text = system.device_of(order.front()).name;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order.size() <= most_shown || i < 4 || i + 2 > order.size())
      text += fmt::format(" -> {}", name(order[i]));
    else if (i == 4)
      text += " -> ...";
  if (system.node_count() == 1)
    return text + fmt::format(" -> {}", name(order.front()));
  if (const int out = handed_to(system, order.back(), way.out); out != order.back())
    text += fmt::format(" -> {}", name(out));
  text += fmt::format(", out by {}, and so on through {} nodes", adapter(way.out), system.node_count());
  if (way.out == way.in)
    return text;
  return text + (graph.alternates ? fmt::format(", every second one back to {}", adapter(way.in))
                                  : fmt::format(", into each by {}", adapter(way.in)));
}

std::string collnet_text(const GpuSystem& system, GpuAlgorithm algorithm) {
  const auto& first = system.platform->devices[system.rails.front()];
  const std::string_view inside = algorithm == GpuAlgorithm::collnet_chain ? "a chain of a node's GPUs"
                                  : algorithm == GpuAlgorithm::nvls        ? "the sum of a node's NVSwitches"
                                                                           : "a part from each GPU of a node";
  return fmt::format("{}: {} -> the GPU beside {}{}, up to the switches that add, once, and the sum back",
                     name_of(gpu_algorithm_names, algorithm), inside, first.local_name(),
                     system.rails.size() > 1 ? fmt::format(" or another of {} adapters", system.rails.size()) : "");
}

} // namespace kakehashi
