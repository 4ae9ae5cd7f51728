#include "model/platform.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {

Capacity capacity_of(const Link& link) {
  return link.bandwidth ? *link.bandwidth : row_of(link.type).capacity(*link.rating);
}

// Xeon Phi x100 has eight channels, of which the host's software has four, and its own the others (Linux, MIC X100 DMA
// driver). That each transfer holds one of them is assumed.
int dma_engines_of(const Device& device) {
  return device.dma_engines > 0 ? device.dma_engines : device.kind == DeviceKind::coprocessor ? 4 : 0;
}

void assume_memories(Platform& platform) {
  std::vector<BytesPerSecond> fastest(platform.devices.size()); // direction of a device's links
  for (const auto& link : platform.links) {
    const auto capacity = capacity_of(link);
    for (const auto end : {link.from, link.to})
      fastest[end] = std::max({fastest[end], capacity.forward, capacity.backward});
  }
  for (std::size_t i = 0; i < platform.devices.size(); ++i) {
    auto& device = platform.devices[i];
    if (!can_run_ranks(device.kind))
      continue;
    const auto usual = usual_memory(device.kind);
    const bool states_cache = device.memory && device.memory->cache;
    auto& memory = device.memory ? *device.memory : device.memory.emplace();
    memory.cache = memory.cache.value_or(*usual.cache);
    if (memory.states_bandwidth())
      continue;
    // Whole GB/s, as messages state it.
    const auto least = gigabytes_per_second(std::ceil(2 * fastest[i].value / 1e9));
    memory.bandwidth = std::max(*usual.bandwidth, least);
    memory.usual = {SourceKind::assumed, fmt::format("{} GB/s", memory.bandwidth->value / 1e9)};
    if (!states_cache)
      memory.usual->from += fmt::format(", {} of cache", to_text(*memory.cache));
  }
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

bool is_hypothetical(const Platform& platform, const Fabric& fabric) {
  return std::ranges::any_of(parts_of(platform, fabric), &Fabric::hypothetical);
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

Error unknown_fabric(const Platform& platform, const std::optional<std::string>& name) {
  std::vector<std::string> names;
  for (const auto& fabric : platform.fabrics)
    names.push_back(fabric.name);
  const auto expected = names.empty() ? "a platform with fabrics"
                        : platform.file.empty()
                            ? fmt::format("{}", fmt::join(names, " or "))
                            : fmt::format("a fabric of {}: {}", platform.file, fmt::join(names, ", "));
  return input_error("", "/fabric", mismatch(name ? in_quotes(*name) : "none", expected),
                     name ? closest(*name, names) : "");
}

std::optional<GpuRelease> parse_gpu_release(std::string_view text) {
  const auto dot = text.find('.');
  const auto end = text.find('.', dot == std::string_view::npos ? dot : dot + 1);
  if (dot == std::string_view::npos || (end != std::string_view::npos && !number_in<int>(text.substr(end + 1))))
    return std::nullopt;
  const auto first = number_in<int>(text.substr(0, dot));
  const auto second = number_in<int>(text.substr(dot + 1, end == std::string_view::npos ? end : end - dot - 1));
  if (!first || !second || *first < 1 || *first > 99 || *second < 0 || *second > 999)
    return std::nullopt;
  return GpuRelease{*first * 1000 + *second};
}

std::string to_text(GpuRelease release) {
  return fmt::format("{}.{}", release.number / 1000, release.number % 1000);
}

} // namespace kakehashi
