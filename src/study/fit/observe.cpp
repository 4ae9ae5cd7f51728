#include "study/fit/fit_parts.hpp"

#include "study/pool/pool.hpp"
#include "study/run/scenario_run.hpp"
#include "transport/cost.hpp"
#include "transport/path.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace kakehashi {
namespace {

Error unusable(const Scenario& scenario, std::string found) {
  return file_error(
      ErrorKind::input, scenario.file,
      mismatch(found, "two ranks that do imb-pingpong, imb-sendrecv, imb-exchange, osu-latency, osu-bw or osu-bibw, "
                      "and a reference"));
}

// Returns the narrowest capacity for long messages, which may be striped, each stripe on a link of its own. If both
// ends send at once, they share the limits of both directions together.
std::optional<BytesPerSecond> narrowest_of(const Plan& plan, TestForm form) {
  const auto path_of = [&](int from, int to) -> const Path& {
    return (*plan.ways)[*plan.ways->find(from, to, Side::sender, largest_size)].stages.front();
  };
  auto passed = path_of(0, 1).route.channels;
  if (form != TestForm::one_way && form != TestForm::window)
    for (const auto channel : path_of(1, 0).route.channels)
      passed.push_back(channel);
  const auto narrowest = bottleneck(passed, plan.topology->channels());
  if (!narrowest)
    return std::nullopt;
  return path_of(0, 1).terms.stripes * share_of(passed, *narrowest, plan.topology->channels());
}

// Names a rule by the conditions that distinguish it in its fabric: "inside-node, cpu to coprocessor".
std::string rule_name(const Rule& rule, std::size_t index) {
  std::vector<std::string> words;
  if (rule.scope)
    words.emplace_back(name_of(scope_names, *rule.scope));
  if (rule.between)
    words.push_back(fmt::format("{} to {}", name_of(device_kind_names, rule.between->front()),
                                name_of(device_kind_names, rule.between->back())));
  if (rule.crosses)
    words.push_back(fmt::format("across {}", name_of(*rule.crosses)));
  return words.empty() ? fmt::format("rule {}", index) : fmt::format("{}", fmt::join(words, ", "));
}

// Returns where the platform states how fast PCIe devices of a node reach each other, if the path joins two of them.
std::string limit_place(const Platform& platform, const Path& path) {
  const auto& from = platform.devices[path.from];
  const auto& to = platform.devices[path.to];
  const auto is_card = [](DeviceKind kind) { return kind == DeviceKind::coprocessor || kind == DeviceKind::gpu; };
  if (!is_card(from.kind) || !is_card(to.kind) || path.scope != Scope::inside_node)
    return "";
  std::string crossed;
  for (const auto link : path.route.links)
    if (row_of(platform.links[link].type).joins_sockets)
      crossed = fmt::format(R"(, "crosses": "{}")", name_of(platform.links[link].type));
  return fmt::format(R"(in peer_limits: {{"requester": "{}", "memory": "{}", "access": "write"{}}})",
                     name_of(device_kind_names, from.kind), name_of(device_kind_names, to.kind), crossed);
}

// Returns the rate of the path's slowest slot with packets of 128 B, which are usual behind older sockets, if the
// platform has longer packets; nothing if the path is no faster than that.
std::optional<PacketLimit> small_packets(const Platform& platform, const Path& path, BytesPerSecond narrowest) {
  constexpr Bytes small{128};
  std::optional<PacketLimit> limit;
  for (const auto index : path.route.links) {
    const auto& link = platform.links[index];
    if (name_of(link.type) != "pcie" || !link.rating || link.bandwidth || link.rating->max_payload <= small)
      continue;
    auto rating = *link.rating;
    rating.max_payload = small;
    const auto rate = path.terms.stripes * row_of(link.type).capacity(rating);
    if (rate < narrowest && (!limit || rate < limit->rate))
      limit = {fmt::format("the pcie link {} with packets of {}", link.name, to_text(small)), rate,
               fmt::format(R"("max_payload": "{}")", to_text(small))};
  }
  return limit;
}

// Returns an error if the path cannot be the test's: no message is faster than its links.
std::optional<Error> too_fast(const Observation& test, const Platform& platform, const Path& path) {
  if (is_window(test.form))
    return std::nullopt;
  for (const auto& point : test.curve.points)
    if (point.value > 0 && point.value < in_microseconds(test.trip))
      return file_error(
          ErrorKind::input, test.curve.file,
          mismatch(fmt::format("{:.4g} us for {}", point.value, to_text(point.size)),
                   fmt::format("at least the {:.4g} us that the links from {} to {} take; either the ranks "
                               "were elsewhere (--log states where), or a link's latency is wrong",
                               in_microseconds(test.trip), platform.devices[path.from].name,
                               platform.devices[path.to].name)));
  return std::nullopt;
}

} // namespace

