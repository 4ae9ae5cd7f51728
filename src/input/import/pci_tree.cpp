#include "input/import/pci_tree.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "input/import/assembly.hpp"
#include "input/import/known_hardware.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace kakehashi {
namespace {

// Vendors' numbers in PCI.
constexpr std::uint32_t intel = 0x8086, amd = 0x1002, nvidia = 0x10de, nec = 0x1bcf, habana = 0x1da3;

// AMD's chips for the consoles of servers: Rage XL, ES1000 and its predecessors. Source: the PCI ID Repository.
bool is_console_chip(std::uint32_t device) {
  return device == 0x4752 || device == 0x5159 || device == 0x515e || device == 0x5969;
}

// Returns the kind of a card; none if no ranks run on it and no network is behind it. A display controller computes
// only if its vendor makes such cards: servers have small ones for their consoles. Classes: PCI Code and ID Assignment
// Specification.
std::optional<DeviceKind> kind_of(const PciPlace& place) {
  const auto base = place.class_id >> 8;
  if (place.is_bridge)
    return std::nullopt;
  if (base == 0x02) {
    const bool is_fabric = place.class_id == 0x0207 || place.class_id == 0x0208;
    return is_fabric || place.is_infiniband ? DeviceKind::hca : DeviceKind::nic;
  }
  if (base == 0x0c && place.class_id == 0x0c06) // InfiniBand, in old adapters
    return DeviceKind::hca;
  if (base == 0x0b || base == 0x12) {
    if (place.vendor == amd || place.vendor == nvidia)
      return DeviceKind::gpu;
    if (place.class_id == 0x0b40 || place.vendor == nec || place.vendor == habana)
      return DeviceKind::coprocessor;
  }
  if (base == 0x03) {
    const bool is_plain_display = place.class_id == 0x0300;
    if (place.vendor == nvidia || (place.vendor == amd && !is_console_chip(place.device)) ||
        (place.vendor == intel && !is_plain_display))
      return DeviceKind::gpu;
  }
  return std::nullopt;
}

std::string_view prefix_of(DeviceKind kind, std::uint32_t vendor) {
  switch (kind) {
  case DeviceKind::gpu: return "gpu";
  case DeviceKind::hca: return "hca";
  case DeviceKind::nic: return "nic";
  default: return vendor == intel ? "mic" : "acc";
  }
}

// A card's type as sold; empty: unknown.
std::string model_of(const PciPlace& place, DeviceKind kind, const ImportOptions& options) {
  const auto* by_name = kind == DeviceKind::gpu ? find_gpu_type(place.model) : nullptr;
  const auto by_number = model_by_number(place.vendor, place.device);
  const auto* other = kind != DeviceKind::gpu ? nullptr : place.type ? place.type : options.gpu;
  return std::string(by_name ? by_name->name : !by_number.empty() ? by_number : other ? other->name : "");
}

std::optional<Cable> slot_of(const PciPlace& place) {
  if (place.generation && place.lanes)
    return pcie_cable(*place.generation, *place.lanes, stated(place.known_from));
  if (!place.rate || place.rate->value <= 0)
    return std::nullopt;
  // Generation and lanes follow from the rate that a system states. Wide slots of old generations are tried first.
  constexpr double gigabytes[] = {0.25, 0.5, 64.0 / 65, 128.0 / 65, 256.0 / 65, 7.5625};
  for (const int lanes : {16, 8, 4, 2, 1, 32})
    for (int generation = 2; generation <= 6; ++generation)
      if (std::abs(gigabytes[generation - 1] * lanes * 1e9 / place.rate->value - 1) < 0.03)
        return pcie_cable(generation, lanes,
                          stated(place.known_from + "; of the slots with this rate, one is assumed"));
  if (std::abs(place.rate->value / 0.25e9 - 1) < 0.03)
    return pcie_cable(1, 1, stated(place.known_from));
  return stated_cable("pcie", *place.rate, stated(place.known_from));
}

// 16 lanes at 2.5 GT/s, to which links slow down to save power, have 4 GB/s.
constexpr auto rate_at_rest = gigabytes_per_second(4.1);

// "0000:82:00.1" → "0000:82".
std::string bus_of(const std::string& bus_id) {
  return bus_id.substr(0, bus_id.rfind(':'));
}
bool is_first_device(const std::string& bus_id) {
  const auto colon = bus_id.rfind(':');
  return colon != std::string::npos && bus_id.compare(colon + 1, 2, "00") == 0;
}
std::string card_of(const std::string& bus_id) {
  return bus_id.substr(0, bus_id.rfind('.'));
}

} // namespace

