#include "gpu/system.hpp"

#include "gpu/rings.hpp"
#include "input/library/gpu_library_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

const LinkType nvlink = link_type("nvlink");

bool is_outside(LinkType type) {
  return type == link_type("infiniband") || type == link_type("ethernet");
}

bool contains_word(std::string_view text, std::string_view word) {
  const auto at = text.find(word);
  const auto ends = at + word.size();
  return at != std::string_view::npos &&
         (ends == text.size() || std::isalnum(static_cast<unsigned char>(text[ends])) == 0);
}

BytesPerSecond nvlinks_of(const Platform& platform, std::size_t device) {
  BytesPerSecond sum{};
  for (const auto& link : platform.links) {
    if (link.type != nvlink || (link.from != device && link.to != device))
      continue;
    const auto far_end = link.from == device ? link.to : link.from;
    if (platform.devices[far_end].kind == DeviceKind::cpu) // NVLink to the processor
      continue;
    sum += link.from == device ? capacity_of(link).forward : capacity_of(link).backward;
  }
  return sum;
}

// The nodes of ranks: a node of the platform, or several whose GPUs one switch of NVLinks joins.
void deal_to_nodes(GpuSystem& system) {
  std::map<std::size_t, int> known; // by node of the platform, or by switch outside nodes
  const auto& platform = *system.platform;
  std::map<std::size_t, std::size_t> outer; // GPU → a switch of NVLinks outside its node
  for (const auto& link : platform.links)
    if (link.type == nvlink)
      for (const auto& [gpu, other] : {std::pair{link.from, link.to}, std::pair{link.to, link.from}})
        if (platform.devices[gpu].kind == DeviceKind::gpu && !platform.devices[other].node)
          outer[gpu] = other;
  for (auto& rank : system.ranks) {
    const auto far = outer.find(rank.device);
    const auto key = far != outer.end()
                         ? platform.nodes.size() + far->second
                         : platform.devices[rank.device].node.value_or(platform.nodes.size() + rank.device);
    const auto [found, is_new] = known.emplace(key, static_cast<int>(system.nodes.size()));
    if (is_new)
      system.nodes.emplace_back();
    auto& node = system.nodes[static_cast<std::size_t>(found->second)];
    rank.node = found->second;
    rank.local = static_cast<int>(node.size());
    node.push_back(static_cast<int>(&rank - system.ranks.data()));
  }
  const auto first = system.nodes.front().size();
  if (std::ranges::all_of(system.nodes, [&](const auto& node) { return node.size() == first; }))
    system.per_node = first;
}

// The adapters of a node of the platform that lead out of it.
std::vector<std::size_t> adapters_of(const Platform& platform, std::size_t node) {
  std::set<std::size_t> found;
  for (const auto& link : platform.links)
    for (const auto& [near, far] : {std::pair{link.from, link.to}, std::pair{link.to, link.from}})
      if (platform.devices[near].node == node && is_adapter(platform.devices[near].kind) && is_outside(link.type) &&
          platform.devices[far].node != node)
        found.insert(near);
  return {found.begin(), found.end()};
}

// Gives each rank of a node the nearest adapter; of several as near ones, each in turn.
void deal_rails(GpuSystem& system, const std::vector<int>& node, std::vector<std::size_t>& rails) {
  const auto& platform = *system.platform;
  const auto home = platform.devices[system.ranks[static_cast<std::size_t>(node.front())].device].node;
  const auto adapters = home ? adapters_of(platform, *home) : std::vector<std::size_t>{};
  std::map<std::size_t, std::size_t> taken; // by adapter: ranks
  for (const int number : node) {
    auto& rank = system.ranks[static_cast<std::size_t>(number)];
    std::pair<std::size_t, std::size_t> least{~std::size_t{0}, 0};
    std::optional<std::size_t> best;
    for (const auto adapter : adapters) {
      const auto way = system.pcie_way(rank.device, adapter);
      if (!way)
        continue;
      const std::pair cost{way->links.size(), taken[adapter]};
      if (cost < least) {
        least = cost;
        best = adapter;
      }
    }
    if (!best)
      continue;
    ++taken[*best];
    auto place = std::ranges::find(rails, *best);
    if (place == rails.end())
      place = rails.insert(rails.end(), *best);
    rank.rail = static_cast<int>(place - rails.begin());
  }
}

