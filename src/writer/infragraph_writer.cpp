#include "writer/export_writer.hpp"
#include "writer/platform_writer.hpp"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

std::string_view choice_of(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::cpu: return "cpu";
  case DeviceKind::coprocessor:
  case DeviceKind::gpu: return "xpu";
  case DeviceKind::network_switch: return "switch";
  default: return "nic";
  }
}

// Gives links of the same type, rate and latency the same name.
class LinkNames {
public:
  std::string name_of(const Link& link) {
    const auto rate = link.bandwidth ? link.bandwidth->forward : row_of(link.type).capacity(*link.rating);
    const auto key = fmt::format("{}:{}:{}", link.type.row, rate.value, link.latency.value);
    const auto found = names_.find(key);
    if (found != names_.end())
      return found->second;
    const auto name = fmt::format("{}-{}", kakehashi::name_of(link.type), names_.size());
    Json physical{{"bandwidth", {{"choice", "gigabytes_per_second"}, {"gigabytes_per_second", rate.value / 1e9}}},
                  {"latency", {{"choice", "us"}, {"us", in_microseconds(link.latency)}}}};
    list_.push_back({{"name", name}, {"description", kakehashi::name_of(link.type)}, {"physical", physical}});
    return names_[key] = name;
  }
  const Json& list() const { return list_; }

private:
  std::map<std::string, std::string> names_;
  Json list_ = Json::array();
};

struct PartPlace {
  std::string device; // a device of InfraGraph is a kind of node
  std::string instance;
  std::string component; // with its index
};

// Describes a node's parts as text; nodes with equal texts are of one kind.
std::string make_of(const Platform& platform, std::size_t first, std::size_t last,
                    const std::vector<const Link*>& links) {
  std::string make;
  for (auto i = first; i < last; ++i)
    make += fmt::format("{} {};", platform.devices[i].local_name(), static_cast<int>(platform.devices[i].kind));
  for (const auto* link : links)
    make += fmt::format("{} {} {} {} {};", link->from - first, link->to - first, link->type.row,
                        link->bandwidth.value_or(Capacity{}).forward.value, link->latency.value);
  return make;
}

Json component(const std::string& name, DeviceKind kind) {
  const auto choice = std::string(choice_of(kind));
  return {{"name", name},
          {"description", name_of(device_kind_names, kind)},
          {"count", 1},
          {"choice", choice},
          {choice, Json::object()}};
}

} // namespace

void write_infragraph(const Platform& platform, std::ostream& out) {
  std::vector<PartPlace> members(platform.devices.size());
  std::map<std::string, std::string> kinds; // from the text to the device's name
  Json devices = Json::array(), instances = Json::array(), edges = Json::array();
  std::map<std::size_t, std::vector<const Link*>> inside;
  std::vector<const Link*> outside;
  for (const auto& link : platform.links) {
    const auto node = platform.devices[link.from].node;
    if (node && node == platform.devices[link.to].node)
      inside[*node].push_back(&link);
    else
      outside.push_back(&link);
  }
  for (std::size_t first = 0, last = 0; first < platform.devices.size(); first = last) {
    const auto node = platform.devices[first].node;
    for (last = first + 1; node && last < platform.devices.size() && platform.devices[last].node == node;)
      ++last;
    const auto links = node ? inside[*node] : std::vector<const Link*>{};
    const auto make = make_of(platform, first, last, links);
    const auto [kind, is_new] = kinds.emplace(make, fmt::format("device{}", kinds.size()));
    const auto instance = node ? platform.nodes[*node] : platform.devices[first].name;
    for (auto i = first; i < last; ++i)
      members[i] = {kind->second, instance, std::string(platform.devices[i].local_name()) + "[0]"};
    instances.push_back({{"name", instance}, {"device", kind->second}, {"count", 1}});
    if (!is_new)
      continue;
    LinkNames names;
    Json components = Json::array(), joins = Json::array();
    for (auto i = first; i < last; ++i)
      components.push_back(component(std::string(platform.devices[i].local_name()), platform.devices[i].kind));
    for (const auto* link : links)
      joins.push_back({{"ep1", {{"component", members[link->from].component}}},
                       {"ep2", {{"component", members[link->to].component}}},
                       {"scheme", "one2one"},
                       {"link", names.name_of(*link)}});
    devices.push_back({{"name", kind->second}, {"components", components}, {"links", names.list()}, {"edges", joins}});
  }
  LinkNames names;
  for (const auto* link : outside) {
    const auto end = [&](std::size_t device) {
      return Json{{"instance", members[device].instance + "[0]"}, {"component", members[device].component}};
    };
    edges.push_back(
        {{"ep1", end(link->from)}, {"ep2", end(link->to)}, {"scheme", "one2one"}, {"link", names.name_of(*link)}});
  }
  const Json root{{"name", platform.name},  {"description", "Made by kakehashi export"},
                  {"devices", devices},     {"links", names.list()},
                  {"instances", instances}, {"edges", edges}};
  out << root.dump(2) << '\n';
}

} // namespace kakehashi
