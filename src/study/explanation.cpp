#include "study/explanation.hpp"

#include "study/summary.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kakehashi {
namespace {

constexpr double improvement = 0.1;
constexpr double no_effect = 1e-9; // relative

// What a rule asks of a path.
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

ExplainedStage explain_stage(const Path& path, const MessageCost& cost, const Platform& platform,
                             const Topology& topology) {
  ExplainedStage stage;
  stage.fabric = path.fabric->name;
  stage.from = platform.devices[path.from].name;
  stage.to = platform.devices[path.to].name;
  stage.rules_before = static_cast<std::size_t>(path.rule - path.fabric->rules.data());
  stage.rule = fmt::format("/fabrics/{}/rules/{}", path.fabric->name, stage.rules_before);
  stage.because = conditions(*path.rule);
  stage.regime = *cost.regime;
  stage.trip = cost.trip;
  stage.hops = hops_of(path, platform, topology);
  for (std::size_t i = 0; i < path.crossings.size(); ++i)
    if (path.crossings[i] > 0 && path.fabric->adjustments[i].protocol.value_or(cost.protocol) == cost.protocol)
      stage.adjustments.push_back(
          fmt::format("/fabrics/{}/adjustments/{}: {} crossed {}", path.fabric->name, i,
                      name_of(path.fabric->adjustments[i].crosses),
                      path.crossings[i] == 1 ? "once" : fmt::format("{} times", path.crossings[i])));
  return stage;
}

// The time of the run, with the platform as it would be.
Task<Seconds> time_task(const Scenario& scenario, std::shared_ptr<const Platform> platform) {
  return [&scenario, platform]() -> Result<Seconds> {
    auto changed = scenario;
    changed.platform = platform;
    const auto record = run(changed);
    if (!record)
      return record.errors();
    return record->duration;
  };
}

// What a tenth's improvement of each parameter does to the time of the scenario; the largest gain first.
Result<std::vector<Effect>> effects_of(const Scenario& scenario, const std::vector<const Chain*>& chains, int jobs,
                                       const StudyProgress& progress) {
  const auto parameters = parameters_of(*scenario.platform, chains);
  std::vector<Task<Seconds>> tasks{time_task(scenario, scenario.platform)};
  for (const auto& parameter : parameters) {
    auto platform = std::make_shared<Platform>(*scenario.platform);
    parameter.improve(*platform, improvement);
    tasks.push_back(time_task(scenario, std::move(platform)));
  }
  std::size_t done = 0;
  const auto results = run_in_children(tasks, jobs, [&] { progress(++done, tasks.size()); });
  for (const auto& result : results)
    if (!result)
      return result.errors();
  const auto now = *results.front();
  std::vector<Effect> effects;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    effects.push_back({parameters[i].place, parameters[i].what, now.value > 0 ? *results[i + 1] / now - 1 : 0});
  std::stable_sort(effects.begin(), effects.end(),
                   [](const Effect& a, const Effect& b) { return a.change < b.change; });
  return effects;
}

std::vector<const Chain*> chains_of(const Plan& plan) {
  std::vector<const Chain*> chains;
  for (const auto& chain : plan.chains->all())
    chains.push_back(&chain);
  return chains;
}

bool is_wait(Phase phase) {
  return phase == Phase::wait_for_sender || phase == Phase::wait_for_match || phase == Phase::queue ||
         phase == Phase::wait_for_receiver;
}

bool matters(const Effect& effect) {
  return std::abs(effect.change) > no_effect;
}

std::string main_reason(const Trace& trace, const Plan& plan, const RunRecord& record) {
  constexpr double mostly = 0.8;
  const auto uses = link_uses(trace, plan, record.duration);
  const auto busy_text = [](const std::string& what, double share) {
    return fmt::format("{} is busy {:.0f} % of the time", what, 100 * share);
  };
  if (!uses.empty() && uses.front().busy > mostly)
    return busy_text(uses.front().channel, uses.front().busy);
  struct Step { // all spans of one sort
    Seconds time;
    const Span* longest = nullptr;
  };
  std::map<std::tuple<bool, Phase, std::size_t, std::size_t>, Step> steps;
  const bool has_payload = std::any_of(trace.messages.begin(), trace.messages.end(),
                                       [](const SentMessage& message) { return message.size.count > 0; });
  for (const auto& span : trace.spans) {
    const auto& message = trace.messages[span.message];
    const auto time = span.end - span.start;
    const bool is_core = span.phase == Phase::sender_core || span.phase == Phase::receiver_core;
    if (is_wait(span.phase) || (has_payload && message.size.count == 0)) // barriers
      continue;
    auto& step = steps[is_core ? std::tuple(true, Phase::sender_core, std::size_t{0}, std::size_t{0})
                               : std::tuple(false, span.phase, span.stage, span.segment)];
    step.time += time;
    constexpr double same = 1e-6; // of two ways there and back the first one is told
    if (!step.longest || time > (1 + same) * (step.longest->end - step.longest->start))
      step.longest = &span;
  }
  Seconds computing;
  for (const auto& rank : trace.ranks)
    computing += rank.compute;
  const auto busiest =
      std::ranges::max_element(trace.ranks, {}, [](const RankTimes& times) { return times.compute + times.overhead; });
  if (const auto busy = (busiest->compute + busiest->overhead) / record.duration; busy > mostly) {
    const auto rank = static_cast<std::size_t>(busiest - trace.ranks.begin());
    return busy_text(fmt::format("the core of rank {} ({})", rank, record.ranks[rank]), busy) +
           (busiest->compute > busiest->overhead ? ", most of it with computing" : "");
  }
  const auto step = std::ranges::max_element(steps, {}, [](const auto& each) { return each.second.time; });
  if (computing.value > 0 && (steps.empty() || computing > step->second.time))
    return "computing";
  if (steps.empty())
    return uses.empty() ? "software" : "software; " + busy_text(uses.front().channel, uses.front().busy);
  if (std::get<bool>(step->first))
    return "cores: overheads and copies";
  const auto& span = *step->second.longest;
  const auto& message = trace.messages[span.message];
  const auto& chain = (*plan.chains)[message.chain];
  return describe({span.phase, span.stage, span.segment}, chain, itinerary_of(chain, message.size).size_of(span.piece),
                  plan.topology->channels());
}

} // namespace

