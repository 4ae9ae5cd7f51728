#include "input/platform/part_readers.hpp"

#include <algorithm>
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
    auto device = read_fields<Device>(list[i], at, {}, faults);
    const auto refuse = [&](const char* key, std::string_view takers) {
      faults.add(at + "/" + key, fmt::format("devices of kind {} do not take this key; {} do",
                                             name_of(device_kind_names, device.kind), takers));
    };
    if (const auto& memory = device.memory;
        memory && !memory->bandwidth && !(memory->channels && memory->transfers) &&
        (memory->channels || memory->transfers || (!memory->cache && !memory->cache_rate)))
      faults.add(at + "/memory", "there is no \"bandwidth\"; expected that, or \"channels\" and \"transfers\"");
    read_memories(list[i], at, device, faults);
    if (device.memory && !can_run_ranks(device.kind))
      refuse("memory", "cpu, coprocessor, gpu and dpu");
    if (device.compute && device.kind != DeviceKind::gpu)
      refuse("compute", "gpu");
    if (device.adds && device.kind != DeviceKind::network_switch)
      refuse("sharp", "switch");
    if (device.message_rate > 0 && !is_adapter(device.kind))
      refuse("message_rate", "hca, nic, peach2 and tofu");
    if (device.duplex_bandwidth && can_run_ranks(device.kind))
      refuse("duplex_bandwidth", "hca, nic, peach2, switch and tofu");
    const auto names = names_in(device.name, at + "/name", faults);
    if (names)
      check_name(names->front(), at + "/name", faults);
    for (const auto& name : names.value_or(std::vector<std::string>())) {
      device.name = name;
      if (!seen.insert(name).second)
        faults.add(at + "/name", mismatch("the device " + in_quotes(name) + " twice", "each only once"));
      devices.push_back(device);
    }
  }
}

// Returns the devices that one end of a link's entry names; none, with a fault, if some are no devices.
std::optional<std::vector<std::size_t>> find_ends(const json& text, const std::string& place,
                                                  const std::map<std::string, std::size_t>& index,
                                                  const std::vector<Device>& devices, Faults& faults) {
  const auto names = names_in(text.get<std::string>(), place, faults);
  if (!names)
    return std::nullopt;
  std::vector<std::size_t> ends;
  for (const auto& name : *names) {
    const auto found = index.find(name);
    if (found == index.end()) {
      faults.add(place, mismatch(in_quotes(name) + ", which is no device here", "the name of a device"),
                 closest(name, names_of(devices)));
      return std::nullopt;
    }
    ends.push_back(found->second);
  }
  return ends;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// Returns the pairs of devices that an entry joins: one device with each of a range; two ranges of equal length device
// by device; or the devices of one range each with each.
Pairs read_pairs(const json& between, const std::string& place, const std::map<std::string, std::size_t>& index,
                 const std::vector<Device>& devices, Faults& faults) {
  const auto from = find_ends(between[0], place + "/0", index, devices, faults);
  const auto to = find_ends(between[1], place + "/1", index, devices, faults);
  Pairs pairs;
  if (!from || !to)
    return pairs;
  if (from->size() > 1 && *from == *to && from->size() * (from->size() - 1) / 2 > most_links) {
    faults.add(place, mismatch("more links", fmt::format("at most {}", most_links)));
    return pairs;
  }
  if (from->size() > 1 && *from == *to) {
    for (std::size_t i = 0; i < from->size(); ++i)
      for (auto j = i + 1; j < from->size(); ++j)
        pairs.emplace_back((*from)[i], (*from)[j]);
    return pairs;
  }
  if (from->size() != to->size() && from->size() != 1 && to->size() != 1)
    faults.add(place, mismatch(fmt::format("{} and {} devices", from->size(), to->size()),
                               "one and any number of them, or as many at both ends"));
  else
    for (std::size_t i = 0; i < std::max(from->size(), to->size()); ++i)
      pairs.emplace_back((*from)[i % from->size()], (*to)[i % to->size()]);
  return pairs;
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
    auto link = read_link(entry, at, faults);
    for (const auto& [from, to] : read_pairs(entry["between"], at + "/between", index, devices, faults)) {
      if (from == to)
        faults.add(at + "/between",
                   mismatch("a link from " + in_quotes(devices[from].name) + " to itself", "two devices"));
      if (!seen.emplace(std::min(from, to), std::max(from, to), link.type).second)
        faults.add(at + "/between", mismatch(fmt::format("a second {} link between {} and {}", name_of(link.type),
                                                         devices[from].name, devices[to].name),
                                             "a single link with the capacity of both"));
      link.from = from;
      link.to = to;
      links.push_back(link);
    }
  }
}

// Returns an empty list if there is none.
const json& list_in(const json& object, const char* key) {
  static const json no_list = json::array();
  return object.contains(key) ? object[key] : no_list;
}

std::string link_name(const Link& link, const std::vector<Device>& devices) {
  return fmt::format("{}-{}:{}", devices[link.from].name, devices[link.to].name, name_of(link.type));
}

} // namespace

NodeTemplate read_template(const json& body, const std::string& place, Faults& faults) {
  NodeTemplate made_of;
  read_devices(body["devices"], place + "/devices", made_of.devices, faults);
  read_links(list_in(body, "links"), place + "/links", made_of.devices, made_of.links, faults);
  return made_of;
}

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
  static const json no_map = json::object();
  const auto map_in = [&](const char* key) -> const json& { return root.contains(key) ? root[key] : no_map; };

  NodeTemplates templates;
  for (const auto& [name, body] : map_in("templates").items()) {
    templates[name] = read_template(body, pointer_to("/templates", name), faults);
  }
  if (root.contains("tofu"))
    read_torus(root["tofu"], templates, platform, faults);
  const std::set<std::string> in_torus(platform.nodes.begin(), platform.nodes.end());
  auto taken = in_torus;
  for (const auto& [text, template_name] : map_in("nodes").items()) {
    const auto at = pointer_to("/nodes", text);
    const auto* made_of = find_template(template_name, at, templates, faults);
    const auto names = names_in(text, at, faults);
    if (names)
      check_name(names->front(), at, faults);
    for (const auto& name : names.value_or(std::vector<std::string>())) {
      if (!taken.insert(name).second)
        faults.add(at, in_torus.contains(name)
                           ? mismatch(in_quotes(name) + ", which is a node of \"tofu\"", "another name")
                           : mismatch("the node " + in_quotes(name) + " twice", "each only once"));
      if (made_of && platform.devices.size() + made_of->devices.size() > most_devices)
        return faults.add(at, mismatch("more devices", fmt::format("at most {}", most_devices)));
      if (made_of && platform.links.size() + made_of->links.size() > most_links)
        return faults.add(at, mismatch("more links", fmt::format("at most {}", most_links)));
      if (made_of)
        add_node(name, *made_of, platform);
    }
  }
  std::vector<Device> loose;
  read_devices(list_in(root, "devices"), "/devices", loose, faults);
  platform.devices.insert(platform.devices.end(), loose.begin(), loose.end());
  if (root.contains("networks"))
    read_networks(root["networks"], platform, faults);
  read_links(list_in(root, "links"), "/links", platform.devices, platform.links, faults);
  for (auto& link : platform.links)
    link.name = link_name(link, platform.devices);
  if (platform.devices.empty() && faults.empty())
    faults.add("", "there are no devices; expected \"nodes\" or \"tofu\" with \"templates\", or \"devices\"");
}

} // namespace kakehashi
