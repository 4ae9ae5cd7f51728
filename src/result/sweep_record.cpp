#include "result/sweep_record.hpp"

#include <algorithm>
#include <map>

namespace kakehashi {

std::span<const SweepPoint> that_ran(const SweepRecord& record) {
  return std::span(record.points).first(record.points.size() - record.failed);
}

std::span<const SweepPoint> ties(const SweepRecord& record) {
  const auto points = that_ran(record);
  const auto is_worse = [&](const SweepPoint& point) {
    const auto &best = points.front().outcome, &other = point.outcome;
    return record.objective == Objective::time ? other.time > (1 + record.tolerance) * best.time
                                               : (1 + record.tolerance) * other.rate < best.rate;
  };
  return points.first(static_cast<std::size_t>(std::ranges::find_if(points, is_worse) - points.begin()));
}

const SweepPoint* default_of(const SweepRecord& record) {
  const auto points = that_ran(record);
  const auto found = std::ranges::find_if(points, &SweepPoint::is_default);
  return found == points.end() ? nullptr : &*found;
}

std::optional<double> gain(const SweepRecord& record, const SweepPoint& point) {
  const auto* usual = default_of(record);
  if (!usual)
    return std::nullopt;
  return record.objective == Objective::time ? usual->outcome.time / point.outcome.time - 1
                                             : point.outcome.rate / usual->outcome.rate - 1;
}

namespace {

// The number of ranks on each socket of each node, in the platform's order.
using NodeSlots = std::map<std::size_t, std::map<std::size_t, std::size_t>>; // node → socket → number of ranks

NodeSlots slots_of(const Platform& platform, const std::vector<std::size_t>& ranks) {
  NodeSlots slots;
  for (const auto device : ranks)
    ++slots[platform.devices[device].node.value_or(device)][device];
  return slots;
}

// Orders a node's ranks socket after socket, or by turns.
std::vector<std::size_t> in_node(std::map<std::size_t, std::size_t> sockets, bool by_turns) {
  std::vector<std::size_t> devices;
  for (bool is_left = true; is_left;) {
    is_left = false;
    for (auto& [device, count] : sockets) {
      const auto taken = by_turns ? std::min<std::size_t>(count, 1) : count;
      devices.insert(devices.end(), taken, device);
      count -= taken;
      is_left = is_left || count > 0;
    }
  }
  return devices;
}

} // namespace

std::optional<EvenPlaces> even_places(const Platform& platform, const std::vector<std::size_t>& ranks) {
  EvenPlaces places;
  for (const auto& [node, sockets] : slots_of(platform, ranks)) {
    std::size_t of_node = 0;
    for (std::size_t i = 0; i < platform.devices.size(); ++i)
      of_node += platform.devices[i].kind == DeviceKind::cpu && platform.devices[i].node == node;
    for (const auto& [device, count] : sockets) {
      const auto& of = platform.devices[device];
      if (of.kind != DeviceKind::cpu || !of.node || (places.ranks > 0 && places.ranks != count))
        return std::nullopt;
      places.ranks = count;
    }
    if (sockets.size() != of_node || (places.sockets > 0 && places.sockets != of_node))
      return std::nullopt;
    places.sockets = of_node;
    ++places.nodes;
  }
  return places.nodes > 0 ? std::optional(places) : std::nullopt;
}

std::vector<std::size_t> dealt_out(const Platform& platform, const std::vector<std::size_t>& ranks, LaunchOrder order) {
  std::vector<std::vector<std::size_t>> nodes;
  for (const auto& [node, sockets] : slots_of(platform, ranks))
    nodes.push_back(in_node(sockets, order == LaunchOrder::by_socket || order == LaunchOrder::by_both));
  std::vector<std::size_t> devices;
  if (order == LaunchOrder::block || order == LaunchOrder::by_socket) {
    for (const auto& node : nodes)
      devices.insert(devices.end(), node.begin(), node.end());
    return devices;
  }
  for (std::size_t turn = 0; devices.size() < ranks.size(); ++turn)
    for (const auto& node : nodes)
      if (turn < node.size())
        devices.push_back(node[turn]);
  return devices;
}

} // namespace kakehashi
