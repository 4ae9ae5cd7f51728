#include "study/explain/explanations.hpp"

#include "study/machine/machine_views.hpp"
#include "study/run/scenario_run.hpp"
#include "topology/search.hpp"
#include "transport/itinerary.hpp"
#include "workload/benchmark/kind.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

constexpr double improvement = 0.1;
constexpr double no_effect = 1e-9; // relative

// Returns the conditions of a rule as texts.
std::vector<std::string> conditions(const Rule& rule) {
  std::vector<std::string> texts;
  if (rule.scope)
    texts.push_back(fmt::format("scope {}", name_of(scope_names, *rule.scope)));
  if (rule.between)
    texts.push_back(fmt::format("between {} and {}", name_of(device_kind_names, (*rule.between)[0]),
                                name_of(device_kind_names, (*rule.between)[1])));
  if (rule.from)
    texts.push_back(fmt::format("from {}", name_of(device_kind_names, *rule.from)));
  if (rule.to)
    texts.push_back(fmt::format("to {}", name_of(device_kind_names, *rule.to)));
  if (rule.initiator)
    texts.push_back(fmt::format("started by {}", name_of(device_kind_names, *rule.initiator)));
  if (rule.crosses)
    texts.push_back(fmt::format("crosses {}", name_of(*rule.crosses)));
  return texts;
}

std::vector<ExplainedHop> hops_of(const Path& path, const Platform& platform, const Topology& topology) {
  std::vector<ExplainedHop> hops;
  for (const auto channel : path.route.channels) {
    const auto& known = topology.channels()[channel];
    if (channel >= 2 * platform.links.size()) { // a limited leg, or memory
      const auto colon = known.name.rfind(':');
      hops.push_back({known.name.substr(0, colon), "", known.name.substr(colon + 1), {}, known.capacity});
      continue;
    }
    const auto& link = platform.links[link_of_direction(channel)];
    const bool forwards = channel % 2 == 0;
    hops.push_back({platform.devices[forwards ? link.from : link.to].name,
                    platform.devices[forwards ? link.to : link.from].name, std::string(name_of(link.type)),
                    link.latency, known.capacity});
  }
  return hops;
}

ExplainedStage explain_stage(const Path& path, const MessageCost& cost, Bytes size, const Platform& platform,
                             Topology& topology) {
  ExplainedStage stage;
  stage.fabric = path.terms.fabric->name;
  stage.from = platform.devices[path.from].name;
  stage.to = platform.devices[path.to].name;
  stage.rules_before = static_cast<std::size_t>(path.terms.rule - path.terms.fabric->rules.data());
  stage.rule = fmt::format("/fabrics/{}/rules/{}", path.terms.fabric->name, stage.rules_before);
  stage.because = conditions(*path.terms.rule);
  stage.regime = *cost.regime;
  stage.trip = cost.trip;
  stage.hops = hops_of(path, platform, topology);
  if (path.terms.has_engines) {
    const auto& device = platform.devices[path.worker->device];
    stage.engines = fmt::format("one of {} DMA engines{} of {} moves it{}", dma_engines_of(device),
                                path.worker->kind == WorkerKind::own_engines ? "" : " for others", device.name,
                                device.dma_engines > 0 ? "" : " (their number is assumed)");
  }
  if (path.terms.stripes == 1) // with stripes there is one through each gateway
    stage.ways = ways_between(platform, topology, *path.terms.fabric, path.from, path.to, path.terms.initiator);
  for (std::size_t i = 0; i < path.terms.crossings.size(); ++i)
    if (path.terms.crossings[i] > 0 &&
        path.terms.fabric->adjustments[i].protocol.value_or(cost.protocol) == cost.protocol)
      stage.adjustments.push_back(
          fmt::format("/fabrics/{}/adjustments/{}: {} crossed {}", path.terms.fabric->name, i,
                      name_of(path.terms.fabric->adjustments[i].crosses),
                      path.terms.crossings[i] == 1 ? "once" : fmt::format("{} times", path.terms.crossings[i])));
  if (const auto& fetch = path.terms.fabric->fetch; fetch && fetch->from <= size && cost.protocol == Protocol::eager)
    stage.adjustments.push_back(fmt::format("/fabrics/{}/fetch: the adapter fetches the payload in {:.3f} us",
                                            path.terms.fabric->name, in_microseconds(path.terms.fetch)));
  return stage;
}

