#include "study/run/scenario_run.hpp"

#include "base/text.hpp"
#include "transport/cost.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kakehashi {
namespace {

// Returns the time that the steps of a sort would save if nothing else used their links.
Seconds contended(const PathSort& sort, const PathTotal& total, const Path& path, const std::deque<Channel>& channels) {
  const auto rate = lone_rate(path, cost_of(path.terms, sort.part), sort.leg, channels);
  const auto alone = rate ? static_cast<double>(total.steps) * (sort.part / *rate) : total.time;
  constexpr double rounding = 1e-9;
  return total.time > (1 + rounding) * alone ? total.time - alone : Seconds{};
}

std::string describe(Phase phase, std::size_t stage, const Way& way) {
  const auto name = name_of(phase_names, phase);
  if (way.stages.size() == 1)
    return std::string(name);
  const auto& path = way.stages[std::min(stage, way.stages.size() - 1)];
  return fmt::format("stage {} ({}): {}", stage, path.terms.fabric->name, name);
}

// A copy by cores waits for the busiest of the channels that it loads.
std::string memory_text(const PathSort& sort, const Plan& plan, const std::vector<double>& channel_bytes) {
  const auto is_of_message = sort.from >= 0 && sort.size.count > 0;
  const auto& platform = plan.ways->platform();
  if (is_of_message) {
    const auto& all = plan.topology->channels();
    const auto channels = channels_of((*plan.ways)[sort.way].stages.front(), 0, {true, true}, platform);
    const auto use = [&](std::size_t channel) {
      return channel < channel_bytes.size() ? channel_bytes[channel] / all[channel].capacity.value : 0;
    };
    const auto busiest = std::ranges::max_element(channels, {}, use);
    const auto& domains = (*plan.ways)[sort.way].stages.front().domains;
    if (busiest != channels.end() && (*busiest < 2 * platform.links.size() || *busiest == domains))
      return all[*busiest].name + ": what copies wait for";
  }
  return "memory: what copies and work wait for";
}

PathShare share_of(const PathSort& sort, const PathTotal& total, const Plan& plan,
                   const std::vector<double>& channel_bytes) {
  PathShare share{"", sort.phase, sort.stage, sort.from, sort.to, total.time, {}, total.steps};
  if (sort.phase == Phase::compute) {
    share.what = "compute";
  } else if (sort.phase == Phase::host_copy || sort.phase == Phase::joint) {
    share.what = name_of(phase_names, sort.phase);
  } else if (sort.phase == Phase::memory) {
    share.what = memory_text(sort, plan, channel_bytes);
  } else if (sort.phase == Phase::sender_core || sort.phase == Phase::receiver_core) {
    share.what = "core: overheads and copies";
    share.phase = Phase::sender_core;
    share.stage = 0;
  } else if (sort.from < 0 && sort.size.count == 0) { // a sort with all sizes and ways
    share.what = name_of(phase_names, sort.phase);
  } else {
    const auto& way = (*plan.ways)[sort.way];
    const auto& channels = plan.topology->channels();
    share.what = sort.from < 0 ? describe(sort.phase, sort.stage, way)
                               : describe({sort.phase, sort.stage, sort.leg}, way, sort.part, channels,
                                          plan.ways->platform().rate_unit);
    if (sort.phase == Phase::flow)
      share.contended = contended(sort, total, way.stages[sort.stage], channels);
  }
  return share;
}

std::vector<PathShare> shares_of(const PathLog& path, const Plan& plan, const std::vector<double>& channel_bytes) {
  std::map<std::tuple<std::string, int, int>, PathShare> by_text; // sizes and phases may have the same text
  for (const auto& [sort, total] : path.totals()) {
    const auto share = share_of(sort, total, plan, channel_bytes);
    const auto [found, is_new] = by_text.try_emplace({share.what, share.from, share.to}, share);
    if (is_new)
      continue;
    found->second.time += share.time;
    found->second.contended += share.contended;
    found->second.steps += share.steps;
  }
  std::vector<PathShare> shares;
  for (auto& [text, share] : by_text)
    shares.push_back(std::move(share));
  std::stable_sort(shares.begin(), shares.end(),
                   [](const PathShare& a, const PathShare& b) { return a.time > b.time; });
  return shares;
}

} // namespace

RunSummary summarise(const Recording& recording, const Plan& plan, const RunRecord& record) {
  return {plan.ways->platform().rate_unit,
          record.duration,
          recording.ranks,
          shares_of(recording.path.log, plan, recording.channel_bytes),
          recording.path.log.groups(),
          link_uses(recording, plan, record.duration),
          recording.traffic,
          recording.standing_ranks,
          std::nullopt,
          false};
}

Efficiencies efficiencies_of(const std::vector<RankTimes>& ranks, Seconds duration, std::optional<Seconds> ideal) {
  Efficiencies found;
  Seconds sum, most;
  for (const auto& times : ranks) {
    sum += times.compute;
    most = std::max(most, times.compute);
  }
  if (most.value <= 0 || duration.value <= 0)
    return found;
  found.load_balance = sum / most / static_cast<double>(ranks.size());
  found.communication = most / duration;
  found.parallel = found.load_balance * found.communication;
  if (!ideal || ideal->value <= 0)
    return found;
  found.ideal = ideal;
  found.serialisation = most / *ideal;
  found.transfer = *ideal / duration;
  return found;
}

Result<Seconds> ideal_time(const Scenario& scenario, const RunPlan& plan) {
  auto ideal = plan;
  ideal.is_ideal = true;
  ideal.options = {};
  ideal.options.kind = EngineKind::fluid;
  ideal.options.whole = true;
  const auto record = run(scenario, ideal);
  if (!record)
    return record.errors();
  return record->duration;
}

std::vector<LinkUse> link_uses(const Recording& recording, const Plan& plan, Seconds duration) {
  // Bytes that are still under way at the end of the run, since no rank receives them, do not count.
  const auto share = [&](double time) { return time < duration.value ? time / duration.value : 1; };
  std::vector<LinkUse> uses;
  for (std::size_t channel = 0; channel < recording.channel_bytes.size(); ++channel) {
    const auto& known = plan.topology->channels()[channel];
    const auto carried = recording.channel_bytes[channel];
    if (carried > 0)
      uses.push_back({known.name, known.capacity, carried, share(carried / known.capacity.value)});
  }
  std::stable_sort(uses.begin(), uses.end(), [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
  return uses;
}

std::string describe(const MessageStep& step, const Way& way, Bytes piece, const std::deque<Channel>& channels,
                     RateUnit unit) {
  const auto text = describe(step.phase, step.stage, way);
  if (step.phase != Phase::flow)
    return text;
  const auto& path = way.stages[step.stage];
  const auto cost = cost_of(path.terms, piece);
  const auto rate = lone_rate(path, cost, step.leg, channels);
  const auto narrowest = bottleneck(path.route.leg(step.leg), channels);
  const bool by_cap = cost.cap && (!narrowest || *cost.cap < channels[*narrowest].capacity);
  return fmt::format("{}{}{}", text, path.terms.stripes > 1 ? fmt::format(" in {} stripes", path.terms.stripes) : "",
                     rate ? fmt::format(" at {} {}, limited by {}", four_digits(unit.of(*rate)), unit.name(),
                                        by_cap ? "the cap" : channels[*narrowest].name)
                          : "");
}

} // namespace kakehashi
