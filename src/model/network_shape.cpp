#include "model/network_shape.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_wires = 1000000;

Error fault(const char* place, std::string message) {
  return input_error("", place, std::move(message));
}

constexpr std::size_t rounded_up(std::size_t number, std::size_t by) {
  return (number + by - 1) / by;
}

// Returns the least divisor of `number` that is `least` or larger.
std::size_t divisor_from(std::size_t number, std::size_t least) {
  while (number % least != 0)
    ++least;
  return least;
}

// Adds `count` switches and returns the number of the first.
std::size_t add_switches(const NetworkShape& shape, std::string_view prefix, std::size_t count, Wiring& wiring) {
  const auto first = shape.devices + wiring.switches.size();
  for (std::size_t i = 0; i < count; ++i)
    wiring.switches.push_back(fmt::format("{}{}", prefix, i));
  return first;
}

Result<Wiring> one_switch(const NetworkShape& shape) {
  Wiring wiring{{""}, {}};
  for (std::size_t device = 0; device < shape.devices; ++device)
    wiring.wires.push_back({device, shape.devices});
  return wiring;
}

// A leaf has `up` links up. With two levels they go to spines. With three they go to the `up` middle switches of its
// pod, one to each; the middle switches with the same number in all pods share a set of spines.
Result<Wiring> fat_tree(const NetworkShape& shape) {
  const auto ports = shape.ports;
  const auto down = ports * shape.taper[0] / (shape.taper[0] + shape.taper[1]);
  const auto up = rounded_up(down * shape.taper[1], shape.taper[0]); // a port may be left, as 40 are 26, 13 and 1
  if (down == 0 || up == 0)
    return fault("/ports", fmt::format("{} ports cannot be parted as {}:{}", ports, shape.taper[0], shape.taper[1]));
  const auto leaves = rounded_up(shape.devices, down);
  const auto levels = shape.levels.value_or(shape.devices <= ports ? 1 : leaves <= ports ? 2 : 3);
  const auto pod = ports / 2; // leaves of a pod
  const auto room = levels == 1 ? ports : levels == 2 ? ports * down : ports * pod * down;
  if (shape.devices > room)
    return fault(shape.levels ? "/levels" : "/ports",
                 fmt::format("{} level{} of switches with {} ports have room for {} devices, not for {}", levels,
                             levels == 1 ? "" : "s", ports, room, shape.devices));
  if (levels == 1)
    return one_switch(shape);
  Wiring wiring;
  const auto first_leaf = add_switches(shape, "leaf", leaves, wiring);
  for (std::size_t device = 0; device < shape.devices; ++device)
    wiring.wires.push_back({device, first_leaf + device / down});
  if (levels == 2) {
    const auto spines = divisor_from(up, rounded_up(leaves * up, ports));
    const auto first_spine = add_switches(shape, "spine", spines, wiring);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
      for (std::size_t spine = 0; spine < spines; ++spine)
        wiring.wires.push_back({first_leaf + leaf, first_spine + spine, up / spines});
    return wiring;
  }
  const auto pods = rounded_up(leaves, pod);
  const auto first_middle = add_switches(shape, "middle", pods * up, wiring);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf)
    for (std::size_t middle = 0; middle < up; ++middle)
      wiring.wires.push_back({first_leaf + leaf, first_middle + leaf / pod * up + middle});
  const auto middle_up = ports - pod;
  // For each number of a middle switch.
  const auto spines = divisor_from(middle_up, rounded_up(pods * middle_up, ports));
  const auto first_spine = add_switches(shape, "spine", up * spines, wiring);
  for (std::size_t middle = 0; middle < pods * up; ++middle)
    for (std::size_t spine = 0; spine < spines; ++spine)
      wiring.wires.push_back({first_middle + middle, first_spine + middle % up * spines + spine, middle_up / spines});
  return wiring;
}