void look_inside(GpuSystem& system) {
  const auto& node = system.nodes.front();
  const auto first = system.ranks[static_cast<std::size_t>(node.front())].device;
  system.line = nvlinks_of(*system.platform, first);
  for (const auto& link : system.platform->links)
    if (link.type == nvlink && (link.from == first || link.to == first))
      system.has_switch |=
          system.platform->devices[link.from == first ? link.to : link.from].kind == DeviceKind::network_switch;
  // The library looks for a ring of NVLinks; without one its ring takes PCIe as seldom as it must.
  auto joints = joints_of(system, 1, 1, 1, false);
  auto bounced = joints_of(system, 1, 1, 1, true);
  auto worst = GpuWay::nvlink;
  const bool has_ring = node.size() < 2 || !take_ring(joints).empty() || !take_ring(bounced).empty();
  const auto ring = has_ring ? std::vector<int>{} : ring_with_gaps(joints_of(system, 1, 1, 1, false));
  const auto device = [&](int local) {
    return system.ranks[static_cast<std::size_t>(node[static_cast<std::size_t>(local)])].device;
  };
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto from = device(ring[i]), to = device(ring[(i + 1) % ring.size()]);
    if (system.nvlink_way(from, to))
      continue;
    const auto way = system.pcie_way(from, to);
    worst = std::max(worst, way && !system.passes_host(*way) ? GpuWay::pcie : GpuWay::host);
  }
  system.inside = node.size() > 1 ? worst : GpuWay::nvlink;
}

std::string_view library_for(const Device& device) {
  for (const std::string_view amd : {"MI2", "MI3", "MI5", "MI6", "MI1"})
    if (device.model.find(amd) != std::string::npos)
      return "rccl";
  return "nccl";
}

const GpuGeneration& generation_of(GpuSystem& system) {
  const auto& model = system.device_of(0).model;
  const std::string_view links = system.is_linked() ? "nvlink" : "pcie";
  for (const auto& each : system.library->generations)
    if (each.links == links && (each.until.number == 0 || system.version < each.until) &&
        (links == "pcie" || std::ranges::any_of(each.gpus, [&](const auto& gpu) { return contains_word(model, gpu); })))
      return each;
  // Without a model the rate of its NVLinks shows it.
  const GpuGeneration* nearest = nullptr;
  for (const auto& each : system.library->generations)
    if (each.links == links && (!nearest || std::abs(each.link_line.value * 18 - system.line.value) <
                                                std::abs(nearest->link_line.value * 18 - system.line.value)))
      nearest = &each;
  system.notes.push_back(
      fmt::format("assumed: the GPUs are {} ({}); \"model\" of a GPU states its type", nearest->name,
                  model.empty() ? "their model is not stated" : fmt::format("\"{}\" is unknown", model)));
  return *nearest;
}

const GpuAdapter& adapter_of(const GpuSystem& system) {
  const auto& device = system.platform->devices[system.rails.front()];
  for (const auto& each : system.library->adapters) {
    if (!each.models.empty()) {
      if (std::ranges::any_of(each.models,
                              [&](const auto& word) { return device.model.find(word) != std::string::npos; }))
        return each;
    } else if (system.rail_line >= each.from_line) {
      return each;
    }
  }
  return system.library->adapters.back();
}

BytesPerSecond line_of(const Platform& platform, std::size_t adapter) {
  BytesPerSecond line{};
  for (const auto& link : platform.links)
    if (is_outside(link.type) && (link.from == adapter || link.to == adapter))
      line += link.from == adapter ? capacity_of(link).forward : capacity_of(link).backward;
  return line;
}

// Whether what leaves the first node by any adapter passes switches that all add.
bool switches_add(const GpuSystem& system) {
  const auto& platform = *system.platform;
  const auto device = [&](std::size_t node) {
    return system.ranks[static_cast<std::size_t>(system.nodes[node].front())].device;
  };
  if (std::ranges::none_of(platform.devices, &Device::adds))
    return false;
  const auto lacks = [&](std::size_t end) {
    const auto& each = platform.devices[end];
    return !each.node && each.kind == DeviceKind::network_switch && !each.adds;
  };
  for (int rail = 0; rail < static_cast<int>(system.rails.size()); ++rail) {
    const auto way = system.network_way(device(0), device(1), rail, rail);
    if (!way || std::ranges::any_of(way->links, [&](std::size_t link) {
          return lacks(platform.links[link].from) || lacks(platform.links[link].to);
        }))
      return false;
  }
  return true;
}