Result<ReasonedRun> run_with_reason(const Scenario& scenario, const EngineOptions& engine) {
  constexpr std::size_t few = 64; // ranks whose messages are looked at one by one
  const auto planned = plan(scenario);
  if (!planned)
    return planned.errors();
  Trace trace;
  trace.keep_messages = scenario.ranks.size() <= few;
  auto record = run(scenario, *planned, &trace, engine);
  if (!record)
    return record.errors();
  auto reason = main_reason(trace, *planned, *record);
  return ReasonedRun{std::move(*record), std::move(reason)};
}

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
  const auto& chain = (*planned->chains)[*planned->chains->find(0, 1)];
  auto effects = effects_of(lone, {&chain}, jobs, progress);
  if (!effects)
    return effects.errors();
  Trace trace;
  trace.keep_messages = false;
  trace.keep_path = true;
  const auto record = run(lone, *planned, &trace);
  if (!record)
    return record.errors();

  const auto& platform = *scenario.platform;
  const auto itinerary = itinerary_of(chain, size);
  MessageExplanation explanation;
  explanation.platform = platform.name;
  explanation.platform_file = platform.file;
  explanation.fabric = scenario.fabric;
  explanation.from = platform.devices[from].name;
  explanation.to = platform.devices[to].name;
  explanation.size = size;
  explanation.piece = itinerary.piece;
  for (std::size_t i = 0; i < chain.stages.size(); ++i)
    explanation.stages.push_back(explain_stage(chain.stages[i], itinerary.costs[i], platform, *planned->topology));
  explanation.total = record->duration;
  std::map<std::string, Seconds> by_step;
  for (const auto& piece : trace.path.pieces) {
    const auto what =
        describe({piece.phase, piece.stage, piece.segment}, chain, piece.part, planned->topology->channels());
    by_step[what] += piece.end - piece.start;
    if (!explanation.waterfall.empty() && explanation.waterfall.back().what == what)
      explanation.waterfall.back().end = piece.end; // pieces of one message
    else
      explanation.waterfall.push_back({what, piece.start, piece.end});
  }
  if (!by_step.empty())
    explanation.bottleneck = std::max_element(by_step.begin(), by_step.end(), [](const auto& a, const auto& b) {
                               return a.second < b.second;
                             })->first;
  std::copy_if(effects->begin(), effects->end(), std::back_inserter(explanation.effects), matters);
  return explanation;
}

Result<RunExplanation> explain_run(const Scenario& scenario, int jobs, const StudyProgress& progress) {
  const auto planned = plan(scenario);
  if (!planned)
    return planned.errors();
  // Which chains are in use is known after a run only; so all that the plan knows of are asked.
  auto effects = effects_of(scenario, chains_of(*planned), jobs, progress);
  if (!effects)
    return effects.errors();
  Trace trace;
  trace.keep_messages = false;
  const auto record = run(scenario, *planned, &trace);
  if (!record)
    return record.errors();
  RunExplanation explanation{
      scenario.name, scenario.platform->name, scenario.fabric, record->duration, record->messages, {}, {}, {}};
  explanation.links = link_uses(trace, *planned, record->duration);
  for (auto& effect : *effects)
    (matters(effect) ? explanation.effects : explanation.without_effect).push_back(std::move(effect));
  return explanation;
}

} // namespace kakehashi
