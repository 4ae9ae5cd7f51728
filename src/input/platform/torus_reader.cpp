#include "input/platform/part_readers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// Returns the device of the template that the network's links join.
std::optional<std::size_t> find_controller(const NodeTemplate& node, const std::string& place, const json& name,
                                           Faults& faults) {
  const auto is_controller = [](const Device& device) { return device.kind == DeviceKind::tofu; };
  const auto& devices = node.devices;
  const auto count = static_cast<std::size_t>(std::count_if(devices.begin(), devices.end(), is_controller));
  if (count == 1)
    return static_cast<std::size_t>(std::find_if(devices.begin(), devices.end(), is_controller) - devices.begin());
  faults.add(place, mismatch(fmt::format("{}, which has {} of kind tofu", show(name), counted(count, "device")),
                             "a template that has one"));
  return std::nullopt;
}

void add_links(const Link& pattern, Platform& platform) {
  const auto& torus = *platform.torus;
  const auto box = torus.box();
  std::vector<std::size_t> controllers(torus.nodes()); // by the number of the node's point
  for (std::size_t node = 0; node < torus.nodes(); ++node)
    controllers[point_number(torus, torus_point(torus, box_point(box, node)))] =
        node * torus.devices_per_node + torus.controller;
  for (std::size_t node = 0; node < torus.nodes(); ++node) {
    const auto point = torus_point(torus, box_point(box, node));
    for (std::size_t axis = 0; axis < point.size(); ++axis)
      if (const auto next = neighbour_up(torus, point, axis)) {
        auto link = pattern;
        link.from = controllers[point_number(torus, point)];
        link.to = controllers[point_number(torus, *next)];
        platform.links.push_back(std::move(link));
      }
  }
}

} // namespace

void read_torus(const json& tofu, const NodeTemplates& templates, Platform& platform, Faults& faults) {
  Torus torus;
  for (std::size_t axis = 0; axis < 3; ++axis)
    torus.extent[axis] = tofu["shape"][axis].get<int>();
  const auto job = std::ranges::find(job_shape_names, tofu.value("job", "box"));
  torus.job = static_cast<JobShape>(job - job_shape_names.begin());
  Link link;
  link.type = link_type("tofu");
  link = read_link(tofu["link"], "/tofu/link", faults, link);
  const auto* node = find_template(tofu["node"], "/tofu/node", templates, faults);
  const auto controller = node ? find_controller(*node, "/tofu/node", tofu["node"], faults) : std::nullopt;
  if (!controller)
    return;
  torus.devices_per_node = node->devices.size();
  torus.links_per_node = node->links.size();
  torus.controller = *controller;
  if (torus.nodes() * torus.devices_per_node > most_devices)
    return faults.add("/tofu/shape", mismatch(fmt::format("{} devices", torus.nodes() * torus.devices_per_node),
                                              fmt::format("at most {}", most_devices)));
  for (std::size_t i = 0; i < torus.nodes(); ++i) {
    const auto [x, y, z] = box_point(torus.box(), i);
    add_node(fmt::format("x{}y{}z{}", x, y, z), *node, platform);
  }
  platform.torus = torus;
  add_links(link, platform);
}

} // namespace kakehashi
