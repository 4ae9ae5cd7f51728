#include "study/machine/machine_views.hpp"

#include "base/text.hpp"
#include "transport/cost.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

constexpr double least_change = 0.01; // of a rate, for it to count as another one
constexpr std::size_t most_pairs = 1000;

// The devices of the first ranks, each pair of them once.
std::set<std::pair<std::size_t, std::size_t>> pairs_of(const std::vector<std::size_t>& ranks) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto from : ranks)
    for (const auto to : ranks) {
      if (pairs.size() == most_pairs)
        return pairs;
      if (from != to)
        pairs.emplace(from, to);
    }
  return pairs;
}

// Returns the sizes of a benchmark's messages, or else one of each regime.
std::vector<Bytes> sizes_on(const Path& path, const Scenario& scenario) {
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  if (benchmark && !benchmark->sizes.empty())
    return benchmark->sizes;
  std::vector<Bytes> sizes;
  for (const auto& regime : path.terms.rule->regimes)
    sizes.push_back(regime.from);
  return sizes;
}

// What the links of a path give a lone message of any protocol, over all legs.
BytesPerSecond link_rate(const Path& path, const std::deque<Channel>& channels) {
  double per_byte = 0;
  for (std::size_t leg = 0; leg < path.route.legs(); ++leg)
    if (const auto narrowest = bottleneck(path.route.leg(leg), channels))
      per_byte += 1 / share_of(path.route.leg(leg), *narrowest, channels).value;
  return {per_byte > 0 ? 1 / per_byte : 0};
}

void add_hidden(const Path& before, BytesPerSecond then, const Path& path, BytesPerSecond now, const Scenario& scenario,
                std::set<std::string>& warnings) {
  if (std::abs(now / then - 1) < least_change)
    return;
  for (const auto size : sizes_on(path, scenario)) {
    const auto& rule = *path.terms.rule;
    const auto cost = cost_of(path.terms, size);
    if (!cost.flows || !cost.cap || *cost.cap > std::min(then, now) || cost_of(before.terms, size).cap != cost.cap)
      continue;
    const auto unit = scenario.platform->rate_unit;
    warnings.insert(fmt::format("/fabrics/{0}/rules/{1}/regimes/{2}/cap: {3} {8} hides that the links between {4} and "
                                "{5} carry {6} instead of {7} {8}",
                                path.terms.fabric->name, &rule - path.terms.fabric->rules.data(),
                                cost.regime - rule.regimes.data(), four_digits(unit.of(*cost.cap)),
                                scenario.platform->devices[path.from].name, scenario.platform->devices[path.to].name,
                                four_digits(unit.of(now)), four_digits(unit.of(then)), unit.name()));
  }
}

} // namespace

std::vector<std::string> hidden_by_caps(const Scenario& scenario) {
  const auto& before = scenario.what_if.before;
  const auto* fabric = find_fabric(*scenario.platform, scenario.fabric);
  const auto* fabric_before = before ? find_fabric(*before, scenario.fabric) : nullptr;
  if (!fabric || !fabric_before || before->devices.size() != scenario.platform->devices.size())
    return {};
  Topology topology(*scenario.platform);
  Topology topology_before(*before);
  std::set<std::string> warnings;
  for (const auto& [from, to] : pairs_of(scenario.ranks)) {
    const auto now = make_way(*scenario.platform, topology, *fabric, from, to);
    const auto then = make_way(*before, topology_before, *fabric_before, from, to);
    for (std::size_t i = 0; now && then && now->stages.size() == then->stages.size() && i < now->stages.size(); ++i)
      add_hidden(then->stages[i], link_rate(then->stages[i], topology_before.channels()), now->stages[i],
                 link_rate(now->stages[i], topology.channels()), scenario, warnings);
  }
  constexpr std::size_t most_shown = 5;
  std::vector<std::string> shown(warnings.begin(), warnings.end());
  shown.resize(std::min(shown.size(), most_shown));
  return shown;
}

} // namespace kakehashi
