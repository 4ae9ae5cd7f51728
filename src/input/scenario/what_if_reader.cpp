#include "input/scenario/scenario_parts.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// The network

// Changes all links but those inside nodes.
void read_network(const json& entry, Scenario& scenario, Faults& faults) {
  if (!scenario.platform)
    return;
  auto platform = std::make_shared<Platform>(*scenario.platform);
  std::size_t count = 0;
  for (auto& link : platform->links) {
    const auto& node = platform->devices[link.from].node;
    if (node && node == platform->devices[link.to].node)
      continue;
    const auto now = capacity_of(link);
    const double factor = entry.value("bandwidth", 1.0);
    link.bandwidth = Capacity(factor * now.forward, factor * now.backward);
    link.latency = entry.value("latency", 1.0) * link.latency;
    ++count;
  }
  if (count == 0)
    faults.add("/what_if/network", mismatch("a platform whose links are all inside nodes", "a network between them"));
  std::vector<std::string> texts;
  for (const auto* key : {"bandwidth", "latency"})
    if (entry.contains(key))
      texts.push_back(fmt::format("{} times the {}", entry[key].get<double>(), key));
  scenario.what_if.machine.push_back(
      fmt::format("network with {}: {} outside nodes", fmt::join(texts, " and "), counted(count, "link")));
  scenario.platform = std::move(platform);
}

// The eager limit

// Messages from `limit` on take the regimes that wait for the receiver. False: the rule lacks one of the two kinds.
bool move_limit(Rule& rule, Bytes limit) {
  auto& regimes = rule.regimes;
  const auto border = std::ranges::adjacent_find(regimes, [](const Regime& below, const Regime& above) {
    return below.protocol() == Protocol::eager && above.protocol() == Protocol::rendezvous;
  });
  if (border == regimes.end())
    return false;
  regimes = with_border(regimes, static_cast<std::size_t>(border - regimes.begin()), limit);
  return true;
}

struct Limits {
  std::optional<Bytes> inside; // inside nodes
  std::optional<Bytes> between;
};

// A rule for all scopes becomes several rules if limits differ.
std::size_t move_limits(std::vector<Rule>& rules, const Limits& limits) {
  std::size_t moved = 0;
  std::vector<Rule> made;
  const auto add = [&](Rule rule, std::optional<Scope> scope, const std::optional<Bytes>& limit) {
    rule.scope = scope;
    if (limit)
      moved += move_limit(rule, *limit);
    made.push_back(std::move(rule));
  };
  for (const auto& rule : rules) {
    if (rule.scope || limits.inside == limits.between) {
      add(rule, rule.scope, rule.scope == Scope::between_nodes ? limits.between : limits.inside);
      continue;
    }
    add(rule, Scope::between_nodes, limits.between);
    add(rule, rule.scope, limits.inside); // messages between nodes take the rule before it
  }
  rules = std::move(made);
  return moved;
}

void read_eager_limit(const json& value, Scenario& scenario, Faults& faults) {
  const std::string place = "/what_if/eager_limit";
  Limits limits;
  if (value.is_object()) {
    if (value.contains("inside-node"))
      limits.inside = read_size(value["inside-node"], place + "/inside-node", faults);
    if (value.contains("between-nodes"))
      limits.between = read_size(value["between-nodes"], place + "/between-nodes", faults);
  } else {
    limits.inside = limits.between = read_size(value, place, faults);
  }
  const auto* fabric = scenario.platform ? find_fabric(*scenario.platform, scenario.fabric) : nullptr;
  if (!fabric || !faults.empty())
    return;
  auto platform = std::make_shared<Platform>(*scenario.platform);
  std::size_t moved = 0;
  for (const auto* part : parts_of(*scenario.platform, *fabric))
    moved += move_limits(platform->fabrics[static_cast<std::size_t>(part - scenario.platform->fabrics.data())].rules,
                         limits);
  if (moved == 0)
    faults.add(place, fmt::format("there is no limit to move: no such rule of {} has both regimes of one trip and "
                                  "regimes of more",
                                  in_quotes(scenario.fabric)));
  std::vector<std::string> texts;
  if (limits.between)
    texts.push_back(to_text(*limits.between) + (limits.inside == limits.between ? "" : " between nodes"));
  if (limits.inside && limits.inside != limits.between)
    texts.push_back(to_text(*limits.inside) + " inside nodes");
  scenario.what_if.machine.push_back(fmt::format("eager limit {}", fmt::join(texts, " and ")));
  scenario.platform = std::move(platform);
}

// Work

