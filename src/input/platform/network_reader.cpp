#include "input/platform/part_readers.hpp"

#include "model/network_shape.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

using nlohmann::json;

// A key that only some kinds of networks take.
struct KindKey {
  std::string_view name;
  std::vector<NetworkKind> kinds;
  bool is_needed = false;
};
std::span<const KindKey> kind_keys() {
  using enum NetworkKind;
  static const std::vector<KindKey> keys{{"ports", {fat_tree}},
                                         {"levels", {fat_tree}},
                                         {"taper", {fat_tree}},
                                         {"group_links", {dragonfly}},
                                         {"uplink", {fat_tree, dragonfly}},
                                         {"shape", {dragonfly, mesh, torus}, true}};
  return keys;
}

bool check_keys(const json& body, NetworkKind kind, const std::string& place, Faults& faults) {
  bool whole = true;
  for (const auto& key : kind_keys()) {
    const std::string name(key.name);
    const bool takes = std::ranges::count(key.kinds, kind) > 0;
    if (body.contains(name) && !takes)
      faults.add(pointer_to(place, name),
                 fmt::format("a network of kind {} does not take this key", name_of(network_kind_names, kind)));
    if (!body.contains(name) && takes && key.is_needed) {
      faults.add(place, fmt::format("the key {} is missing; a network of kind {} needs it", in_quotes(name),
                                    name_of(network_kind_names, kind)));
      whole = false;
    }
  }
  return whole;
}

NetworkShape read_shape(const json& body, NetworkKind kind) {
  NetworkShape shape;
  shape.kind = kind;
  shape.ports = body.value("ports", shape.ports);
  if (body.contains("levels"))
    shape.levels = body["levels"].get<std::size_t>();
  shape.taper = body.value("taper", shape.taper);
  shape.points = body.value("shape", shape.points);
  shape.group_links = body.value("group_links", shape.group_links);
  shape.adds = body.value("sharp", shape.adds);
  return shape;
}

using DeviceIndex = std::map<std::string, std::size_t>;

// Returns the devices that the network joins; none, with faults, if some are no devices.
std::optional<std::vector<std::size_t>> read_joined(const json& list, const std::string& place,
                                                    const Platform& platform, const DeviceIndex& index,
                                                    Faults& faults) {
  std::vector<std::size_t> joined;
  std::set<std::size_t> seen;
  bool whole = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto at = pointer_to(place, i);
    const auto names = names_in(list[i].get<std::string>(), at, faults);
    whole = whole && names;
    for (const auto& name : names.value_or(std::vector<std::string>())) {
      const auto found = index.find(name);
      if (found != index.end() && seen.insert(found->second).second) {
        joined.push_back(found->second);
        continue;
      }
      std::vector<std::string> known;
      for (const auto& device : platform.devices)
        known.push_back(device.name);
      if (found == index.end())
        faults.add(at, mismatch(in_quotes(name) + ", which is no device here", "the name of a device"),
                   closest(name, known));
      else
        faults.add(at, mismatch("the device " + in_quotes(name) + " twice", "each only once"));
      whole = false;
      break; // the rest of the range most likely has the same fault
    }
  }
  if (whole && joined.size() < 2) {
    faults.add(place, mismatch("a network of one device", "at least two devices"));
    return std::nullopt;
  }
  return whole ? std::optional(std::move(joined)) : std::nullopt;
}

// Returns `count` parallel links as one link.
Link side_by_side(Link link, std::size_t count) {
  if (count > 1 && (link.bandwidth || link.rating)) {
    const auto one = link.bandwidth ? *link.bandwidth : row_of(link.type).capacity(*link.rating);
    const auto times = static_cast<double>(count);
    link.bandwidth = Capacity{times * one.forward, times * one.backward};
  }
  return link;
}

// Adds a network of these devices. The names of its switches begin with its name.
void add_network(const std::string& name, const NetworkShape& shape, const std::vector<std::size_t>& joined,
                 const Link& link, const Link& uplink, const std::string& place, DeviceIndex& index, Platform& platform,
                 Faults& faults) {
  const auto wiring = wiring_of(shape);
  if (!wiring) {
    for (const auto& error : wiring.errors())
      faults.add(place + error.place, error.message);
    return;
  }
  if (platform.devices.size() + wiring->switches.size() > most_devices)
    return faults.add(place, mismatch("more devices", fmt::format("at most {}", most_devices)));
  const auto first = platform.devices.size();
  for (const auto& suffix : wiring->switches) {
    Device device;
    device.name = suffix.empty() ? name : name + "-" + suffix;
    device.kind = DeviceKind::network_switch;
    device.adds = shape.adds;
    if (!index.emplace(device.name, platform.devices.size()).second)
      faults.add(place, mismatch("the device " + in_quotes(device.name) + ", which is there already", "another name"));
    platform.devices.push_back(std::move(device));
  }
  const auto device_of = [&](std::size_t number) {
    return number < joined.size() ? joined[number] : first + number - joined.size();
  };
  for (const auto& wire : wiring->wires) {
    auto added = side_by_side(wire.from < joined.size() ? link : uplink, wire.cables);
    added.from = device_of(wire.from);
    added.to = device_of(wire.to);
    added.dimension = wire.dimension;
    platform.links.push_back(std::move(added));
  }
}

void read_network(const std::string& name, const json& body, DeviceIndex& index, Platform& platform, Faults& faults) {
  const auto at = pointer_to("/networks", name);
  check_name(name, at, faults);
  const auto kind = *read_name<NetworkKind>(body, "kind", network_kind_names);
  const auto joined = read_joined(body["joins"], at + "/joins", platform, index, faults);
  const auto link = read_link(body["link"], at + "/link", faults);
  const auto uplink = body.contains("uplink") ? read_link(body["uplink"], at + "/uplink", faults) : link;
  if (!check_keys(body, kind, at, faults) || !joined)
    return;
  const auto rails = body.value("rails", std::size_t{1});
  if (joined->size() % rails != 0 || joined->size() / rails < 2)
    return faults.add(at + "/rails", mismatch(fmt::format("{} rails for {} devices", rails, joined->size()),
                                              "as many devices on each rail, and at least two"));
  auto shape = read_shape(body, kind);
  shape.devices = joined->size() / rails;
  for (std::size_t rail = 0; rail < rails; ++rail) {
    std::vector<std::size_t> on_rail;
    for (auto i = rail; i < joined->size(); i += rails)
      on_rail.push_back((*joined)[i]);
    add_network(rails == 1 ? name : fmt::format("{}{}", name, rail), shape, on_rail, link, uplink, at, index, platform,
                faults);
  }
}

} // namespace

void read_networks(const json& networks, Platform& platform, Faults& faults) {
  DeviceIndex index;
  for (std::size_t i = 0; i < platform.devices.size(); ++i)
    index.emplace(platform.devices[i].name, i);
  for (const auto& [name, body] : networks.items())
    read_network(name, body, index, platform, faults);
}

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
  std::vector<std::size_t> controllers(torus.nodes()); // places are numbers of the nodes' points
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
