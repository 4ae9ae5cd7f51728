#include "report/page/machine_layout.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace kakehashi {
namespace {

constexpr std::size_t most_nodes = 8;
constexpr double device_height = 34;
constexpr double row_pitch = 66; // from a device to the one below it
constexpr double title_height = 22;
constexpr double padding = 10;
constexpr double group_gap = 22; // between sockets, where their link is seen
constexpr double lane_pitch = 13;
constexpr std::size_t most_lanes = 8; // more share them

// The nodes to draw: those with ranks, then those whose links are used, then others, each in their order.
std::vector<std::size_t> shown_nodes(const Machine& machine) {
  std::vector<int> weight(machine.nodes.size());
  const auto raise = [&](std::size_t device, int to) {
    if (const auto node = machine.devices[device].node)
      weight[*node] = std::max(weight[*node], to);
  };
  for (std::size_t i = 0; i < machine.devices.size(); ++i)
    if (!machine.devices[i].ranks.empty())
      raise(i, 2);
  for (const auto& link : machine.links)
    if (link.forward_use || link.backward_use) {
      raise(link.from, 1);
      raise(link.to, 1);
    }
  std::vector<std::size_t> nodes(machine.nodes.size());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  std::ranges::stable_sort(nodes, std::greater(), [&](std::size_t node) { return weight[node]; });
  // Nodes without anything to show stay away where others have it, unless there are only two.
  std::size_t count = std::min(most_nodes, nodes.size());
  while (count > 2 && weight[nodes[count - 1]] == 0)
    --count;
  nodes.resize(count);
  std::ranges::sort(nodes);
  return nodes;
}

// A node's devices as trees: sockets, and what hangs on each.
struct Tree {
  std::vector<std::size_t> roots;
  std::map<std::size_t, std::vector<std::size_t>> children;
};

Tree tree_of(const Machine& machine, std::size_t node) {
  std::map<std::size_t, std::vector<std::size_t>> neighbours;
  for (const auto& link : machine.links)
    if (!link.is_leg && machine.devices[link.from].node == node && machine.devices[link.to].node == node) {
      neighbours[link.from].push_back(link.to);
      neighbours[link.to].push_back(link.from);
    }
  Tree tree;
  std::vector<std::size_t> devices;
  for (std::size_t i = 0; i < machine.devices.size(); ++i)
    if (machine.devices[i].node == node) {
      devices.push_back(i);
      if (machine.devices[i].kind == "cpu")
        tree.roots.push_back(i);
    }
  std::set<std::size_t> placed(tree.roots.begin(), tree.roots.end());
  auto level = tree.roots;
  const auto grow = [&] {
    while (!level.empty()) {
      std::vector<std::size_t> next;
      for (const auto parent : level)
        for (const auto device : neighbours[parent])
          if (placed.insert(device).second) {
            tree.children[parent].push_back(device);
            next.push_back(device);
          }
      level = std::move(next);
    }
  };
  grow();
  for (const auto device : devices) // what hangs on no socket
    if (placed.insert(device).second) {
      tree.roots.push_back(device);
      level = {device};
      grow();
    }
  return tree;
}

std::size_t columns_of(const Tree& tree, std::size_t device) {
  const auto found = tree.children.find(device);
  if (found == tree.children.end())
    return 1;
  std::size_t columns = 0;
  for (const auto child : found->second)
    columns += columns_of(tree, child);
  return columns;
}

std::size_t depth_of(const Tree& tree, std::size_t device) {
  const auto found = tree.children.find(device);
  std::size_t depth = 0;
  if (found != tree.children.end())
    for (const auto child : found->second)
      depth = std::max(depth, depth_of(tree, child));
  return depth + 1;
}

// How much room a node needs.
struct NodeShape {
  Tree tree;
  std::size_t columns = 0;
  std::size_t depth = 0;

