// A schedule → the program of one of its ranks. An operation starts when those it depends on have ended, or started.
//
// Receives are posted first. Sends and work follow on each CPU of the rank in the order in which they became ready. A
// rank with several CPUs does their work at the same time, and the messages' cost on its first core waits for no work.
// The same holds for a rank with counters: its core is then the adapter, which does what counters start.
#pragma once

#include "model/schedule.hpp"
#include "workload/program.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace kakehashi {

// A rank's graph of operations → the operations that may start, as others start and end and counters rise.

// The counters of a rank and the operations that wait for them.
class RankCounters {
public:
  // Returns whether the operation's condition holds; if not, `count` returns the operation once it does.
  bool holds(const CounterTerms& terms, std::uint32_t operation) {
    auto& counter = counters_[*terms.trigger];
    if (counter.value >= terms.threshold)
      return true;
    counter.waiting.emplace(terms.threshold, operation);
    return false;
  }
  // Returns a waiting operation and the value of its counter, if any operation waits.
  std::optional<std::pair<std::uint32_t, std::uint64_t>> first_waiting() const {
    for (const auto& [id, counter] : counters_)
      if (!counter.waiting.empty())
        return std::pair(counter.waiting.begin()->second, counter.value);
    return std::nullopt;
  }
  // Raises a counter by one; returns the operations whose condition now holds.
  std::vector<std::uint32_t> count(std::uint32_t counter_id) {
    auto& counter = counters_[counter_id];
    ++counter.value;
    const auto end = counter.waiting.upper_bound(counter.value);
    std::vector<std::uint32_t> released;
    for (auto at = counter.waiting.begin(); at != end; ++at)
      released.push_back(at->second);
    counter.waiting.erase(counter.waiting.begin(), end);
    return released;
  }

private:
  struct Counter {
    std::uint64_t value = 0;
    std::multimap<std::uint64_t, std::uint32_t> waiting; // operations by threshold
  };
  std::map<std::uint32_t, Counter> counters_;
};

// The next step: an operation begins, or one that a counter held back goes on.
struct ScheduleStep {
  std::uint32_t operation;
  bool is_triggered;
};

// Chooses the operations of a rank that may start.
class ScheduleProgress {
public:
  ScheduleProgress(const RankSchedule& schedule, bool in_turn)
      : schedule_(schedule), open_(schedule.operations.size()), in_turn_(in_turn) {
    for (const auto& operation : schedule.operations)
      if (operation.kind == ScheduledOperation::Kind::work || operation.cpu == ScheduledOperation::no_cpu)
        lanes_[operation.cpu];
    for (const auto& dependency : schedule.dependencies)
      ++open_[dependency.after];
    for (std::uint32_t i = 0; i < open_.size(); ++i)
      if (open_[i] == 0)
        make_ready(i);
  }

  // Returns the next step; nothing if all remaining operations have to wait.
  std::optional<ScheduleStep> next() {
    if (!triggered_.empty())
      return ScheduleStep{take(triggered_), true};
    if (!receives_.empty())
      return ScheduleStep{take(receives_), false};
    if (!sends_.empty() && !is_sending_)
      return ScheduleStep{take(sends_), false};
    for (auto& [cpu, lane] : lanes_)
      if (!lane.is_busy && !lane.ready.empty())
        return ScheduleStep{take(lane.ready), false};
    return std::nullopt;
  }
  // Whether some work overlaps with messages: work of other CPUs, or of an adapter that counters start.
  bool has_lanes() const { return lanes_.size() > 1 || !schedule_.terms.empty() || !schedule_.collectives.empty(); }
  void set_busy(std::uint32_t operation, bool is_busy) { lanes_[cpu_of(operation)].is_busy = is_busy; }
  void set_sending(bool is_sending) { is_sending_ = is_sending; }
  void started(std::uint32_t operation) { release(operation, true); }
  void ended(std::uint32_t operation) { release(operation, false); }

  const CounterTerms& terms_of(std::uint32_t operation) const {
    return schedule_.terms[schedule_.operations[operation].terms];
  }
  // Whether it may go on now; if not, it becomes a triggered step later.
  bool holds(std::uint32_t operation) {
    return !terms_of(operation).trigger || counters_.holds(terms_of(operation), operation);
  }
  auto first_waiting() const { return counters_.first_waiting(); }
  // Begins an append again.
  void repeat(std::uint32_t operation) { triggered_.push_back(operation); }
  void count(std::uint32_t operation) {
    if (const auto counter = terms_of(operation).counter)
      for (const auto released : counters_.count(*counter))
        triggered_.push_back(released);
  }

private:
  struct Lane { // the work of one CPU
    std::deque<std::uint32_t> ready;
    bool is_busy = false;
  };

  static std::uint32_t take(std::deque<std::uint32_t>& queue) {
    const auto operation = queue.front();
    queue.pop_front();
    return operation;
  }
  int cpu_of(std::uint32_t operation) const { return schedule_.operations[operation].cpu; }
  void make_ready(std::uint32_t operation) {
    const auto kind = schedule_.operations[operation].kind;
    (kind == ScheduledOperation::Kind::receive || kind == ScheduledOperation::Kind::append ? receives_
     : kind == ScheduledOperation::Kind::send && in_turn_                                  ? sends_
                                                          : lanes_[cpu_of(operation)].ready)
        .push_back(operation);
  }
  void release(std::uint32_t operation, bool on_start) {
    const auto& all = schedule_.dependencies;
    for (auto at = std::ranges::lower_bound(all, operation, {}, &Dependency::before);
         at != all.end() && at->before == operation; ++at)
      if (at->on_start == on_start && --open_[at->after] == 0)
        make_ready(at->after);
  }

  const RankSchedule& schedule_;
  std::vector<std::uint32_t> open_; // the number of dependencies for which each operation still waits
  std::deque<std::uint32_t> receives_;
  std::deque<std::uint32_t> sends_;     // sends that leave in turn
  std::deque<std::uint32_t> triggered_; // operations that a counter held back, or that begin again
  std::map<int, Lane> lanes_;           // all other operations, by CPU
  RankCounters counters_;
  bool in_turn_;
  bool is_sending_ = false;
};

struct ReplayWorld;
struct ReplaySpeed;

struct ScheduleForm {
  bool sends_in_turn = false;                   // a send starts when the previous one has left
  std::optional<int> first_collective_tag = {}; // receives of any tag take no message with this tag or a higher one
};

// The schedule and the world must outlive the program. `world` is for collective calls; null if there are none. These
// calls take their steps at any time and on no core of the rank, as calls of devices do.
Program run_scheduled(Rank& rank, const Schedule& schedule, ReplaySpeed speed, ScheduleForm form, ReplayWorld* world);

} // namespace kakehashi
