#include "report/page/machine_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

namespace kakehashi {
namespace {

constexpr std::size_t most_nodes = 8;
constexpr double others_gap = 34;         // between switches at the bottom
constexpr double cable_pitch = 7;         // cable pitch of parallel lines between nodes
constexpr std::size_t most_lanes = 8;     // with more, lines share them
constexpr double arc_pitch = least_pitch; // arc pitch of parallel lines inside a node
constexpr std::size_t most_arcs = 4;

// Whether all nodes have many GPUs, and the same devices with as many ranks.
bool are_alike(const Machine& machine) {
  using Seen = std::vector<std::tuple<std::string, std::string, std::size_t>>;
  std::vector<Seen> seen(machine.nodes.size());
  for (const auto& device : machine.devices)
    if (device.node)
      seen[*device.node].push_back({device.name.substr(device.name.find('.') + 1), device.kind, device.ranks.size()});
  const auto gpus = [](const Seen& node) {
    return std::ranges::count_if(node, [](const auto& device) { return std::get<1>(device) == "gpu"; });
  };
  return !seen.empty() && gpus(seen.front()) >= static_cast<std::ptrdiff_t>(many_gpus) &&
         std::ranges::all_of(seen, [&](const Seen& node) { return node == seen.front(); });
}

// Returns the nodes to draw: those with ranks, then those with used links, then others, each in their order.
std::vector<std::size_t> shown_nodes(const Machine& machine) {
  if (are_alike(machine))
    return {0};
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
  // Nodes without anything to show are left out if others have something, unless there are only two nodes.
  std::size_t count = std::min(most_nodes, nodes.size());
  while (count > 2 && weight[nodes[count - 1]] == 0)
    --count;
  nodes.resize(count);
  std::ranges::sort(nodes);
  return nodes;
}

class Layouter {
public:
  Layouter(const Machine& machine, double width) : machine_(machine), width_(width) {}

  MachineLayout lay_out() {
    const auto nodes = shown_nodes(machine_);
    const auto lanes = std::min(most_lanes, count_lanes(nodes));
    place_nodes(nodes, lanes);
    if (row_bottoms_.size() > 1 && lanes > 0) { // with a shaft for lines from row to row
      shaft_ = cable_pitch * static_cast<double>(lanes);
      layout_ = {};
      row_bottoms_.clear();
      places_.clear();
      place_nodes(nodes, lanes);
    }
    place_others();
    for (std::size_t i = 0; i < machine_.links.size(); ++i)
      place_link(i);
    return std::move(layout_);
  }

private:
  struct Place {
    PlacedBox box;
    std::optional<std::size_t> node;
    std::size_t row = 0; // number of the row of nodes; behind the last one are devices that belong to no node
  };

  void place_device(const DeviceTree& tree, std::size_t device, double left, double top, double column,
                    std::size_t row) {
    const auto span = column * static_cast<double>(columns_of(tree, device));
    const double inset = std::min(3.0, column / 12);
    const PlacedBox box{left + inset, top, span - 2 * inset, device_height};
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
    top += title_height;
    for (const auto& shelf : shape.shelves) {
      double x = left + node_padding;
      for (const auto root : shelf.roots) {
        place_device(shape.tree, root, x, top, column, row_bottoms_.size());
        x += column * static_cast<double>(columns_of(shape.tree, root)) + group_gap;
      }
      top += shelf.height() + row_pitch - device_height;
    }
    for (const auto bar : shape.tree.bars) {
      const PlacedBox box{left + node_padding, top, shape.width(column) - 2 * node_padding, bar_height};
      places_[bar] = {box, node, row_bottoms_.size()};
      layout_.devices.push_back({bar, box});
      top += bar_pitch;
    }
  }

  double room() const { return width_ - 2 * margin - shaft_; }

  // Places as many nodes in a row as fit. Lanes run under each row.
  void place_nodes(const std::vector<std::size_t>& nodes, std::size_t lanes) {
    std::vector<NodeShape> shapes;
    std::size_t columns = 1;
    for (const auto node : nodes) {
      shapes.push_back(shape_of(machine_, node, room()));
      columns = std::max(columns, shapes.back().columns());
    }
    const bool stands_for_all = nodes.size() == 1 && machine_.nodes.size() > 1;
    const double part = room() / (stands_for_all ? 1 : 2) - 2 * node_padding - 2 * group_gap;
    const double column = std::clamp(part / static_cast<double>(columns), 46.0, stands_for_all ? 96.0 : 64.0);
    const double below = cable_pitch * static_cast<double>(lanes) + 16;
    double x = margin;
    double y = 6;
    double height = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double fits = std::min(column, shapes[i].widest_column(room()));
      if (x > margin && x + shapes[i].width(fits) > margin + room()) {
        row_bottoms_.push_back(y + height);
        y += height + below;
        x = margin;
        height = 0;
      }
      place_node(nodes[i], shapes[i], x, y, fits);
      x += shapes[i].width(fits) + 14;
      height = std::max(height, shapes[i].height());
    }
    row_bottoms_.push_back(y + height);
    layout_.height = y + height + below;
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

