#include "input/trace/goal/goal_operation.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Returns how many dependencies each operation still waits for once everything that can run has run; all 0 if there are
// no cycles.
std::vector<std::uint32_t> left_over(const RankSchedule& schedule) {
  const auto& dependencies = schedule.dependencies;
  std::vector<std::uint32_t> open(schedule.operations.size());
  for (const auto& dependency : dependencies)
    ++open[dependency.after];
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < open.size(); ++i)
    if (open[i] == 0)
      ready.push_back(i);
  while (!ready.empty()) {
    const auto done = ready.back();
    ready.pop_back();
    for (auto at = std::ranges::lower_bound(dependencies, done, {}, &Dependency::before);
         at != dependencies.end() && at->before == done; ++at)
      if (--open[at->after] == 0)
        ready.push_back(at->after);
  }
  return open;
}

} // namespace

// Describes a cycle: l1 (line 3) waits for l2 (line 4), which waits for l1 (line 3).
std::optional<GoalGraph::Fault> GoalGraph::circle() const {
  constexpr std::size_t most_told = 8;
  const auto open = left_over(schedule_);
  const auto first = std::ranges::find_if(open, [](auto count) { return count > 0; });
  if (first == open.end())
    return std::nullopt;
  std::vector<std::uint32_t> waits_for(open.size()); // another operation for each one, which also remains
  for (auto each = schedule_.dependencies.rbegin(); each != schedule_.dependencies.rend(); ++each)
    if (open[each->before] > 0)
      waits_for[each->after] = each->before;
  auto begin = static_cast<std::uint32_t>(first - open.begin()); // may lead into the cycle from outside
  for (std::vector<bool> is_seen(open.size()); !is_seen[begin]; begin = waits_for[begin])
    is_seen[begin] = true;
  std::size_t length = 1;
  for (auto at = waits_for[begin]; at != begin; at = waits_for[at])
    ++length;
  const auto name_of = [&](std::uint32_t operation) {
    const auto found = std::ranges::find(labels_, operation, [](const auto& entry) { return entry.second; });
    return fmt::format("{} ({} {})", found == labels_.end() ? "an operation" : found->first, unit_,
                       schedule_.operations[operation].line);
  };
  std::string text = "a circle: " + name_of(begin);
  auto at = begin;
  for (std::size_t i = 0; i < std::min(length, most_told); ++i) {
    at = waits_for[at];
    text += fmt::format("{} waits for {}", i == 0 ? "" : ", which", name_of(at));
  }
  if (length > most_told)
    text += fmt::format(", and so on for {} more", length - most_told);
  return Fault{schedule_.operations[begin].line, std::move(text)};
}

std::vector<GoalGraph::Fault> GoalGraph::finish() {
  constexpr std::size_t most_told = 20;
  std::vector<Fault> faults;
  for (const auto& [after, before, on_start, place] : named_) {
    const auto of = [&, line = place](const std::string& label) {
      const auto found = labels_.find(label);
      const bool is_known = found != labels_.end() && found->second < schedule_.operations.size();
      if (!is_known && faults.size() < most_told)
        faults.push_back(
            {line, fmt::format("got the label {}, expected the label of an operation of this rank", label)});
      return is_known ? found->second : 0;
    };
    schedule_.dependencies.push_back({of(before), of(after), on_start});
  }
  named_ = {};
  std::ranges::stable_sort(schedule_.dependencies, {}, &Dependency::before);
  if (!faults.empty())
    return faults;
  if (auto found = circle())
    faults.push_back(std::move(*found));
  labels_.clear();
  return faults;
}

} // namespace kakehashi
