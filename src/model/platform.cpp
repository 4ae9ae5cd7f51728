#include "model/platform.hpp"

#include <fmt/format.h>

namespace kakehashi {

Memory usual_memory(DeviceKind kind) {
  const auto memory = [](double gigabytes, std::uint64_t mebibytes) {
    const auto text = fmt::format("{} GB/s, {} MiB of cache", gigabytes, mebibytes);
    return Memory{gigabytes_per_second(gigabytes), {}, {}, Bytes{mebibytes << 20}, {SourceKind::assumed, text}};
  };
  switch (kind) {
  case DeviceKind::coprocessor: return memory(150, 28);
  case DeviceKind::gpu: return memory(1000, 32);
  default: return memory(50, 20);
  }
}

Memory memory_in_use(const Device& device) {
  const auto usual = usual_memory(device.kind);
  auto memory = device.memory.value_or(usual);
  if (!memory.states_bandwidth()) {
    memory.bandwidth = usual.bandwidth;
    memory.source = {SourceKind::assumed, fmt::format("{} GB/s", usual.bandwidth->value / 1e9)};
  }
  return memory;
}

std::vector<const Fabric*> parts_of(const Platform& platform, const Fabric& fabric) {
  std::vector<const Fabric*> parts{&fabric};
  const auto add = [&](const std::string& name) {
    const auto of_part = parts_of(platform, *find_fabric(platform, name));
    parts.insert(parts.end(), of_part.begin(), of_part.end());
  };
  for (const auto& stage : fabric.stages)
    add(stage.fabric);
  if (fabric.by_scope)
    for (const auto& name : *fabric.by_scope)
      add(name);
  return parts;
}

std::vector<Regime> with_border(const std::vector<Regime>& regimes, std::size_t below, Bytes border) {
  std::vector<Regime> moved;
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    auto regime = regimes[i];
    if (i <= below)
      regime.to = i == below ? border : std::min(*regime.to, border);
    else
      regime.from = i == below + 1 ? border : std::max(regime.from, border);
    if (!regime.to || regime.from < *regime.to)
      moved.push_back(regime);
  }
  return moved;
}

} // namespace kakehashi
