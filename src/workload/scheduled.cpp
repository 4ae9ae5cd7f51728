#include "workload/scheduled.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace kakehashi {
namespace {

// Which operations of a rank may start.
class Progress {
public:
  Progress(const RankSchedule& schedule, bool in_turn)
      : schedule_(schedule), open_(schedule.operations.size()), in_turn_(in_turn) {
    for (const auto& operation : schedule.operations)
      if (operation.kind == ScheduledOperation::Kind::work)
        lanes_[operation.cpu];
    for (const auto& dependency : schedule.dependencies)
      ++open_[dependency.after];
    for (std::uint32_t i = 0; i < open_.size(); ++i)
      if (open_[i] == 0)
        make_ready(i);
  }

  // The next one to start; nothing if all that are left have to wait.
  std::optional<std::uint32_t> next() {
    if (!receives_.empty())
      return take(receives_);
    if (!sends_.empty() && !is_sending_)
      return take(sends_);
    for (auto& [cpu, lane] : lanes_)
      if (!lane.is_busy && !lane.ready.empty())
        return take(lane.ready);
    return std::nullopt;
  }
  bool has_lanes() const { return lanes_.size() > 1; }
  void set_busy(std::uint32_t operation, bool is_busy) { lanes_[cpu_of(operation)].is_busy = is_busy; }
  void set_sending(bool is_sending) { is_sending_ = is_sending; }
  void started(std::uint32_t operation) { release(operation, true); }
  void ended(std::uint32_t operation) { release(operation, false); }

private:
  struct Lane { // of a CPU
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
    using enum ScheduledOperation::Kind;
    const auto kind = schedule_.operations[operation].kind;
    (kind == receive            ? receives_
     : kind == send && in_turn_ ? sends_
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
  std::vector<std::uint32_t> open_; // dependencies of each operation that it still waits for
  std::deque<std::uint32_t> receives_;
  std::deque<std::uint32_t> sends_; // that leave in turn
  std::map<int, Lane> lanes_;       // of what else there is, by CPU
  bool in_turn_;
  bool is_sending_ = false;
};

struct Started {
  Request request;
  std::uint32_t operation;
};

} // namespace

Program run_scheduled(Rank& rank, const Schedule& schedule, double slowdown, bool in_turn) {
  const auto& mine = schedule.ranks[static_cast<std::size_t>(rank.id)];
  Progress progress(mine, in_turn);
  std::vector<Started> open;
  const auto place_of = [&open](Request request) {
    return std::ranges::find(open, request.index, [](const Started& each) { return each.request.index; });
  };
  rank.place.file = &schedule.file;
  rank.place.unit = schedule.unit;
  rank.line_of = [&](Request request) {
    const auto found = place_of(request);
    return found == open.end() ? 0 : mine.operations[found->operation].line;
  };
  for (;;) {
    if (const auto next = progress.next()) {
      const auto& operation = mine.operations[*next];
      rank.place.line = operation.line;
      progress.started(*next);
      if (operation.kind == ScheduledOperation::Kind::work && progress.has_lanes()) {
        progress.set_busy(*next, true);
        const auto request = co_await rank.icompute(slowdown * operation.time);
        open.push_back({request, *next});
      } else if (operation.kind == ScheduledOperation::Kind::work) {
        co_await rank.compute(slowdown * operation.time);
        progress.ended(*next);
      } else if (operation.kind == ScheduledOperation::Kind::send) {
        const auto request = co_await rank.isend(*operation.peer, operation.size, operation.tag.value_or(0));
        open.push_back({request, *next});
        progress.set_sending(in_turn);
      } else {
        const auto request =
            co_await rank.ireceive(operation.peer.value_or(any_source), operation.tag.value_or(any_tag));
        open.push_back({request, *next});
      }
      continue;
    }
    if (open.empty())
      co_return;
    std::vector<Request> requests;
    for (const auto& each : open)
      requests.push_back(each.request);
    const auto ended = co_await rank.wait_any(std::move(requests));
    const auto found = place_of(ended);
    const auto operation = found->operation;
    open.erase(found);
    if (mine.operations[operation].kind == ScheduledOperation::Kind::work)
      progress.set_busy(operation, false);
    if (mine.operations[operation].kind == ScheduledOperation::Kind::send)
      progress.set_sending(false);
    progress.ended(operation);
  }
}

} // namespace kakehashi