// The links of a group to other groups are on its routers in turn.
Result<Wiring> dragonfly(const NetworkShape& shape) {
  if (shape.points.size() != 3)
    return fault("/shape", "expected three numbers: groups, routers of a group, and devices of a router");
  const auto groups = shape.points[0], routers = shape.points[1], devices = shape.points[2];
  if (groups * routers * devices < shape.devices)
    return fault("/shape", fmt::format("the dragonfly has room for {} devices, not for {}", groups * routers * devices,
                                       shape.devices));
  if (groups * routers * routers + groups * groups * shape.group_links > most_wires)
    return fault("/shape", fmt::format("the dragonfly has more than {} links", most_wires));
  Wiring wiring;
  for (std::size_t group = 0; group < groups; ++group)
    add_switches(shape, fmt::format("group{}-router", group), routers, wiring);
  const auto router = [&](std::size_t group, std::size_t number) {
    return shape.devices + group * routers + number % routers;
  };
  for (std::size_t device = 0; device < shape.devices; ++device)
    wiring.wires.push_back({device, shape.devices + device / devices});
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t i = 0; i < routers; ++i)
      for (std::size_t j = 0; j < i; ++j)
        wiring.wires.push_back({router(group, i), router(group, j)});
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t other = 0; other < group; ++other) {
      const auto first = wiring.wires.size();
      for (std::size_t link = 0; link < shape.group_links; ++link) {
        const auto from = router(group, other * shape.group_links + link);
        const auto to = router(other, (group - 1) * shape.group_links + link);
        const auto same = std::find_if(wiring.wires.begin() + static_cast<std::ptrdiff_t>(first), wiring.wires.end(),
                                       [&](const Wire& wire) { return wire.from == from && wire.to == to; });
        if (same == wiring.wires.end())
          wiring.wires.push_back({from, to});
        else
          ++same->cables;
      }
    }
  return wiring;
}

// Joins neighbours along each dimension, the first of which runs fastest. A ring of two points has one link.
Result<Wiring> grid(const NetworkShape& shape, const std::vector<std::size_t>& points, bool closes) {
  std::size_t all = 1;
  for (const auto along : points)
    all = std::min(all * along, most_wires);
  if (points.empty() || all != shape.devices)
    return fault("/shape", fmt::format("the points along all dimensions make {}, expected {}, one for each device",
                                       points.empty() ? 0 : all, shape.devices));
  Wiring wiring;
  for (std::size_t point = 0; point < all; ++point) {
    std::size_t stride = 1;
    int dimension = 0;
    for (const auto along : points) {
      const auto at = point / stride % along;
      ++dimension;
      if (at + 1 < along)
        wiring.wires.push_back({point, point + stride, 1, dimension});
      else if (closes && along > 2)
        wiring.wires.push_back({point, point - at * stride, 1, dimension});
      stride *= along;
    }
  }
  return wiring;
}

Result<Wiring> all_to_all(const NetworkShape& shape) {
  if (shape.devices * shape.devices > 2 * most_wires)
    return fault("", fmt::format("the network has more than {} links", most_wires));
  Wiring wiring;
  for (std::size_t i = 0; i < shape.devices; ++i)
    for (std::size_t j = i + 1; j < shape.devices; ++j)
      wiring.wires.push_back({i, j});
  return wiring;
}

} // namespace

Result<Wiring> wiring_of(const NetworkShape& shape) {
  switch (shape.kind) {
  case NetworkKind::one_switch: return one_switch(shape);
  case NetworkKind::fat_tree: return fat_tree(shape);
  case NetworkKind::dragonfly: return dragonfly(shape);
  case NetworkKind::ring: return grid(shape, {shape.devices}, true);
  case NetworkKind::mesh: return grid(shape, shape.points, false);
  case NetworkKind::torus: return grid(shape, shape.points, true);
  case NetworkKind::all_to_all: break;
  }
  return all_to_all(shape);
}

} // namespace kakehashi
