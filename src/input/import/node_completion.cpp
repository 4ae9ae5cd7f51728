#include "input/import/compose.hpp"

#include "input/import/assembly.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using DeviceNames = std::vector<std::string>;

// Whether the rate is assumed, and not its latency alone.
bool is_assumed(const Cable& cable) {
  return cable.source.kind == SourceKind::assumed && !cable.source.from.ends_with("; the latency is assumed");
}

DeviceNames adapters_of(const Assembly& node) {
  auto names = devices_of(node, DeviceKind::hca);
  const auto others = devices_of(node, DeviceKind::nic);
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

PlannedDevice& device_in(Assembly& node, const std::string& name) {
  return *std::ranges::find(node.devices, name, &PlannedDevice::name);
}
const PlannedDevice& device_in(const Assembly& node, const std::string& name) {
  return *std::ranges::find(node.devices, name, &PlannedDevice::name);
}

// Puts the parts of a sheet into a node of a file.
class Completion {
public:
  Completion(Assembly& node, const Assembly& sheet) : node_(node), sheet_(sheet) {
    for (const auto kind : {DeviceKind::cpu, DeviceKind::gpu})
      pair(devices_of(sheet, kind), devices_of(node, kind));
    own_adapters_ = adapters_of(node);
    pair(adapters_of(sheet), own_adapters_);
  }

  void add_models() {
    for (const auto& [known, own] : names_) {
      const auto& from = device_in(sheet_, known);
      auto& to = device_in(node_, own);
      if (from.kind == DeviceKind::cpu)
        continue;
      if (to.model.empty())
        to.model = from.model;
      if (!to.memory)
        to.memory = from.memory;
      if (!to.compute)
        to.compute = from.compute;
    }
  }

  // If the file has neither switches nor adapters, and only assumed slots, the sheet's slots take their places.
  void add_slots() {
    const bool has_switch = std::ranges::any_of(node_.links, [&](const PlannedLink& link) {
      return is_pcie(link) && device_in(node_, link.from).kind == DeviceKind::network_switch;
    });
    const bool states_slots = std::ranges::any_of(
        node_.links, [](const PlannedLink& link) { return is_pcie(link) && !is_assumed(link.cable); });
    const auto sockets = devices_of(node_, DeviceKind::cpu).size();
    if (!own_adapters_.empty() || has_switch || states_slots || sockets != devices_of(sheet_, DeviceKind::cpu).size())
      return;
    std::erase_if(node_.links, is_pcie);
    for (const auto& link : sheet_.links)
      if (is_pcie(link))
        copy(link, true);
  }

  void replace_assumed_slots() {
    for (auto& link : node_.links)
      if (is_pcie(link) && is_assumed(link.cable))
        if (const auto* like = like_slot(device_in(node_, link.to).kind))
          link.cable = *like;
  }

  // Each missing adapter gets the place that its nearest GPU has in the file, or is on a socket.
  void add_adapters() {
    if (!adapters_of(node_).empty())
      return;
    for (const auto& name : adapters_of(sheet_)) {
      const auto* slot = slot_of(sheet_, name);
      if (!slot)
        continue;
      std::string above;
      for (const auto& gpu : devices_of(sheet_, DeviceKind::gpu))
        if (const auto* near = slot_of(sheet_, gpu);
            above.empty() && names_.contains(gpu) && ((near && near->from == slot->from) || gpu == slot->from))
          if (const auto* own = slot_of(node_, names_.at(gpu)))
            above = gpu == slot->from ? names_.at(gpu) : own->from;
      if (above.empty() && device_in(sheet_, slot->from).kind == DeviceKind::cpu && names_.contains(slot->from))
        above = names_.at(slot->from);
      if (above.empty()) // its GPU is not in the file
        continue;
      node_.devices.push_back(device_in(sheet_, name));
      node_.links.push_back({above, name, slot->cable});
    }
  }

  // NVLinks and xGMI links are the sheet's, unless the file states their rates.
  void add_nvlinks() {
    const auto states_rate = [](const PlannedLink& link) { return is_nvlink(link) && !is_assumed(link.cable); };
    if (std::ranges::any_of(node_.links, states_rate))
      return;
    std::erase_if(node_.links, is_nvlink);
    std::erase_if(node_.devices, [](const PlannedDevice& device) { return device.name == "nvswitch"; });
    for (const auto& link : sheet_.links)
      if (is_nvlink(link))
        copy(link, false);
  }

private:
  static bool is_pcie(const PlannedLink& link) { return link.cable.type == link_type("pcie"); }
  static bool is_nvlink(const PlannedLink& link) { return link.cable.type == link_type("nvlink"); }

  void pair(const DeviceNames& known, const DeviceNames& own) {
    for (std::size_t i = 0; i < std::min(known.size(), own.size()); ++i)
      names_.emplace(known[i], own[i]);
  }

  static const PlannedLink* slot_of(const Assembly& parts, const std::string& name) {
    const auto found =
        std::ranges::find_if(parts.links, [&](const PlannedLink& link) { return is_pcie(link) && link.to == name; });
    return found == parts.links.end() ? nullptr : &*found;
  }

  const Cable* like_slot(DeviceKind kind) const {
    const auto is_like = [&](const PlannedLink& link) {
      const auto other = device_in(sheet_, link.to).kind;
      return is_pcie(link) && (other == kind || (is_adapter(kind) && is_adapter(other)));
    };
    const auto found = std::ranges::find_if(sheet_.links, is_like);
    return found == sheet_.links.end() ? nullptr : &found->cable;
  }

  // The device of the node that stands for one of the sheet; one that the file lacks is added, unless it is a GPU or
  // socket: the file has fewer of these.
  std::string own_name(const std::string& known) {
    if (const auto found = names_.find(known); found != names_.end())
      return found->second;
    const auto& device = device_in(sheet_, known);
    if (device.kind == DeviceKind::gpu || device.kind == DeviceKind::cpu)
      return "";
    node_.devices.push_back(device);
    return names_.emplace(known, known).first->second;
  }

  void copy(const PlannedLink& link, bool adds_adapters) {
    const auto leads_to_gpu = [&](const std::string& name) {
      return std::ranges::any_of(sheet_.links, [&](const PlannedLink& each) {
        return each.from == name && is_pcie(each) && device_in(sheet_, each.to).kind == DeviceKind::gpu &&
               names_.contains(each.to);
      });
    };
    const bool has_no_gpu = adds_adapters && (link.from.starts_with("pcie-switch")
                                                  ? !leads_to_gpu(link.from)
                                                  : link.to.starts_with("pcie-switch") && !leads_to_gpu(link.to));
    if (has_no_gpu)
      return;
    const auto from = own_name(link.from), to = own_name(link.to);
    if (!from.empty() && !to.empty())
      node_.links.push_back({from, to, link.cable});
  }

  Assembly& node_;
  const Assembly& sheet_;
  std::map<std::string, std::string> names_; // a device of the sheet: that of the node
  DeviceNames own_adapters_;                 // of the file
};

// Whether the words of the file's sockets are of the maker of the sheet's processor; also if they have none.
bool has_same_maker(const Assembly& node, std::string_view processor) {
  const auto& words = node.devices.front().source ? node.devices.front().source->from : "";
  const bool is_amd = words.find("AuthenticAMD") != std::string::npos;
  const bool is_intel = words.find("GenuineIntel") != std::string::npos;
  return (!is_amd && !is_intel) || (is_amd && processor.starts_with("EPYC")) ||
         (is_intel && processor.starts_with("Xeon"));
}

// The processor of the sheet, if the file names none.
Errors add_processor(Assembly& node, const Assembly& sheet) {
  const auto sockets = devices_of(node, DeviceKind::cpu).size(), wanted = devices_of(sheet, DeviceKind::cpu).size();
  DataSheet stated;
  const auto& first = node.devices.front();
  if (sockets != wanted && sockets == 1 && first.source && first.source->kind == SourceKind::assumed)
    stated.sockets = static_cast<int>(wanted);
  else if (sockets != wanted)
    return {};
  if (node.processor.empty() && has_same_maker(node, sheet.processor))
    stated.processor = sheet.processor;
  return stated.states_any() ? complete(node, stated) : Errors();
}

Errors other_gpus(const Assembly& node, const Assembly& sheet, const std::string& name) {
  const auto own = devices_of(node, DeviceKind::gpu), known = devices_of(sheet, DeviceKind::gpu);
  if (own.empty() || own.size() > known.size())
    return {usage_error(fmt::format("--node {}: it has {}, but the file has {}", name, counted(known.size(), "GPU"),
                                    own.empty() ? "none" : std::to_string(own.size())))};
  const auto& type = device_in(sheet, known.front()).model;
  for (const auto& gpu : own)
    if (const auto& model = device_in(node, gpu).model; !model.empty() && model != type)
      return {usage_error(fmt::format("--node {}: its GPUs are {}, but {} of the file is {}", name, type, gpu, model))};
  return {};
}

} // namespace

Errors complete(Assembly& node, const Assembly& sheet, const std::string& name, bool keeps_slots, DeviceNames& notes) {
  if (auto errors = other_gpus(node, sheet, name); !errors.empty())
    return errors;
  const auto note_count = [&](std::string_view what, std::size_t own, std::size_t known) {
    if (own != known && own > 0)
      notes.push_back(
          fmt::format("--node {}: it has {}, but the file has {}, which stand", name, counted(known, what), own));
  };
  note_count("GPU", devices_of(node, DeviceKind::gpu).size(), devices_of(sheet, DeviceKind::gpu).size());
  note_count("adapter", adapters_of(node).size(), adapters_of(sheet).size());
  if (auto errors = add_processor(node, sheet); !errors.empty())
    return errors;
  note_count("socket", devices_of(node, DeviceKind::cpu).size(), devices_of(sheet, DeviceKind::cpu).size());
  Completion completion(node, sheet);
  completion.add_models();
  if (!keeps_slots) {
    completion.add_slots();
    completion.replace_assumed_slots();
  }
  completion.add_adapters();
  completion.add_nvlinks();
  return {};
}

} // namespace kakehashi
