// The text after the label in a line of GOAL → the operation, or its fault.
//
//   calc NS, send SIZEb to RANK, recv SIZEb from RANK|-1, each with tag N|-1, cpu N, nic N
//   of LogGOPSim2, as in Portals 4 (README_GOAL):
//   append SIZEb to priority_list allowed RANK|-1 [use_once] [ct COUNTER] tag N     a place for messages
//   put SIZEb to RANK [ct COUNTER] tag N
//   tappend and tput, with `when COUNTER reaches NUMBER`: the same once the rank's counter has got there
//   test COUNTER for NUMBER                                                         waits for it
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kakehashi {

// A line of GOAL as text → its words and numbers, one after the other.
class GoalLine {
public:
  void begin(std::string_view line);
  bool at_end() const { return at_ == tokens_.size(); }
  // Returns the next token, or one after it; empty: there is none.
  std::string_view peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : std::string_view();
  }
  bool is_at_word() const; // whether the next token begins with a letter
  void skip(std::size_t tokens) { at_ += tokens; }
  std::string_view take() { return tokens_[at_++]; }
  bool take(std::string_view token); // takes the token only if it is the next one
  // Takes nothing and returns nothing if the next token is no number, or too small.
  std::optional<std::int64_t> take_number(std::int64_t least = std::numeric_limits<std::int64_t>::min());
  // Returns `got NEXT, expected WHAT`.
  std::string expected(std::string_view what) const;

private:
  std::vector<std::string_view> tokens_;
  std::size_t at_ = 0;
};

struct GoalOperation {
  ScheduledOperation operation;
  std::optional<CounterTerms> terms;
};

// Takes the words that belong to the operation. Returns the fault, or an empty text.
std::string read_goal_operation(GoalLine& line, int ranks, GoalOperation& into);

// The operations of a rank in a GOAL schedule, one after the other → its graph, or its faults.
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

// The puts of all ranks → the number of messages for each place that takes more than one.

// Counts the messages of each append without use_once, which takes all that come. Errors: another append could take
// them; our ranks see that a message has ended, but not which place took it.
Result<Schedule> with_counted_messages(Schedule schedule);

} // namespace kakehashi