std::optional<Error> find_rails(GpuSystem& system) {
  if (system.node_count() < 2)
    return std::nullopt;
  for (const auto& node : system.nodes) {
    std::vector<std::size_t> rails;
    deal_rails(system, node, rails);
    if (rails.empty())
      return run_error(fmt::format("the node of \"{}\" has no adapter that leads to other nodes, so its GPUs cannot "
                                   "reach those of \"{}\"",
                                   system.device_of(node.front()).name,
                                   system.device_of(system.nodes.back().front()).name));
    if (system.rails.empty())
      system.rails = std::move(rails);
  }
  system.rail_line = line_of(*system.platform, system.rails.front());
  system.adds = switches_add(system);
  system.adapters_are_near = std::ranges::all_of(system.nodes.front(), [&](int number) {
    const auto& rank = system.ranks[static_cast<std::size_t>(number)];
    const auto way = rank.rail < 0 ? Result<Route>(Errors{})
                                   : system.pcie_way(rank.device, system.rails[static_cast<std::size_t>(rank.rail)]);
    return way && !system.passes_host(*way);
  });
  system.adapter = as_measured(adapter_of(system), system.platform->gpu_library);
  return std::nullopt;
}

Errors check_ranks(const Platform& platform, const std::vector<std::size_t>& devices) {
  std::set<std::size_t> seen;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    const auto& device = platform.devices[devices[rank]];
    if (device.kind != DeviceKind::gpu)
      return {input_error("", "/ranks",
                          fmt::format("rank {} is on \"{}\", a {}, expected a GPU; {} joins GPUs only, and MPI's "
                                      "benchmarks, such as osu-allreduce, run anywhere",
                                      rank, device.name, name_of(device_kind_names, device.kind), "NCCL"))};
    if (!seen.insert(devices[rank]).second)
      return {input_error("", "/ranks",
                          fmt::format("two ranks are on \"{}\", expected one rank on each GPU", device.name))};
  }
  return {};
}

} // namespace

Result<GpuSystem> gpu_system(std::shared_ptr<const Platform> platform, std::shared_ptr<Topology> topology,
                             const std::vector<std::size_t>& devices, const GpuWishes& wishes,
                             const GpuHandicaps& handicaps) {
  if (auto errors = check_ranks(*platform, devices); !errors.empty())
    return errors;
  GpuSystem system;
  system.platform = std::move(platform);
  system.topology = std::move(topology);
  for (const auto device : devices)
    system.ranks.push_back({device, 0, 0, -1});
  deal_to_nodes(system);
  const auto& settings = system.platform->gpu_library;
  const auto name = settings.name.empty() ? library_for(system.device_of(0)) : std::string_view(settings.name);
  const auto& library = gpu_library(name);
  if (!library)
    return library.errors();
  system.library = library->get();
  system.version = settings.version.number > 0 ? settings.version : system.library->usual;
  for (const auto& release : system.library->releases)
    if (release.from <= system.version)
      system.release = &release;
  if (!system.release)
    return input_error(system.platform->file, "/gpu_library/version",
                       mismatch(to_text(system.version), fmt::format("{} from {} on", system.library->title,
                                                                     to_text(system.library->releases.front().from))));
  if (settings.version.number == 0)
    system.notes.push_back(fmt::format("assumed: {} {}; \"gpu_library\" of the platform states another release",
                                       system.library->title, to_text(system.version)));
  look_inside(system);
  if (wishes.is_direct && system.inside != GpuWay::nvlink)
    system.inside = *wishes.is_direct ? GpuWay::pcie : GpuWay::host;
  system.handicaps = handicaps;
  if (!handicaps.has_peers) {
    system.inside = GpuWay::host;
    system.line = {};
    system.has_switch = false;
  }
  if (const auto error = find_rails(system))
    return *error;
  system.generation = as_measured(generation_of(system), settings);
  system.is_intel = std::ranges::none_of(system.platform->devices, [](const Device& device) {
    return device.kind == DeviceKind::cpu &&
           (device.model.find("EPYC") != std::string::npos ||
            (device.memory && device.memory->source.from.find("EPYC") != std::string::npos));
  });
  return system;
}

} // namespace kakehashi