Result<Observation> observe(const Scenario& scenario) {
  const auto pair = pair_test(scenario.workload);
  if (!pair || scenario.ranks.size() != 2)
    return unusable(scenario, "another workload");
  if (!scenario.reference)
    return unusable(scenario, "no reference");
  const auto planned = routes_of(scenario);
  if (!planned)
    return planned.errors();
  if (find_fabric(*scenario.platform, scenario.fabric)->rules.empty())
    return unusable(scenario, "a fabric of stages or by scope, which has no regimes of its own");
  const auto& path = (*planned->ways)[*planned->ways->find(0, 1)].stages.front();
  Observation test;
  test.curve = scenario.reference->curve;
  test.form = pair->form;
  test.window = pair->window;
  test.from_kind = path.terms.from_kind;
  test.to_kind = path.terms.to_kind;
  test.trip = cost_of(path.terms, Bytes{0}).trip;
  if (const auto& fetch = path.terms.fabric->fetch) {
    test.fetched_from = fetch->from;
    test.fetch = path.terms.fetch;
  }
  if (!path.terms.rule->moved_by_cores)
    test.narrowest = narrowest_of(*planned, pair->form);
  test.path_class = static_cast<std::size_t>(path.terms.rule - path.terms.fabric->rules.data());
  test.path_name = rule_name(*path.terms.rule, test.path_class);
  test.limit_place = limit_place(*scenario.platform, path);
  if (test.narrowest)
    test.small_packets = small_packets(*scenario.platform, path, *test.narrowest);
  if (auto fault = too_fast(test, *scenario.platform, path))
    return std::move(*fault);
  return test;
}

namespace {

std::vector<PredictedPoint> points_of(const RunRecord& record) {
  std::vector<PredictedPoint> points;
  for (std::size_t i = 0; i < record.table.figures.size(); ++i) {
    const auto& figures = record.table.figures[i];
    points.push_back({figures.size, value_of(figures, record.reference->metric), record.measured[i].measured,
                      record.measured[i].error});
  }
  return points;
}

template <class Change> std::vector<Scenario> on_changed(std::span<const Scenario> scenarios, const Change& change) {
  auto platform = std::make_shared<Platform>(*scenarios.front().platform);
  const auto fabric = std::ranges::find(platform->fabrics, scenarios.front().fabric, &Fabric::name);
  assert(fabric != platform->fabrics.end());
  change(*fabric);
  std::vector<Scenario> changed(scenarios.begin(), scenarios.end());
  for (auto& scenario : changed)
    scenario.platform = platform;
  return changed;
}

} // namespace

std::vector<PredictedCurve> predict_curves(std::span<const Scenario> scenarios, int jobs) {
  std::vector<Task<std::vector<PredictedPoint>>> tasks;
  for (const auto& scenario : scenarios)
    tasks.push_back([&scenario]() -> Result<std::vector<PredictedPoint>> {
      const auto record = run(scenario);
      return record ? Result(points_of(*record)) : record.errors();
    });
  const auto results = run_in_children(tasks, jobs);
  std::vector<PredictedCurve> curves;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const auto& reference = *scenarios[i].reference;
    if (results[i])
      curves.push_back(
          {scenarios[i].platform->name, scenarios[i].name, reference.curve.metric, reference.use, *results[i]});
  }
  return curves;
}

std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const CalibrationRecord& record) {
  return on_changed(scenarios, [&](Fabric& fabric) {
    for (std::size_t c = 0; c < record.rules.size(); ++c)
      fabric.rules[record.rules[c]].regimes = record.regimes[c];
  });
}

std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const TunedAdjustments& tuned) {
  return on_changed(scenarios, [&](Fabric& fabric) {
    for (std::size_t i = 0; i < tuned.indices.size(); ++i)
      fabric.adjustments[tuned.indices[i]] = tuned.adjustments[i];
  });
}

} // namespace kakehashi
