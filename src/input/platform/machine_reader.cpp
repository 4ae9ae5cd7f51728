#include "input/platform/machine_reader.hpp"

#include "input/platform/link_rating.hpp"
#include "input/platform/node_template.hpp"
#include "input/platform/torus_reader.hpp"

#include <fmt/format.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

using nlohmann::json;

std::vector<std::string> names_of(const std::vector<Device>& devices) {
  std::vector<std::string> names;
  for (const auto& device : devices)
    names.push_back(device.name);
  return names;
}

void read_devices(const json& list, const std::string& place, std::vector<Device>& devices, Faults& faults) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto at = pointer_to(place, i);
    Device device;
    device.name = list[i]["name"].get<std::string>();
    device.kind = *read_name<DeviceKind>(list[i], "kind", device_kind_names);
    device.memory_bandwidth = read_field(list[i], at, "memory_bandwidth", rate_text, faults);
    check_name(device.name, at + "/name", faults);
    if (!seen.insert(device.name).second)
      faults.add(at + "/name", mismatch("the device " + in_quotes(device.name) + " twice", "each only once"));
    if (device.memory_bandwidth && !can_run_ranks(device.kind))
      faults.add(at + "/memory_bandwidth",
                 fmt::format("devices of kind {} do not take this key; cpu, coprocessor and gpu do",
                             name_of(device_kind_names, device.kind)));
    devices.push_back(std::move(device));
  }
}

// Looks a link's end up among the devices by name.
std::optional<std::size_t> find_end(const json& name, const std::string& place,
                                    const std::map<std::string, std::size_t>& index, const std::vector<Device>& devices,
                                    Faults& faults) {
  const auto found = index.find(name.get<std::string>());
  if (found != index.end())
    return found->second;
  faults.add(place, mismatch(in_quotes(name.get<std::string>()) + ", which is no device here", "the name of a device"),
             closest(name.get<std::string>(), names_of(devices)));
  return std::nullopt;
}

void read_links(const json& list, const std::string& place, const std::vector<Device>& devices,
                std::vector<Link>& links, Faults& faults) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < devices.size(); ++i)
    index.emplace(devices[i].name, i);
  std::set<std::tuple<std::size_t, std::size_t, LinkType>> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const json& entry = list[i];
    const auto at = pointer_to(place, i);
    Link link;
    link.type = *read_link_type(entry, "type");
    link.latency = read_field(entry, at, "latency", seconds_text, faults).value_or(Seconds{0});
    if (entry.contains("bandwidth") && entry["bandwidth"].is_object()) {
      link.bandwidth = read_field(entry["bandwidth"], at + "/bandwidth", "forward", rate_text, faults);
      link.bandwidth_back = read_field(entry["bandwidth"], at + "/bandwidth", "backward", rate_text, faults);
    } else {
      link.bandwidth = read_field(entry, at, "bandwidth", rate_text, faults);
    }
    link.rating = read_rating(entry, link.type, at, faults);
    const auto from = find_end(entry["between"][0], at + "/between/0", index, devices, faults);
    const auto to = find_end(entry["between"][1], at + "/between/1", index, devices, faults);
    if (!from || !to)
      continue;
    if (from == to)
      faults.add(at + "/between",
                 mismatch("a link from " + in_quotes(devices[*from].name) + " to itself", "two devices"));
    if (!seen.emplace(std::min(*from, *to), std::max(*from, *to), link.type).second)
      faults.add(at + "/between", mismatch(fmt::format("a second {} link between {} and {}", name_of(link.type),
                                                       devices[*from].name, devices[*to].name),
                                           "a single link with the capacity of both"));
    link.from = *from;
    link.to = *to;
    links.push_back(std::move(link));
  }
}

std::string link_name(const Link& link, const std::vector<Device>& devices) {
  return fmt::format("{}-{}:{}", devices[link.from].name, devices[link.to].name, name_of(link.type));
}

} // namespace

void add_node(const std::string& name, const NodeTemplate& made_of, Platform& platform) {
  const std::size_t first = platform.devices.size();
  const std::size_t node = platform.nodes.size();
  platform.nodes.push_back(name);
  for (auto device : made_of.devices) {
    device.name = name + "." + device.name;
    device.node = node;
    platform.devices.push_back(std::move(device));
  }
  for (auto link : made_of.links) {
    link.from += first;
    link.to += first;
    platform.links.push_back(std::move(link));
  }
}

const NodeTemplate* find_template(const json& name, const std::string& place, const NodeTemplates& templates,
                                  Faults& faults) {
  const auto found = templates.find(name.get<std::string>());
  if (found != templates.end())
    return &found->second;
  std::vector<std::string> names;
  for (const auto& [known, made_of] : templates)
    names.push_back(known);
  faults.add(place, mismatch(show(name), "the name of a template"), closest(name.get<std::string>(), names));
  return nullptr;
}

void read_machine(const json& root, Platform& platform, Faults& faults) {
  static const json no_list = json::array();
  static const json no_map = json::object();
  const auto list_in = [](const json& object, const char* key) -> const json& {
    return object.contains(key) ? object[key] : no_list;
  };
  const auto map_in = [&](const char* key) -> const json& { return root.contains(key) ? root[key] : no_map; };

  NodeTemplates templates;
  for (const auto& [name, body] : map_in("templates").items()) {
    const auto at = pointer_to("/templates", name);
    auto& made_of = templates[name];
    read_devices(body["devices"], at + "/devices", made_of.devices, faults);
    read_links(list_in(body, "links"), at + "/links", made_of.devices, made_of.links, faults);
  }
  if (root.contains("tofu"))
    read_torus(root["tofu"], templates, platform, faults);
  const std::set<std::string> taken(platform.nodes.begin(), platform.nodes.end());
  for (const auto& [name, template_name] : map_in("nodes").items()) {
    const auto at = pointer_to("/nodes", name);
    check_name(name, at, faults);
    if (taken.contains(name))
      faults.add(at, mismatch(in_quotes(name) + ", which is a node of \"tofu\"", "another name"));
    const auto* made_of = find_template(template_name, at, templates, faults);
    if (made_of && platform.devices.size() + made_of->devices.size() > most_devices)
      return faults.add(at, mismatch("more devices", fmt::format("at most {}", most_devices)));
    if (made_of)
      add_node(name, *made_of, platform);
  }
  std::vector<Device> loose;
  read_devices(list_in(root, "devices"), "/devices", loose, faults);
  platform.devices.insert(platform.devices.end(), loose.begin(), loose.end());
  read_links(list_in(root, "links"), "/links", platform.devices, platform.links, faults);
  for (auto& link : platform.links)
    link.name = link_name(link, platform.devices);
  if (platform.devices.empty() && faults.empty())
    faults.add("", "there are no devices; expected \"nodes\" or \"tofu\" with \"templates\", or \"devices\"");
}

} // namespace kakehashi
