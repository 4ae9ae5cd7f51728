#include "study/run/run_parts.hpp"

#include "base/text.hpp"
#include "topology/capacity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

// Returns what the links of each device can bring and take in all.
std::vector<BytesPerSecond> rates_of_links(const Platform& platform) {
  std::vector<BytesPerSecond> rates(platform.devices.size());
  for (const auto& link : platform.links)
    for (const auto end : {link.from, link.to})
      rates[end] = {rates[end].value + capacity_of(link).forward.value + capacity_of(link).backward.value};
  return rates;
}

// What is usual or stated, by place and text, since like devices may differ in it.
using Memories = std::map<std::pair<std::string, std::string>, Source>;
void add(const std::string& place, const Source& source, Memories& memories) {
  memories.emplace(std::pair(place, source.from), source);
}

// Returns the usual memories that may limit the messages on these ways.
Memories usual_memories(const Platform& platform, const WayTable& ways) {
  Memories memories;
  std::vector<BytesPerSecond> rates; // computed once they are needed
  for (const auto& way : ways.all())
    for (const auto& path : way.stages)
      for (const auto end : {path.from, path.to}) {
        const auto& device = platform.devices[end];
        const auto& memory = device.memory;
        if (!memory || !memory->usual)
          continue;
        if (rates.empty())
          rates = rates_of_links(platform);
        if (path.terms.rule->moved_by_cores || path.from == path.to || rates[end] > bandwidth_of(*memory))
          add(fmt::format("memory of a {}", name_of(device_kind_names, device.kind)), *memory->usual, memories);
      }
  return memories;
}

// Returns the regimes and adjustments that messages on these ways may have used.
std::vector<ParameterSource> sources_of(const Platform& platform, const WayTable& ways) {
  std::set<const Rule*> rules;
  std::set<const Adjustment*> adjustments;
  for (const auto& way : ways.all())
    for (const auto& path : way.stages) {
      rules.insert(path.terms.rule);
      for (std::size_t i = 0; i < path.terms.crossings.size(); ++i)
        if (path.terms.crossings[i] > 0)
          adjustments.insert(&path.terms.fabric->adjustments[i]);
    }
  auto memories = usual_memories(platform, ways);
  for (const auto& way : ways.all())
    for (const auto& path : way.stages)
      for (const auto end : {path.from, path.to}) {
        const auto& own = platform.devices[end];
        if (own.cores > 0 && !path.caches.empty())
          add(fmt::format("caches of a {}", name_of(device_kind_names, own.kind)),
              own.memory && own.memory->cache_rate
                  ? own.memory->source
                  : Source{SourceKind::assumed,
                           fmt::format("{:.6g} GB/s for each of its {}", core_rate_of(platform, own).value / 1e9,
                                       counted(static_cast<std::size_t>(own.cores), "core"))},
              memories);
      }
  std::vector<ParameterSource> sources;
  for (const auto& [place, source] : memories)
    sources.push_back({place.first, source});
  for (const auto& fabric : platform.fabrics) {
    const auto place = "/fabrics/" + fabric.name;
    for (std::size_t i = 0; i < fabric.rules.size(); ++i)
      for (std::size_t j = 0; rules.contains(&fabric.rules[i]) && j < fabric.rules[i].regimes.size(); ++j)
        sources.push_back({fmt::format("{}/rules/{}/regimes/{}", place, i, j), fabric.rules[i].regimes[j].source});
    if (const bool is_used = std::ranges::any_of(fabric.rules, [&](const Rule& rule) { return rules.contains(&rule); });
        is_used && fabric.fetch)
      sources.push_back({place + "/fetch", fabric.fetch->source});
    for (std::size_t i = 0; i < fabric.adjustments.size(); ++i)
      if (adjustments.contains(&fabric.adjustments[i]))
        sources.push_back({fmt::format("{}/adjustments/{}", place, i), fabric.adjustments[i].source});
  }
  return sources;
}

// Whether the rules of these ways are assumed.
AssumedRules assumed_rules(const WayTable& ways) {
  bool some = false;
  bool all = true;
  for (const auto& way : ways.all())
    for (const auto& path : way.stages) {
      const bool is_assumed = std::ranges::any_of(
          path.terms.rule->regimes, [](const Regime& regime) { return regime.source.kind == SourceKind::assumed; });
      some |= is_assumed;
      all &= is_assumed;
    }
  return !some ? AssumedRules::none : all ? AssumedRules::all : AssumedRules::some;
}

} // namespace

RulesUsed rules_used(const Platform& platform, const WayTable& ways) {
  return {sources_of(platform, ways), assumed_rules(ways)};
}

void add(RulesUsed more, std::optional<RulesUsed>& all) {
  if (!all) {
    all = std::move(more);
    return;
  }
  if (more.assumed != all->assumed)
    all->assumed = AssumedRules::some;
  for (auto& source : more.sources)
    if (std::ranges::none_of(all->sources, [&](const ParameterSource& known) {
          return known.place == source.place && known.source == source.source;
        }))
      all->sources.push_back(std::move(source));
}

} // namespace kakehashi
