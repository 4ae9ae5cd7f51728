#include "study/explain/explanations.hpp"

#include "study/run/scenario_run.hpp"
#include "topology/peer_leg.hpp"
#include "topology/search.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

constexpr double mostly = 0.8;

// The time of steps with the same description, and the first ranks that have such a step.
struct Amount {
  Seconds time;
  std::pair<int, int> first;
};

// All shares of one kind of step.
struct Steps {
  Phase phase = Phase::compute;
  Seconds time;
  Seconds contended;
  std::map<std::string, Amount> by_text; // over all ranks
  std::map<int, Amount> by_rank;         // the rank at which the step begins
};

template <class Key> void add(std::map<Key, Amount>& amounts, const Key& key, const PathShare& share) {
  const std::pair ranks(share.from, share.to);
  auto& amount = amounts.try_emplace(key, Amount{{}, ranks}).first->second;
  amount.time += share.time;
  amount.first = std::min(amount.first, ranks);
}

std::vector<Steps> steps_of(const std::vector<PathShare>& shares) {
  std::map<std::pair<Phase, std::size_t>, Steps> sorts;
  for (const auto& share : shares) {
    auto& steps = sorts[{share.phase, share.stage}];
    steps.phase = share.phase;
    steps.time += share.time;
    steps.contended += share.contended;
    add(steps.by_text, share.what, share);
    add(steps.by_rank, share.from, share);
  }
  std::vector<Steps> all;
  for (auto& [sort, steps] : sorts)
    all.push_back(std::move(steps));
  return all;
}

// Of amounts that differ only by rounding, such as both ways of a ping-pong, it returns the one that begins at the
// first rank.
template <class Key> const std::pair<const Key, Amount>& largest(const std::map<Key, Amount>& amounts) {
  constexpr double rounding = 1e-6;
  auto found = amounts.begin();
  for (auto each = amounts.begin(); each != amounts.end(); ++each) {
    const auto& [time, first] = each->second;
    const auto most = found->second.time;
    if (time > (1 + rounding) * most || (time > (1 - rounding) * most && first < found->second.first))
      found = each;
  }
  return *found;
}

// If ranks stand for others, these have the same steps.
std::string core_text(const Steps& steps, bool is_elsewhere, std::span<const std::string> devices) {
  const auto computes = steps.phase == Phase::compute;
  const auto& [rank, amount] = largest(steps.by_rank);
  if (rank < 0 || is_elsewhere || amount.time <= mostly * steps.time)
    return computes ? "computing" : "cores: overheads and copies";
  return fmt::format("{} rank {} ({}){}", computes ? "computing by" : "the core of", rank,
                     devices[static_cast<std::size_t>(rank)], computes ? "" : ": overheads and copies");
}

// If flows share links, the busiest link limits them, whatever limits each of them alone.
std::string flow_text(const Steps& steps, bool is_elsewhere, const std::vector<LinkUse>& links) {
  const auto is_shared = steps.contended > 0.5 * steps.time;
  if (!links.empty() && (is_shared || links.front().busy > mostly))
    return fmt::format("flow{}, with {} busy {:.0f} % of the time", is_shared ? " over shared links" : "",
                       links.front().channel, 100 * links.front().busy);
  const auto& [text, amount] = largest(steps.by_text);
  return amount.time > mostly * steps.time && !is_elsewhere ? text : text + ", and other flows";
}

} // namespace

Reason main_reason(const RunSummary& summary, std::span<const std::string> devices) {
  const auto sorts = steps_of(summary.shares);
  const auto steps = std::ranges::max_element(sorts, {}, &Steps::time);
  if (steps == sorts.end() || summary.duration.value <= 0)
    return {"nothing that takes time", 0};
  const bool is_elsewhere = summary.standing_ranks > 0;
  Reason reason{"", std::min(1.0, steps->time / summary.duration)};
  if (steps->phase == Phase::compute || steps->phase == Phase::sender_core)
    reason.what = core_text(*steps, is_elsewhere, devices);
  else if (steps->phase == Phase::flow)
    reason.what = flow_text(*steps, is_elsewhere, summary.links);
  else
    reason.what = largest(steps->by_text).first;
  return reason;
}

Result<ReasonedRun> run_with_reason(const Scenario& scenario, const EngineOptions& engine) {
  const auto planned = plan(scenario, engine);
  if (!planned)
    return planned.errors();
  Recording recording;
  recording.keep_path = true;
  auto record = run(scenario, *planned, &recording);
  if (!record)
    return record.errors();
  auto reason = main_reason(summarise(recording, *planned, *record), record->ranks);
  return ReasonedRun{std::move(*record), std::move(reason)};
}

namespace {

// Returns the devices of a kind that are joined to a socket, except one.
std::vector<std::string> devices_on(const Platform& platform, std::size_t socket, DeviceKind kind, std::size_t but) {
  std::vector<std::string> names;
  for (const auto& link : platform.links)
    for (const auto& [end, other] : {std::pair(link.from, link.to), std::pair(link.to, link.from)})
      if (other == socket && end != but && platform.devices[end].kind == kind)
        names.push_back(platform.devices[end].name);
  return names;
}

} // namespace

std::vector<Crossing> crossings_of(const Path& path, const Platform& platform) {
  std::vector<std::size_t> directions;
  std::ranges::copy_if(path.route.channels, std::back_inserter(directions),
                       [&](std::size_t channel) { return channel < 2 * platform.links.size(); });
  std::vector<Crossing> crossings;
  for (const auto& leg : peer_legs(platform, *path.terms.fabric, directions, path.to, path.terms.initiator)) {
    const auto& limit = platform.peer_limits[leg.limit];
    const auto near = head_of(platform, directions[leg.begin]);
    const auto far = tail_of(platform, directions[leg.end - 1]);
    // It needs a link to one socket, one between sockets, and one from the other.
    if (!limit.crosses || leg.end - leg.begin < 3)
      continue;
    const bool is_read = limit.access == MemoryAccess::read; // the device that gets the data reads
    Crossing crossing{platform.devices[leg.from].name,
                      platform.devices[near].name,
                      platform.devices[leg.to].name,
                      platform.devices[far].name,
                      limit.access,
                      *limit.crosses,
                      limit.rate,
                      devices_on(platform, is_read ? far : near, limit.memory, is_read ? leg.to : leg.from)};
    crossings.push_back(std::move(crossing));
  }
  return crossings;
}

} // namespace kakehashi