// The times of the table's rows on a changed platform. A row is the mean of its iterations, of which one run may
// simulate more than another.
using RowTimes = std::vector<Seconds>;
Task<RowTimes> times_task(const Scenario& scenario, std::shared_ptr<const Platform> platform) {
  return [&scenario, platform]() -> Result<RowTimes> {
    auto changed = scenario;
    changed.platform = platform;
    changed.mpi = platform->mpi;
    const auto record = run(changed);
    if (!record)
      return record.errors();
    RowTimes times;
    for (const auto& row : record->table.figures)
      times.push_back(row.cost);
    return times;
  };
}

// Returns the mean over the rows.
double mean_change(const RowTimes& before, const RowTimes& after) {
  double sum = 0;
  for (std::size_t row = 0; row < before.size(); ++row)
    sum += before[row].value > 0 ? after[row] / before[row] - 1 : 0;
  return sum / static_cast<double>(std::max<std::size_t>(1, before.size()));
}

// Returns the effect of each parameter on the scenario's times if it were a tenth better; the largest gain first.
Result<std::vector<Effect>> effects_of(const Scenario& scenario, const std::vector<Parameter>& parameters, int jobs,
                                       const StudyProgress& progress) {
  const auto now = std::make_shared<Platform>(*scenario.platform);
  now->mpi = scenario.mpi;
  std::vector<Task<RowTimes>> tasks{times_task(scenario, now)};
  for (const auto& parameter : parameters) {
    auto platform = std::make_shared<Platform>(*now);
    improve(parameter, *platform, improvement);
    tasks.push_back(times_task(scenario, std::move(platform)));
  }
  const auto times = try_all(tasks, jobs, progress);
  if (!times)
    return times.errors();
  std::vector<Effect> effects;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    effects.push_back(
        {parameters[i].place, parameters[i].what, mean_change(times->front(), (*times)[i + 1]),
         std::ranges::find(parameters[i].sources, SourceKind::assumed, &Source::kind) != parameters[i].sources.end()});
  std::stable_sort(effects.begin(), effects.end(),
                   [](const Effect& a, const Effect& b) { return a.change < b.change; });
  return effects;
}

// Or may make them.
bool makes_collective_calls(const Scenario& scenario) {
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  return benchmark ? kind_of(*benchmark).collective.has_value() : std::holds_alternative<Replay>(scenario.workload);
}

std::vector<const Way*> ways_of(const Plan& plan) {
  std::vector<const Way*> ways;
  for (const auto& way : plan.ways->all())
    ways.push_back(&way);
  return ways;
}

// Returns the crossings that are busy at least half of the time.
std::vector<Crossing> crossings_of(const std::vector<LinkUse>& links, const Plan& planned, const Platform& platform) {
  std::map<std::string, Crossing> crossings;
  for (const auto* way : ways_of(planned))
    for (const auto& stage : way->stages)
      for (auto& crossing : crossings_of(stage, platform))
        crossings.emplace(crossing.channel(), std::move(crossing));
  std::vector<Crossing> busy;
  for (const auto& link : links)
    if (const auto crossing = crossings.find(link.channel); link.busy >= 0.5 && crossing != crossings.end())
      busy.push_back(std::move(crossing->second));
  return busy;
}

bool matters(const Effect& effect) {
  return std::abs(effect.change) > no_effect;
}

} // namespace

Scenario one_message(const Scenario& like, std::size_t from, std::size_t to, Bytes size) {
  Scenario scenario = like;
  scenario.ranks = {from, to};
  Step send;
  send.to = 1;
  send.size = size;
  Step receive;
  receive.kind = Step::Kind::recv;
  receive.from = 0;
  scenario.workload = StepProgram{{{send}, {receive}}};
  scenario.reference.reset();
  return scenario;
}

