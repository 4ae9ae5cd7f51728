#include "report/page/machine_drawing.hpp"

#include <algorithm>
#include <set>

namespace kakehashi {
namespace {

constexpr double least_column = 25; // unless more is attached to one socket than fits

DeviceTree tree_of(const Machine& machine, std::size_t node) {
  std::map<std::size_t, std::vector<std::size_t>> neighbours;
  for (const auto& link : machine.links)
    if (!link.is_leg && machine.devices[link.from].node == node && machine.devices[link.to].node == node) {
      neighbours[link.from].push_back(link.to);
      neighbours[link.to].push_back(link.from);
    }
  const auto is_bar = [&](std::size_t device) {
    const auto& linked = neighbours[device];
    return machine.devices[device].kind == "switch" && linked.size() > 2 &&
           std::ranges::all_of(linked, [&](std::size_t other) { return machine.devices[other].kind == "gpu"; });
  };
  DeviceTree tree;
  std::vector<std::size_t> devices;
  for (std::size_t i = 0; i < machine.devices.size(); ++i)
    if (machine.devices[i].node == node) {
      devices.push_back(i);
      if (machine.devices[i].kind == "cpu")
        tree.roots.push_back(i);
      else if (is_bar(i))
        tree.bars.push_back(i);
    }
  std::set<std::size_t> placed(tree.roots.begin(), tree.roots.end());
  placed.insert(tree.bars.begin(), tree.bars.end());
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
  for (const auto device : devices) // those that are attached to no socket
    if (placed.insert(device).second) {
      tree.roots.push_back(device);
      level = {device};
      grow();
    }
  return tree;
}

double gaps_of(const Shelf& shelf) {
  return group_gap * (std::max(1.0, static_cast<double>(shelf.roots.size())) - 1);
}

} // namespace

std::size_t columns_of(const DeviceTree& tree, std::size_t device) {
  const auto found = tree.children.find(device);
  if (found == tree.children.end())
    return 1;
  std::size_t columns = 0;
  for (const auto child : found->second)
    columns += columns_of(tree, child);
  return columns;
}

std::size_t depth_of(const DeviceTree& tree, std::size_t device) {
  const auto found = tree.children.find(device);
  std::size_t depth = 0;
  if (found != tree.children.end())
    for (const auto child : found->second)
      depth = std::max(depth, depth_of(tree, child));
  return depth + 1;
}

double Shelf::width(double column) const {
  return column * static_cast<double>(columns) + gaps_of(*this);
}

double Shelf::height() const {
  return device_height + row_pitch * (static_cast<double>(depth) - 1);
}

std::size_t NodeShape::columns() const {
  return std::ranges::max(shelves, {}, &Shelf::columns).columns;
}

double NodeShape::width(double column) const {
  double widest = 0;
  for (const auto& shelf : shelves)
    widest = std::max(widest, shelf.width(column));
  return 2 * node_padding + widest;
}

double NodeShape::widest_column(double room) const {
  double widest = room;
  for (const auto& shelf : shelves)
    widest = std::min(widest, (room - 2 * node_padding - gaps_of(shelf)) / static_cast<double>(shelf.columns));
  return widest;
}

double NodeShape::height() const {
  double height = title_height + node_padding - (row_pitch - device_height);
  for (const auto& shelf : shelves)
    height += shelf.height() + row_pitch - device_height;
  return height + bar_pitch * static_cast<double>(tree.bars.size());
}

NodeShape shape_of(const Machine& machine, std::size_t node, double room) {
  NodeShape shape{tree_of(machine, node), {{}}};
  for (const auto root : shape.tree.roots) {
    const auto columns = columns_of(shape.tree, root);
    auto longer = shape.shelves.back();
    longer.roots.push_back(root);
    longer.columns += columns;
    longer.depth = std::max(longer.depth, depth_of(shape.tree, root));
    if (longer.roots.size() == 1 || 2 * node_padding + longer.width(least_column) <= room)
      shape.shelves.back() = std::move(longer);
    else
      shape.shelves.push_back({{root}, columns, depth_of(shape.tree, root)});
  }
  shape.shelves.front().columns = std::max<std::size_t>(1, shape.shelves.front().columns); // the node is empty
  return shape;
}

} // namespace kakehashi