  double width(double column) const {
    return 2 * padding + column * static_cast<double>(columns) +
           group_gap * static_cast<double>(std::max<std::size_t>(1, tree.roots.size()) - 1);
  }
  double height() const {
    return title_height + padding + device_height + row_pitch * (static_cast<double>(depth) - 1);
  }
};

NodeShape shape_of(const Machine& machine, std::size_t node) {
  NodeShape shape{tree_of(machine, node), 0, 1};
  for (const auto root : shape.tree.roots) {
    shape.columns += columns_of(shape.tree, root);
    shape.depth = std::max(shape.depth, depth_of(shape.tree, root));
  }
  shape.columns = std::max<std::size_t>(1, shape.columns);
  return shape;
}

class Layouter {
public:
  Layouter(const Machine& machine, double width) : machine_(machine), width_(width) {}

  MachineLayout lay_out() {
    place_nodes();
    place_others();
    for (std::size_t i = 0; i < machine_.links.size(); ++i)
      place_link(i);
    return std::move(layout_);
  }

private:
  struct Place {
    PlacedBox box;
    std::optional<std::size_t> node;
    std::size_t row = 0; // of nodes; behind the last one: what belongs to no node
  };

  void place_device(const Tree& tree, std::size_t device, double left, double top, double column, std::size_t row) {
    const auto span = column * static_cast<double>(columns_of(tree, device));
    const PlacedBox box{left + 3, top, span - 6, device_height};
    places_[device] = {box, machine_.devices[device].node, row};
    layout_.devices.push_back({device, box});
    const auto children = tree.children.find(device);
    if (children == tree.children.end())
      return;
    for (const auto child : children->second) {
      place_device(tree, child, left, top + row_pitch, column, row);
      left += column * static_cast<double>(columns_of(tree, child));
    }
  }

  void place_node(std::size_t node, const NodeShape& shape, double left, double top, double column) {
    layout_.nodes.push_back({node, {left, top, shape.width(column), shape.height()}});
    double x = left + padding;
    for (const auto root : shape.tree.roots) {
      place_device(shape.tree, root, x, top + title_height, column, row_bottoms_.size());
      x += column * static_cast<double>(columns_of(shape.tree, root)) + group_gap;
    }
  }

  // As many nodes in a row as fit. Under each row there is room for lanes.
  void place_nodes() {
    const auto nodes = shown_nodes(machine_);
    std::vector<NodeShape> shapes;
    std::size_t columns = 1;
    for (const auto node : nodes) {
      shapes.push_back(shape_of(machine_, node));
      columns = std::max(columns, shapes.back().columns);
    }
    const double room = width_ - 2 * margin;
    const double fixed = 2 * padding + 2 * group_gap;
    const double column = std::clamp((room / 2 - fixed) / static_cast<double>(columns), 46.0, 64.0);
    const double lanes = lane_pitch * static_cast<double>(std::min(most_lanes, count_lanes(nodes))) + 12;
    double x = margin;
    double y = 6;
    double height = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double fits = std::min(column, (room - fixed) / static_cast<double>(shapes[i].columns));
      if (x > margin && x + shapes[i].width(fits) > width_ - margin) {
        row_bottoms_.push_back(y + height);
        y += height + lanes;
        x = margin;
        height = 0;
      }
      place_node(nodes[i], shapes[i], x, y, fits);
      x += shapes[i].width(fits) + 14;
      height = std::max(height, shapes[i].height());
    }
    row_bottoms_.push_back(y + height);
    layout_.height = y + height + lanes;
  }

  std::size_t count_lanes(const std::vector<std::size_t>& nodes) const {
    const auto shows = [&](std::size_t device) {
      const auto node = machine_.devices[device].node;
      return !node || std::ranges::find(nodes, *node) != nodes.end();
    };
    return static_cast<std::size_t>(std::ranges::count_if(machine_.links, [&](const MachineLink& link) {
      return machine_.devices[link.from].node != machine_.devices[link.to].node && shows(link.from) && shows(link.to);
    }));
  }