// Returns the ranks that an entry concerns; empty: all.
std::vector<bool> read_concerned(const json& entry, const std::string& place, const Scenario& scenario,
                                 Faults& faults) {
  const auto count = scenario.ranks.size();
  if (!entry.contains("ranks") && !entry.contains("on"))
    return {};
  std::vector<bool> concerned(count);
  const auto listed = entry.value("ranks", json::array());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const auto text = listed[i].is_string() ? listed[i].get<std::string>() : listed[i].dump();
    const auto dash = text.find('-');
    const auto first = index_of(text.substr(0, dash));
    const auto last = dash == std::string::npos ? first : index_of(text.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= count) {
      faults.add(pointer_to(place + "/ranks", i),
                 mismatch(show(listed[i]), fmt::format("ranks from 0 to {}, as in 3 or \"4-7\"", count - 1)));
      continue;
    }
    std::fill(concerned.begin() + static_cast<std::ptrdiff_t>(*first),
              concerned.begin() + static_cast<std::ptrdiff_t>(*last) + 1, true);
  }
  if (entry.contains("on") && scenario.platform) {
    const auto devices = matched_devices(entry["on"], place + "/on", *scenario.platform, faults);
    for (std::size_t rank = 0; rank < count; ++rank)
      if (std::ranges::find(devices, scenario.ranks[rank]) != devices.end())
        concerned[rank] = true;
  }
  return concerned;
}

// "ranks 0 to 3 and 7", "all ranks"
std::string text_of(const std::vector<bool>& ranks) {
  std::vector<std::string> runs;
  std::size_t count = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (!ranks[i])
      continue;
    auto last = i;
    while (last + 1 < ranks.size() && ranks[last + 1])
      ++last;
    runs.push_back(last > i ? fmt::format("{} to {}", i, last) : fmt::format("{}", i));
    count += last - i + 1;
    i = last;
  }
  return ranks.empty() ? "all ranks" : fmt::format("{} {}", count == 1 ? "rank" : "ranks", fmt::join(runs, ", "));
}

WorkChange read_change(const json& entry, const std::string& place, const Scenario& scenario, Faults& faults) {
  WorkChange change;
  change.ranks = read_concerned(entry, place, scenario, faults);
  change.region = entry.value("region", "");
  change.from = read_field(entry, place, "from", seconds_text, faults).value_or(Seconds{});
  change.to = read_field(entry, place, "to", seconds_text, faults);
  change.slowdown = entry["slowdown"].get<double>();
  const auto of = entry.value("of", "");
  change.of = of == "host" ? WorkOf::host : of == "device" ? WorkOf::device : WorkOf::both;
  const auto* replay = std::get_if<Replay>(&scenario.workload);
  if (change.of != WorkOf::both && (!replay || !replay->source))
    faults.add(place + "/of", "only recordings have work of hosts and of devices");
  if (!change.region.empty() && (!replay || !replay->source))
    faults.add(place + "/region", "only recordings have regions");
  if (change.to && *change.to <= change.from)
    faults.add(place + "/to", mismatch(show(entry["to"]), "a later time than \"from\""));
  change.text = fmt::format("work{} {} times as long",
                            change.of == WorkOf::both ? std::string() : fmt::format(" of the {}", of), change.slowdown);
  if (!change.region.empty())
    change.text += fmt::format(" in {}", change.region);
  change.text += fmt::format(", {}", text_of(change.ranks));
  if (change.from.value > 0)
    change.text += fmt::format(", from {:g} s", change.from.value);
  if (change.to)
    change.text += fmt::format(", to {:g} s", change.to->value);
  return change;
}

Noise read_noise(const json& entry, const Scenario& scenario, Faults& faults) {
  constexpr Seconds least{1e-6};
  const std::string place = "/what_if/noise";
  Noise noise;
  noise.ranks = read_concerned(entry, place, scenario, faults);
  noise.every = read_field(entry, place, "every", seconds_text, faults).value_or(least);
  noise.lasts = read_field(entry, place, "lasts", seconds_text, faults).value_or(Seconds{});
  noise.seed = entry.value("seed", noise.seed);
  if (noise.every < least)
    faults.add(place + "/every", mismatch(show(entry["every"]), "1 us or more"));
  noise.text =
      fmt::format("interruptions of {:g} us, each {:g} us of work on average at random (seed {}), {}",
                  in_microseconds(noise.lasts), in_microseconds(noise.every), noise.seed, text_of(noise.ranks));
  return noise;
}

} // namespace

void read_what_if(const json& object, Scenario& scenario, Faults& faults) {
  if (object.contains("network"))
    read_network(object["network"], scenario, faults);
  if (object.contains("eager_limit"))
    read_eager_limit(object["eager_limit"], scenario, faults);
  for (const auto* key : {"work", "noise"})
    if (object.contains(key) && std::holds_alternative<Benchmark>(scenario.workload))
      faults.add(fmt::format("/what_if/{}", key), "a benchmark does no work");
  const auto work = object.value("work", json::array());
  for (std::size_t i = 0; i < work.size(); ++i)
    scenario.what_if.work.push_back(read_change(work[i], pointer_to("/what_if/work", i), scenario, faults));
  if (object.contains("noise"))
    scenario.what_if.noise = read_noise(object["noise"], scenario, faults);
}

} // namespace kakehashi
