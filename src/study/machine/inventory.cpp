#include "study/machine/machine_views.hpp"

#include "study/run/scenario_run.hpp"

#include <algorithm>

namespace kakehashi {

std::vector<std::size_t> listed_devices(const Platform& platform, std::size_t& left_out) {
  std::vector<std::size_t> all, near;
  for (std::size_t i = 0; i < platform.devices.size(); ++i) {
    const auto& device = platform.devices[i];
    if (!can_run_ranks(device.kind))
      continue;
    all.push_back(i);
    if (device.node && *device.node < 2)
      near.push_back(i);
  }
  auto listed = all.size() <= most_listed ? all : near;
  listed.resize(std::min(listed.size(), most_listed));
  left_out = all.size() - listed.size();
  return listed;
}

namespace {

std::string links_of(const Way& way, const Platform& platform) {
  if (way.stages.size() != 1)
    return "stages";
  const auto text = links_text(platform, way.stages.front().route.links);
  return text.empty() ? "inside" : text;
}

// Returns none if the fabric does not join the two devices in both directions, as a ping-pong needs.
std::optional<PairFigures> figures_of(const std::shared_ptr<const Platform>& platform, const std::string& fabric,
                                      std::size_t from, std::size_t to) {
  Scenario scenario;
  scenario.platform = platform;
  scenario.fabric = fabric;
  scenario.ranks = {from, to};
  Benchmark benchmark;
  benchmark.sizes = {Bytes{8}, Bytes{4 << 20}};
  benchmark.repetitions = 1;
  scenario.workload = benchmark;
  const auto planned = plan(scenario, {EngineKind::fluid, 0.02, 0});
  if (!planned)
    return std::nullopt;
  const auto record = run(scenario, *planned);
  if (!record || record->table.figures.size() != 2)
    return std::nullopt;
  const auto& way = (*planned->ways)[*planned->ways->find(0, 1)];
  return PairFigures{links_of(way, *platform), record->table.figures[0].t_avg, record->table.figures[1].rate};
}

} // namespace

PlatformInventory inventory_of(const std::shared_ptr<const Platform>& platform) {
  PlatformInventory inventory;
  inventory.name = platform->name;
  inventory.file = platform->file;
  inventory.unit = platform->rate_unit;
  inventory.nodes = platform->nodes.size();
  for (std::size_t kind = 0; kind < device_kind_count; ++kind)
    if (const auto count = std::ranges::count(platform->devices, static_cast<DeviceKind>(kind), &Device::kind))
      inventory.kinds.emplace_back(device_kind_names[kind], static_cast<std::size_t>(count));
  const auto devices = listed_devices(*platform, inventory.left_out);
  for (const auto device : devices) {
    const auto& of = platform->devices[device];
    inventory.devices.push_back(of.name);
    inventory.device_kinds.emplace_back(device_kind_names[static_cast<std::size_t>(of.kind)]);
    inventory.device_nodes.push_back(of.node);
  }
  for (const auto& fabric : platform->fabrics) {
    FabricInventory found{fabric.name, is_hypothetical(*platform, fabric), {}};
    for (const auto from : devices) {
      auto& row = found.pairs.emplace_back();
      for (const auto to : devices)
        row.push_back(figures_of(platform, fabric.name, from, to));
    }
    inventory.fabrics.push_back(std::move(found));
  }
  return inventory;
}

} // namespace kakehashi
