// The operations of a rank in a GOAL schedule, one after the other → its graph, or its faults.
#pragma once

#include "input/trace/goal/goal_operation.hpp"

#include <unordered_map>
#include <utility>

namespace kakehashi {

class GoalGraph {
public:
  struct Fault {
    std::uint64_t line = 0; // number in the graph's `unit`
    std::string message;
  };

  explicit GoalGraph(const char* unit = "line") : unit_(unit) {}

  bool is_begun() const { return is_begun_; }
  bool begin() { return !std::exchange(is_begun_, true); } // true the first time

  // Gives the next operation a label; false if another one has it.
  bool add_label(const std::string& label) {
    return labels_.emplace(label, static_cast<std::uint32_t>(schedule_.operations.size())).second;
  }
  void add(GoalOperation added) {
    if (added.terms) {
      added.operation.terms = static_cast<std::uint32_t>(schedule_.terms.size());
      schedule_.terms.push_back(*added.terms);
    }
    schedule_.operations.push_back(added.operation);
  }
  // Labels may be defined later.
  void add_dependency(std::string after, std::string before, bool on_start, std::uint64_t line) {
    named_.push_back({std::move(after), std::move(before), on_start, line});
  }
  void add_dependency(const Dependency& dependency) { schedule_.dependencies.push_back(dependency); }

  // Called once, at the end. Returns unknown labels, or a cycle.
  std::vector<Fault> finish();
  RankSchedule take() { return std::move(schedule_); }

private:
  struct Named {
    std::string after;
    std::string before;
    bool on_start;
    std::uint64_t line;
  };
  std::optional<Fault> circle() const;

  const char* unit_;
  bool is_begun_ = false;
  RankSchedule schedule_;
  std::unordered_map<std::string, std::uint32_t> labels_;
  std::vector<Named> named_;
};

} // namespace kakehashi
