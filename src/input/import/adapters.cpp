#include "input/import/compose.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/import/assembly.hpp"
#include "input/import/text_parts.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

using DeviceNames = std::vector<std::string>;

// Adds an adapter for a network.
std::string add_adapter(Assembly& node, const Cable& cable, std::size_t socket) {
  const bool is_ethernet = name_of(cable.type) == "ethernet";
  const auto kind = is_ethernet ? DeviceKind::nic : DeviceKind::hca;
  auto name = fmt::format("{}{}", is_ethernet ? "nic" : "hca", devices_of(node, kind).size());
  node.devices.push_back({name, kind, assumed("the network needs an adapter, and the file has none for it")});
  node.devices.back().duplex_bandwidth = cable.both;
  const auto sockets = devices_of(node, DeviceKind::cpu);
  int generation = 3;
  while (generation < 6 && capacity_of(pcie_cable(generation, 16, {})) < capacity_of(cable))
    ++generation;
  node.links.push_back(
      {sockets[socket % sockets.size()], name, pcie_cable(generation, 16, assumed("a slot for the adapter"))});
  return name;
}

const PlannedDevice& device_of(const Assembly& node, const std::string& name) {
  return *std::ranges::find(node.devices, name, &PlannedDevice::name);
}

// The words that the file has for a device: bus ids and the system's names.
std::vector<std::string_view> labels_of(const PlannedDevice& device) {
  return device.source ? words_in(device.source->from) : std::vector<std::string_view>{};
}

bool is_bond(const Assembly& node, const std::string& adapter) {
  return std::ranges::any_of(labels_of(device_of(node, adapter)),
                             [](std::string_view label) { return label.find("bond") != std::string_view::npos; });
}

// Whether only switches of PCIe are between an adapter and a GPU.
bool is_near_gpu(const Assembly& node, const std::string& adapter) {
  DeviceNames found{adapter};
  std::set<std::string> seen{adapter};
  while (!found.empty()) {
    const auto at = found.back();
    found.pop_back();
    for (const auto& link : node.links)
      if (link.cable.type == link_type("pcie") && (link.from == at || link.to == at)) {
        const auto& next = link.from == at ? link.to : link.from;
        const auto kind = device_of(node, next).kind;
        if (kind == DeviceKind::gpu)
          return true;
        if (kind == DeviceKind::network_switch && seen.insert(next).second)
          found.push_back(next);
      }
  }
  return false;
}

// Divides adapters by a rule that some of them meet.
class Choice {
public:
  explicit Choice(DeviceNames all) : joining(std::move(all)) {}
  template <class Rule> void prefer(const Rule& meets, std::string_view why) {
    DeviceNames others;
    std::ranges::copy_if(joining, std::back_inserter(others), [&](const std::string& each) { return !meets(each); });
    if (others.empty() || others.size() == joining.size())
      return;
    std::erase_if(joining, [&](const std::string& each) { return !meets(each); });
    reasons.push_back(fmt::format("{} ({})", fmt::join(others, ", "), why));
    left_out.insert(left_out.end(), others.begin(), others.end());
  }

  DeviceNames joining, left_out, reasons;
};

Choice by_rule(const Assembly& node, LinkType type) {
  Choice choice(adapters_for(node, type));
  choice.prefer([&](const std::string& each) { return !is_bond(node, each); }, "bonds of ports");
  choice.prefer([&](const std::string& each) { return is_near_gpu(node, each); },
                "below no switch with a GPU, as adapters for storage are");
  BytesPerSecond fastest;
  for (const auto& each : choice.joining)
    fastest = std::max(fastest, slot_rate(node, each));
  choice.prefer([&](const std::string& each) { return slot_rate(node, each) >= 0.9 * fastest; }, "slower slots");
  return choice;
}

