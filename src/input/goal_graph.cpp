#include "input/goal_graph.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// How many dependencies each operation has still to wait for once all that can be done is done; all 0 without circles.
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

// l1 (line 3) waits for l2 (line 4), which waits for l1 (line 3).
std::optional<GoalGraph::Fault> GoalGraph::circle() const {
  const auto open = left_over(schedule_);
  auto at = static_cast<std::uint32_t>(std::ranges::find_if(open, [](auto count) { return count > 0; }) - open.begin());
  if (at == open.size())
    return std::nullopt;
  const auto& dependencies = schedule_.dependencies;
  std::vector<std::uint32_t> path; // each waits for the next one, which is left over too
  while (std::ranges::find(path, at) == path.end()) {
    path.push_back(at);
    at = std::ranges::find_if(dependencies, [&](const Dependency& each) {
           return each.after == at && open[each.before] > 0;
         })->before;
  }
  path.erase(path.begin(), std::ranges::find(path, at));
  path.push_back(at);
  const auto name_of = [&](std::uint32_t operation) {
    for (const auto& [label, index] : labels_)
      if (index == operation)
        return label;
    return std::string("an operation");
  };
  std::string text = "a circle: ";
  for (std::size_t i = 0; i < path.size(); ++i)
    text += fmt::format("{}{} (line {})",
                        i == 0   ? ""
                        : i == 1 ? " waits for "
                                 : ", which waits for ",
                        name_of(path[i]), schedule_.operations[path[i]].line);
  return Fault{schedule_.operations[path.front()].line, std::move(text)};
}

std::vector<GoalGraph::Fault> GoalGraph::finish() {
  constexpr std::size_t most_told = 20;
  std::vector<Fault> faults;
  for (const auto& [after, before, on_start, line] : named_) {
    const auto of = [&](const std::string& label) {
      const auto found = labels_.find(label);
      const bool is_known = found != labels_.end() && found->second < schedule_.operations.size();
      if (!is_known && faults.size() < most_told)
        faults.push_back({line, fmt::format("got the label {}, expected one of an operation of this rank", label)});
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