Result<MessageExplanation> explain_message(const Scenario& scenario, std::size_t from, std::size_t to, Bytes size,
                                           int jobs, const StudyProgress& progress) {
  const auto lone = one_message(scenario, from, to, size);
  const auto planned = plan(lone);
  if (!planned)
    return planned.errors();
  const auto& way = (*planned->ways)[*planned->ways->find(0, 1, Side::sender, size)];
  auto effects = effects_of(lone, parameters_of(*scenario.platform, {&way}), jobs, progress);
  if (!effects)
    return effects.errors();
  Recording recording;
  recording.keep_path = recording.keep_steps = true;
  const auto record = run(lone, *planned, &recording);
  if (!record)
    return record.errors();

  const auto& platform = *scenario.platform;
  const auto terms = terms_of(way);
  const auto itinerary = itinerary_of(terms, size);
  MessageExplanation explanation;
  explanation.platform = platform.name;
  explanation.unit = platform.rate_unit;
  explanation.platform_file = platform.file;
  explanation.fabric = scenario.fabric;
  explanation.from = platform.devices[from].name;
  explanation.to = platform.devices[to].name;
  explanation.size = size;
  explanation.piece = itinerary.piece;
  for (std::size_t i = 0; i < way.stages.size(); ++i)
    explanation.stages.push_back(
        explain_stage(way.stages[i], itinerary.costs[i], itinerary.piece, platform, *planned->topology));
  for (const auto& stage : way.stages)
    std::ranges::move(crossings_of(stage, platform), std::back_inserter(explanation.crossings));
  explanation.total = record->duration;
  std::map<std::string, Seconds> by_step;
  for (const auto& step : recording.path.steps) {
    const auto what =
        describe({step.phase, step.stage, step.leg}, way, step.part, planned->topology->channels(), platform.rate_unit);
    by_step[what] += step.end - step.start;
    if (!explanation.waterfall.empty() && explanation.waterfall.back().what == what)
      explanation.waterfall.back().end = step.end; // pieces of one message
    else
      explanation.waterfall.push_back({what, step.start, step.end});
  }
  if (!by_step.empty())
    explanation.bottleneck = std::max_element(by_step.begin(), by_step.end(), [](const auto& a, const auto& b) {
                               return a.second < b.second;
                             })->first;
  std::copy_if(effects->begin(), effects->end(), std::back_inserter(explanation.effects), matters);
  return explanation;
}

Result<RunExplanation> explain_run(const Scenario& scenario, const RunPlan& plan, int jobs,
                                   const StudyProgress& progress) {
  Recording recording;
  recording.keep_path = true;
  const auto record = run(scenario, plan, &recording);
  if (!record)
    return record.errors();
  // The ways of one-sided reads, and all ways between many devices, are known only after a run.
  auto parameters = parameters_of(*scenario.platform, ways_of(plan));
  if (makes_collective_calls(scenario))
    for (auto& parameter : library_parameters_of(scenario.mpi))
      if (plan.ways->lanes()[host_lane].is_open || !parameter.what.starts_with("gpu"))
        parameters.push_back(std::move(parameter));
  auto effects = effects_of(scenario, parameters, jobs, progress);
  if (!effects)
    return effects.errors();
  auto summary = summarise(recording, plan, *record);
  RunExplanation explanation;
  explanation.scenario = scenario.name;
  explanation.platform = scenario.platform->name;
  explanation.unit = scenario.platform->rate_unit;
  explanation.fabric = scenario.fabric;
  explanation.total = record->duration;
  explanation.messages = record->messages;
  explanation.sizes = record->table.figures.size();
  explanation.reason = main_reason(summary, record->ranks);
  explanation.links = std::move(summary.links);
  explanation.crossings = crossings_of(explanation.links, plan, *scenario.platform);
  for (auto& effect : *effects)
    (matters(effect) ? explanation.effects : explanation.without_effect).push_back(std::move(effect));
  return explanation;
}

} // namespace kakehashi