// Finds each stated adapter by its name in the node, or by one that the file has for it.
Result<DeviceNames> stated_adapters(const Assembly& node, const DeviceNames& wanted) {
  DeviceNames known, found;
  for (const auto& device : node.devices)
    if (device.kind == DeviceKind::hca || device.kind == DeviceKind::nic)
      known.push_back(device.name);
  for (const auto& name : wanted) {
    const auto match = std::ranges::find_if(known, [&](const std::string& each) {
      const auto labels = labels_of(device_of(node, each));
      return each == name || std::ranges::find(labels, name) != labels.end();
    });
    if (match == known.end())
      return usage_error(fmt::format("--adapters: {}", mismatch(in_quotes(name), fmt::format("adapters of the node: {}",
                                                                                             fmt::join(known, ", ")))));
    if (std::ranges::find(found, *match) == found.end())
      found.push_back(*match);
    if (device_of(node, *match).kind != device_of(node, found.front()).kind)
      return usage_error(fmt::format("--adapters: {} and {} are not for one network", found.front(), *match));
  }
  return found;
}

} // namespace

std::vector<std::string> adapters_for(const Assembly& node, LinkType type) {
  auto adapters = devices_of(node, name_of(type) == "infiniband" ? DeviceKind::hca : DeviceKind::nic);
  // InfiniBand adapters also carry Ethernet, and those that do both are often listed as InfiniBand.
  if (adapters.empty() && name_of(type) == "ethernet")
    adapters = devices_of(node, DeviceKind::hca);
  return adapters;
}

BytesPerSecond slot_rate(const Assembly& node, const std::string& adapter) {
  BytesPerSecond rate;
  for (const auto& link : node.links)
    if ((link.from == adapter || link.to == adapter) && link.cable.type == link_type("pcie"))
      rate = std::max(rate, capacity_of(link.cable));
  return rate;
}

Result<WantedAdapters> read_adapters(const std::string& text) {
  WantedAdapters adapters;
  if (text.empty())
    return adapters;
  const auto colon = text.rfind(':');
  const auto count = small_number_in(colon == std::string::npos ? text : text.substr(colon + 1));
  if (colon == std::string::npos && !count && !parse_cable(text) &&
      std::isalpha(static_cast<unsigned char>(text.front())) != 0) {
    adapters.names = split(text, ',');
    return adapters;
  }
  adapters.count = count.value_or(0);
  adapters.rate = colon == std::string::npos ? "" : text.substr(0, colon);
  if (!count || *count < 1 || *count > 64 || (colon != std::string::npos && !parse_cable(adapters.rate)))
    return usage_error(fmt::format("--adapters: got {}, expected a number from 1 to 64, a rate and a number such as "
                                   "NDR:1 or 100GbE:2, or names such as hca0,mlx5_3",
                                   in_quotes(text)));
  return adapters;
}

Errors choose_adapters(Assembly& node, const Cable& cable, const WantedAdapters& wanted, DeviceNames& notes) {
  if (!wanted.names.empty()) {
    auto found = stated_adapters(node, wanted.names);
    if (!found)
      return found.errors();
    node.adapters = std::move(*found);
    return {};
  }
  auto choice = by_rule(node, cable.type);
  node.adapters = std::move(choice.joining);
  const auto before = node.adapters.size();
  if (wanted.count >= before + choice.left_out.size() && !choice.left_out.empty())
    node.adapters = adapters_for(node, cable.type);
  else if (!choice.left_out.empty())
    notes.push_back(
        fmt::format("left out of the network: {}; --adapters NAME,NAME picks others", fmt::join(choice.reasons, ", ")));
  const auto own = node.adapters.size();
  const auto sockets = devices_of(node, DeviceKind::cpu).size();
  if (wanted.count == 0 && own == 0) {
    node.adapters.push_back(add_adapter(node, cable, 0));
    notes.push_back("the node has no adapter for this network; assumed: " + node.adapters.back() +
                    " on the first socket");
  }
  for (auto i = own; i < wanted.count; ++i)
    node.adapters.push_back(add_adapter(node, cable, i * sockets / wanted.count));
  if (own < wanted.count)
    notes.push_back(fmt::format("assumed: {}, dealt out to the sockets", counted(wanted.count - own, "more adapter")));
  if (wanted.count > 0 && own > wanted.count)
    notes.push_back(fmt::format("--adapters: the node has {} adapters for this network already, which stay", own));
  return {};
}

} // namespace kakehashi