  // Switches in a row at the bottom, if something that is drawn is linked to them.
  void place_others() {
    std::set<std::size_t> others;
    for (const auto& link : machine_.links)
      for (const auto& [device, other] : {std::pair(link.from, link.to), std::pair(link.to, link.from)})
        if (!machine_.devices[device].node && places_.contains(other))
          others.insert(device);
    double x = margin;
    for (const auto device : others) {
      const PlacedBox box{x + 20, layout_.height, 96, device_height};
      places_[device] = {box, std::nullopt, row_bottoms_.size()};
      layout_.devices.push_back({device, box});
      x += 130;
    }
    if (!others.empty())
      layout_.height += device_height + 8;
  }

  // Inside a node straight down, or sideways between neighbours, or in an arc above what stands between.
  std::vector<Spot> inside(const PlacedBox& a, const PlacedBox& b, bool is_leg) {
    const double middle_a = a.left + a.width / 2;
    const double middle_b = b.left + b.width / 2;
    if (a.top != b.top) {
      const auto& upper = a.top < b.top ? a : b;
      const auto& lower = a.top < b.top ? b : a;
      const double x = lower.left + lower.width / 2;
      if (x > upper.left && x < upper.left + upper.width)
        return {{x, upper.top + upper.height}, {x, lower.top}};
      return {{upper.left + upper.width / 2, upper.top + upper.height}, {x, lower.top}};
    }
    const auto& left = a.left < b.left ? a : b;
    const auto& right = a.left < b.left ? b : a;
    if (!is_leg && right.left - left.left - left.width < 1.5 * group_gap)
      return {{left.left + left.width, a.top + a.height / 2}, {right.left, a.top + a.height / 2}};
    const double above = a.top - 6 - 5 * static_cast<double>(arcs_++ % 4);
    const double aside = 3 * static_cast<double>(arcs_ % 4);
    return {{middle_a + aside, a.top}, {middle_a + aside, above}, {middle_b - aside, above}, {middle_b - aside, b.top}};
  }

  // Each end of a device's links to other nodes has a place of its own.
  double port(std::size_t device) {
    const auto& box = places_.at(device).box;
    const auto used = static_cast<double>(ports_[device]++);
    const double from_middle = (std::fmod(used, 2) == 0 ? 1 : -1) * std::ceil(used / 2) * 9;
    return box.left + box.width / 2 + std::clamp(from_middle, 4 - box.width / 2, box.width / 2 - 4);
  }

  void place_link(std::size_t index) {
    const auto& link = machine_.links[index];
    const auto from = places_.find(link.from);
    const auto to = places_.find(link.to);
    if (from == places_.end() || to == places_.end())
      return;
    const auto& a = from->second;
    const auto& b = to->second;
    if (a.node && a.node == b.node) {
      layout_.links.push_back({index, inside(a.box, b.box, link.is_leg)});
      return;
    }
    const auto lane = static_cast<double>(lanes_++ % most_lanes) * lane_pitch + 10;
    const auto lane_of = [&](const Place& place) {
      return row_bottoms_[std::min(place.row, row_bottoms_.size() - 1)] + lane;
    };
    const auto end_of = [&](const Place& place) {
      return place.node ? place.box.top + place.box.height : place.box.top;
    };
    const double x_a = port(link.from);
    const double x_b = port(link.to);
    std::vector<Spot> spots{{x_a, end_of(a)}, {x_a, lane_of(a)}};
    if (lane_of(a) != lane_of(b)) {
      const double side = width_ - 5 - std::fmod(lane * 0.55, margin - 6);
      spots.insert(spots.end(), {{side, lane_of(a)}, {side, lane_of(b)}});
    }
    spots.insert(spots.end(), {{x_b, lane_of(b)}, {x_b, end_of(b)}});
    layout_.links.push_back({index, std::move(spots)});
  }

  static constexpr double margin = 12;
  const Machine& machine_;
  double width_;
  MachineLayout layout_;
  std::vector<double> row_bottoms_;
  std::map<std::size_t, Place> places_;
  std::map<std::size_t, int> ports_;
  int lanes_ = 0;
  int arcs_ = 0;
};

} // namespace

MachineLayout lay_out(const Machine& machine, double width) {
  return Layouter(machine, width).lay_out();
}

} // namespace kakehashi
