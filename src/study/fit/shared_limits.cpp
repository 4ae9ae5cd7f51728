#include "study/fit/fits.hpp"

#include "base/text.hpp"
#include "transport/path.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr double proportional = 0.9;   // share of what the pairs would reach without a limit
constexpr double two_directions = 1.9; // factor between one direction and both without a limit

constexpr double traffic = 3; // bytes of memory traffic for each byte that is copied: it is read, fetched and written

// The highest rate that a test reached.
struct Reach {
  std::string log;
  std::uint64_t pairs = 1;
  double most = 0;
};
using PairsRate = double (*)(const PairsTest& test);

double most_messages_per_s(const PairsTest& test) {
  return std::ranges::max(test.points, {}, &PairPoint::messages_per_s).messages_per_s;
}
double most_mbytes_per_s(const PairsTest& test) {
  return std::ranges::max(test.points, {}, &PairPoint::mbytes_per_s).mbytes_per_s;
}
// Of the largest messages, which do not fit in caches.
double last_mbytes_per_s(const PairsTest& test) {
  return test.points.back().mbytes_per_s;
}

Scope scope_of(const PairsTest& test) {
  return scope_of(*test.platform, test.ranks[0], test.ranks[1]);
}

// Returns a window test of two ranks as a test of one pair; nothing for other scenarios.
std::optional<PairsTest> as_pair_test(const Scenario& scenario) {
  const auto form = pair_test(scenario.workload);
  const bool both_ways = form && form->form == TestForm::window_both_ways;
  if (!form || !scenario.reference || scenario.ranks.size() != 2 || (form->form != TestForm::window && !both_ways))
    return std::nullopt;
  PairsTest test{scenario.reference->curve.name, 1, both_ways, {}, scenario.platform, scenario.fabric, scenario.ranks};
  for (const auto& [size, rate] : scenario.reference->curve.points)
    test.points.push_back({size, rate, 1e6 * rate / static_cast<double>(std::max<std::uint64_t>(1, size.count))});
  return test;
}

std::vector<Reach> reaches_of(std::span<const PairsTest> tests, std::optional<bool> both_ways, PairsRate measure) {
  std::vector<Reach> reaches;
  for (const auto& test : tests)
    if (!both_ways || test.both_ways == *both_ways)
      reaches.push_back({test.name, test.pairs, measure(test)});
  return reaches;
}

// Returns the highest reach. It is a limit if fewer pairs are there to compare with, and it is less than proportional
// to them.
std::optional<SharedLimit> limit_over_pairs(const std::vector<Reach>& reaches) {
  if (reaches.empty())
    return std::nullopt;
  const auto& best = std::ranges::max(reaches, {}, &Reach::most);
  const auto& fewest = std::ranges::min(reaches, {}, &Reach::pairs);
  if (best.pairs == 1)
    return std::nullopt;
  SharedLimit limit;
  limit.from = best.log;
  limit.amount = best.most;
  if (fewest.pairs == best.pairs) {
    limit.evidence = "no log of fewer pairs shows whether they share a limit";
    return limit;
  }
  const double gain = best.most / fewest.most;
  limit.is_limit = gain < proportional * static_cast<double>(best.pairs) / static_cast<double>(fewest.pairs);
  limit.evidence = fmt::format("{} pairs reach {:.1f} times what {} reached", best.pairs, gain,
                               fewest.pairs == 1 ? "one" : fmt::format("{}", fewest.pairs));
  return limit;
}

std::optional<SharedLimit> limit_over_directions(const std::vector<Reach>& both, const std::vector<Reach>& single) {
  if (both.empty())
    return std::nullopt;
  const auto& best = std::ranges::max(both, {}, &Reach::most);
  SharedLimit limit;
  limit.from = best.log;
  limit.amount = best.most;
  if (single.empty()) {
    limit.evidence = "no log of one direction to compare with";
    return limit;
  }
  const double gain = best.most / std::ranges::max(single, {}, &Reach::most).most;
  limit.is_limit = gain < two_directions;
  limit.evidence = fmt::format("both directions reach {:.2f} times one", gain);
  return limit;
}

// Returns the network adapters on the path of a test between nodes.
std::vector<std::string> adapters_of(const PairsTest& test) {
  const auto& platform = *test.platform;
  Topology topology(platform);
  std::vector<std::string> names;
  const auto path = make_path(platform, topology, *find_fabric(platform, test.fabric), test.ranks[0], test.ranks[1]);
  if (path)
    for (const auto link : path->route.links)
      for (const auto end : {platform.links[link].from, platform.links[link].to}) {
        const auto& device = platform.devices[end];
        if ((device.kind == DeviceKind::hca || device.kind == DeviceKind::nic) &&
            std::ranges::find(names, device.name) == names.end())
          names.push_back(device.name);
      }
  return names;
}

} // namespace

std::vector<SharedLimit> shared_limits(std::span<const PairsTest> tests, std::span<const Scenario> scenarios) {
  std::vector<PairsTest> between, inside;
  const auto sort_in = [&](const PairsTest& test) {
    if (const auto scope = scope_of(test); scope != Scope::inside_node && !test.points.empty())
      (scope == Scope::between_nodes ? between : inside).push_back(test);
  };
  std::ranges::for_each(tests, sort_in);
  for (const auto& scenario : scenarios)
    if (const auto test = as_pair_test(scenario))
      sort_in(*test);
  std::vector<SharedLimit> limits;
  const auto add = [&](std::optional<SharedLimit> limit, std::string field, double scale, std::string_view unit,
                       std::vector<std::string> devices) {
    if (!limit)
      return;
    limit->field = std::move(field);
    limit->value = fmt::format("{} {}", four_digits(limit->amount * scale), unit);
    limit->devices = std::move(devices);
    limits.push_back(std::move(*limit));
  };
  if (!between.empty()) {
    const auto adapters = adapters_of(between.front());
    add(limit_over_pairs(reaches_of(between, false, most_messages_per_s)), "message_rate", 1e-6, "M messages/s",
        adapters);
    add(limit_over_directions(reaches_of(between, true, most_mbytes_per_s),
                              reaches_of(between, false, most_mbytes_per_s)),
        "duplex_bandwidth", 1e-3, "GB/s", adapters);
  }
  if (!inside.empty())
    add(limit_over_pairs(reaches_of(inside, std::nullopt, last_mbytes_per_s)), "memory/bandwidth", traffic * 1e-3,
        "GB/s", {inside.front().platform->devices[inside.front().ranks[0]].name});
  return limits;
}

} // namespace kakehashi