Cable usual_slot(DeviceKind kind, const ImportOptions& options, std::string_view program) {
  if (options.generation > 0)
    return pcie_cable(options.generation, 16, assumed(fmt::format("16 lanes of --pcie {}", options.generation)));
  if (options.gpu)
    return pcie_cable(options.gpu->generation, 16,
                      assumed(fmt::format("a slot as {} has; {} does not state it", options.gpu->name, program)));
  const auto source = assumed(fmt::format("a usual slot: {} does not state it", program));
  return kind == DeviceKind::nic           ? pcie_cable(2, 4, source)
         : kind == DeviceKind::hca         ? pcie_cable(3, 8, source)
         : kind == DeviceKind::coprocessor ? pcie_cable(2, 16, source)
                                           : pcie_cable(3, 16, source);
}

std::uint32_t hexadecimal(std::string_view text) {
  if (text.starts_with("0x"))
    text.remove_prefix(2);
  return number_in<std::uint32_t>(text, 16).value_or(0);
}

// A card, or a switch with the branches below it.
struct PciBuilder::Branch {
  std::optional<DeviceKind> kind; // none: a switch
  std::vector<const PciPlace*> functions;
  std::optional<Cable> slot; // the narrowest link above it, if known
  std::vector<Branch> below;

  bool computes() const {
    return kind ? can_run_ranks(*kind) : std::any_of(below.begin(), below.end(), std::mem_fn(&Branch::computes));
  }
};

std::vector<PciBuilder::Branch> PciBuilder::branches(const std::vector<PciPlace>& places) {
  std::vector<Branch> found;
  const auto same_card = [](const PciPlace& a, const PciPlace& b) {
    const bool virtual_ones = b.is_virtual || (bus_of(a.bus_id) == bus_of(b.bus_id) && is_first_device(a.bus_id));
    return a.bus_id.find('.') != std::string::npos && (card_of(a.bus_id) == card_of(b.bus_id) || virtual_ones);
  };
  for (const auto& place : places) {
    if (const auto kind = kind_of(place)) {
      const bool joins = *kind == DeviceKind::hca || *kind == DeviceKind::nic;
      const auto card = std::find_if(found.begin(), found.end(), [&](const Branch& branch) {
        return joins && branch.kind == kind && same_card(*branch.functions.front(), place);
      });
      if (card == found.end())
        found.push_back({kind, {&place}, slot_of(place), {}});
      else
        card->functions.push_back(&place);
      continue;
    }
    auto below = branches(place.below);
    if (place.bus_id.empty() || below.empty()) { // a host bridge, which is the socket itself
      std::move(below.begin(), below.end(), std::back_inserter(found));
    } else if (below.size() == 1) {
      auto& only = below.front();
      if (auto slot = slot_of(place); slot && (!only.slot || capacity_of(*slot) < capacity_of(*only.slot)))
        only.slot = std::move(slot);
      found.push_back(std::move(only));
    } else {
      found.push_back({std::nullopt, {&place}, slot_of(place), std::move(below)});
    }
  }
  return found;
}

void PciBuilder::connect(const std::string& above, const Branch& branch) {
  const auto& first = *branch.functions.front();
  const auto prefix = branch.kind ? prefix_of(*branch.kind, first.vendor) : "pcie-switch";
  const auto name = fmt::format("{}{}", prefix, counts_[std::string(prefix)]++);
  std::vector<std::string> labels;
  for (const auto* function : branch.functions) {
    names_[function->bus_id] = name;
    labels.push_back(function->bus_id);
    labels.insert(labels.end(), function->names.begin(), function->names.end());
  }
  labels.resize(std::min<std::size_t>(labels.size(), 8));
  parts_.devices.push_back(
      {name,
       branch.kind.value_or(DeviceKind::network_switch),
       stated(
           shortened(fmt::format("{}{}{}", first.model, first.model.empty() ? "" : ", ", fmt::join(labels, " ")), 200)),
       0,
       {},
       branch.kind ? model_of(first, *branch.kind, options_) : ""});
  auto slot = branch.slot;
  if (!slot)
    slot = usual_slot(branch.kind.value_or(DeviceKind::network_switch), options_, "the file");
  if (branch.slot && branch.computes() && capacity_of(*slot) < rate_at_rest)
    resting_.push_back(fmt::format("{} ({:.4g} GB/s)", name, capacity_of(*slot).value / 1e9));
  parts_.links.push_back({above, name, *slot});
  for (const auto& each : branch.below)
    connect(name, each);
}

std::vector<std::string> PciBuilder::notes() const {
  if (resting_.empty())
    return {};
  return {fmt::format("slots as slow as those of cards that rest: {}; make the file while the cards compute, or put "
                      "generation and lanes of the slots into the platform",
                      fmt::join(resting_, ", "))};
}

bool PciBuilder::add(const std::string& socket, const std::vector<PciPlace>& places) {
  const auto found = branches(places);
  for (const auto& branch : found)
    connect(socket, branch);
  return !found.empty();
}

} // namespace kakehashi