  // Places switches in rows at the bottom, if something that is drawn is linked to them; they are as wide as their
  // cables need.
  void place_others() {
    std::map<std::size_t, std::size_t> cables;
    for (const auto& link : machine_.links)
      for (const auto& [device, other] : {std::pair(link.from, link.to), std::pair(link.to, link.from)})
        if (!machine_.devices[device].node && places_.contains(other))
          ++cables[device];
    double x = margin + 20;
    const double share = (width_ - 2 * margin - 20) / static_cast<double>(std::max<std::size_t>(1, cables.size()));
    const double least = std::clamp(share - others_gap, 48.0, 96.0);
    for (const auto& [device, count] : cables) {
      const double width = std::clamp(cable_pitch * static_cast<double>(count + 1), least, width_ - 2 * margin - 20);
      if (x > margin + 20 && x + width > width_ - margin) {
        x = margin + 20;
        layout_.height += device_height + 12;
      }
      const PlacedBox box{x, layout_.height, width, device_height};
      places_[device] = {box, std::nullopt, row_bottoms_.size()};
      layout_.devices.push_back({device, box});
      x += width + others_gap;
    }
    if (!cables.empty())
      layout_.height += device_height + 8;
  }

  // The ends of a device's links have separate places from its middle outwards, as long as there is room.
  static double port(const PlacedBox& box, std::size_t used, double pitch) {
    const auto aside = static_cast<std::size_t>(std::max(0.0, std::floor((box.width / pitch - 1) / 2)));
    const auto place = used % (2 * aside + 1);
    const double steps = static_cast<double>((place + 1) / 2);
    return box.left + box.width / 2 + (place % 2 == 0 ? steps : -steps) * pitch;
  }

  // Routes a line inside a node: straight down, sideways between neighbours, or in an arc above the lower device.
  std::vector<Spot> inside(const MachineLink& link) {
    const auto& from = places_.at(link.from);
    const auto& to = places_.at(link.to);
    const bool from_is_upper = from.box.top < to.box.top;
    const auto& upper = from_is_upper ? from.box : to.box;
    const auto& lower = from_is_upper ? to.box : from.box;
    const auto& narrow = upper.width < lower.width ? upper : lower;
    const auto& wide = upper.width < lower.width ? lower : upper;
    const double x = narrow.left + narrow.width / 2;
    if (upper.top < lower.top && x > wide.left && x < wide.left + wide.width)
      return {{x, upper.top + upper.height}, {x, lower.top}};
    const auto& left = from.box.left < to.box.left ? from.box : to.box;
    const auto& right = from.box.left < to.box.left ? to.box : from.box;
    const double apart = right.left - left.left - left.width;
    if (upper.top == lower.top && !link.is_leg && apart < 1.5 * group_gap)
      return {{left.left + left.width, left.top + left.height / 2}, {right.left, left.top + left.height / 2}};
    const double above = lower.top - 6 - arc_pitch * static_cast<double>(arcs_[*from.node]++ % most_arcs);
    const auto end = [&](std::size_t device, const PlacedBox& box) {
      return Spot{port(box, ++arc_ends_[device], arc_pitch), box.top + (box.top < lower.top ? box.height : 0)};
    };
    const auto a = end(link.from, from.box);
    const auto b = end(link.to, to.box);
    return {a, {a.x, above}, {b.x, above}, b};
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
      layout_.links.push_back({index, inside(link)});
      return;
    }
    const auto lane = cable_pitch * static_cast<double>(lanes_++ % most_lanes);
    const auto lane_of = [&](const Place& place) {
      return row_bottoms_[std::min(place.row, row_bottoms_.size() - 1)] + 8 + lane;
    };
    const auto end_of = [&](const Place& place) {
      return place.node ? place.box.top + place.box.height : place.box.top;
    };
    const double x_a = port(a.box, cable_ends_[link.from]++, cable_pitch);
    const double x_b = port(b.box, cable_ends_[link.to]++, cable_pitch);
    std::vector<Spot> spots{{x_a, end_of(a)}, {x_a, lane_of(a)}};
    if (lane_of(a) != lane_of(b)) {
      const double side = width_ - margin - lane;
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
  double shaft_ = 0;                              // its width, for lines from row to row
  std::map<std::size_t, std::size_t> cable_ends_; // number of cable ends of each device
  std::map<std::size_t, std::size_t> arc_ends_;   // number of arc ends of each device
  std::map<std::size_t, std::size_t> arcs_;       // number of arcs of each node
  std::size_t lanes_ = 0;
};

} // namespace

MachineLayout lay_out(const Machine& machine, double width) {
  return Layouter(machine, width).lay_out();
}

} // namespace kakehashi
