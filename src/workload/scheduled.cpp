#include "workload/scheduled.hpp"

#include "workload/recorded_gpu_calls.hpp"
#include "workload/replay.hpp"
#include "workload/side_programs.hpp"

#include <fmt/format.h>
#include <map>

namespace kakehashi {
namespace {

using Kind = ScheduledOperation::Kind;

Program run_together(Rank& rank, JointOperation call) {
  co_await rank.perform(call);
}

struct Started {
  std::uint32_t operation;
  Seconds begin;
};

// The operations of a rank that have begun, and those that may begin.
class ScheduleRun {
public:
  ScheduleRun(Rank& rank, const RankSchedule& schedule, ReplaySpeed speed, ScheduleForm form, ReplayWorld* world)
      : rank_(rank), schedule_(schedule), speed_(speed), form_(form), world_(world),
        progress_(schedule, form.sends_in_turn), calls_(rank, MpiProgress::hardware) {
    std::map<std::size_t, std::uint32_t> made;
    for (const auto& call : schedule.collectives)
      numbers_.push_back(made[call.communicator]++);
  }

  std::optional<ScheduleStep> next() { return progress_.next(); }
  bool is_over() const { return open_.empty() && calls_.empty(); }
  std::uint64_t line_of(Request request) const {
    const auto found = open_.find(request.index);
    return found == open_.end() ? 0 : schedule_.operations[found->second.operation].line;
  }

  // Returns the operation of the engine for a step; nothing if it needs none or is a call. It is no coroutine because
  // there are many steps.
  std::optional<Operation> begin(const ScheduleStep& step) {
    const auto& operation = schedule_.operations[step.operation];
    rank_.place.line = operation.line;
    began_ = rank_.clock;
    if (!step.is_triggered)
      progress_.started(step.operation);
    switch (operation.kind) {
    case Kind::work:
      return ComputeOperation{speed_.slowdown * operation.time + operation.flops / speed_.speed,
                              {},
                              !progress_.has_lanes(),
                              false,
                              progress_.has_lanes() ? aside_lane : own_lane};
    case Kind::send: return SendOperation{*operation.peer, operation.size, tag_of(operation), false};
    case Kind::receive: return ReceiveOperation{operation.peer.value_or(any_source), tag_of(operation), false};
    case Kind::test:
      if (step.is_triggered || progress_.holds(step.operation))
        progress_.ended(step.operation);
      return std::nullopt;
    case Kind::put:
    case Kind::append: return put_or_append(step);
    case Kind::collective: break;
    }
    return std::nullopt;
  }

  // Notes that a step has begun, or has ended if it blocks.
  void begun(const ScheduleStep& step, Request request) {
    const auto kind = schedule_.operations[step.operation].kind;
    if (kind == Kind::work && !progress_.has_lanes())
      return progress_.ended(step.operation);
    if (kind == Kind::work)
      progress_.set_busy(step.operation, true);
    if (kind == Kind::send)
      progress_.set_sending(form_.sends_in_turn);
    open_.insert_or_assign(open_.end(), request.index, Started{step.operation, began_});
  }

  // The collective calls that have begun, by operation.
  SidePrograms& calls() { return calls_; }
  bool is_call(const ScheduleStep& step) const { return schedule_.operations[step.operation].kind == Kind::collective; }
  Program call(std::uint32_t index) {
    const auto terms = schedule_.operations[index].terms;
    call_begins_[index] = rank_.clock;
    co_await calls_.start(index, [this, terms](Rank& side) { return program_of_call(side, terms); });
  }
  void call_ended(std::uint64_t key) {
    const auto index = static_cast<std::uint32_t>(key);
    const auto begin = call_begins_.extract(index).mapped();
    world_->times.add(rank_.id, profiled(schedule_.collectives[schedule_.operations[index].terms]),
                      rank_.clock - begin);
    progress_.ended(index);
  }

  std::vector<Request> requests() const {
    std::vector<Request> requests;
    for (const auto& [number, started] : open_)
      requests.push_back({number});
    return requests;
  }

  void ended(Request request) {
    const auto node = open_.extract(request.index);
    if (node.empty()) // it was of a call, or has been seen beside calls
      return;
    const auto [index, begin] = node.mapped();
    const auto& operation = schedule_.operations[index];
    const auto kind = operation.kind;
    if (world_ && kind == Kind::send)
      world_->times.add(rank_.id, {"send", 0, false, operation.size.count}, rank_.clock - begin);
    else if (world_ && kind == Kind::receive)
      world_->times.add(rank_.id, {"recv", 0, false, 0}, rank_.clock - begin);
    if (kind == Kind::work)
      progress_.set_busy(index, false);
    if (kind == Kind::send)
      progress_.set_sending(false);
    if (kind != Kind::put && kind != Kind::append)
      return progress_.ended(index);
    progress_.count(index);
    if (kind == Kind::append && ++taken_[index] < progress_.terms_of(index).messages)
      progress_.repeat(index);
  }

  // Reports a fault if operations still wait for counters, which nothing can raise now.
  Program end() {
    if (const auto waiting = progress_.first_waiting()) {
      const auto& terms = progress_.terms_of(waiting->first);
      rank_.place.line = schedule_.operations[waiting->first].line;
      co_await rank_.fail(input_error(*rank_.place.file, fmt::format("rank {}, {}", rank_.id, rank_.place.text()),
                                      fmt::format("waits for ever for counter {} to reach {}; it got to {}",
                                                  *terms.trigger, terms.threshold, waiting->second)));
    }
  }

private:
  // All ranks of a communicator have its calls in the same order, which tells those apart that the GPUs' library makes.
  Program program_of_call(Rank& side, std::uint32_t terms) {
    const auto& event = schedule_.collectives[terms];
    const auto ranks = world_->communicators[event.communicator].members.size();
    const auto time = world_->gpus ? time_of(*world_->gpus, event, ranks) : std::nullopt;
    if (!time)
      return run_collective(side, *world_, event, static_cast<int>(event.communicator), {});
    return run_together(side, {std::uint64_t{event.communicator} << 32 | numbers_[terms], ranks, *time, true});
  }

  // Receives of any tag take no negative tags.
  int tag_of(const ScheduledOperation& operation) const {
    const int tag = operation.tag.value_or(any_tag);
    return form_.first_collective_tag && tag >= *form_.first_collective_tag ? -tag : tag;
  }

  // Hands a put or an append to the adapter; the rank goes on at once.
  std::optional<Operation> put_or_append(const ScheduleStep& step) {
    const auto& operation = schedule_.operations[step.operation];
    const bool holds = step.is_triggered || progress_.holds(step.operation);
    if (!step.is_triggered)
      progress_.ended(step.operation);
    if (!holds)
      return std::nullopt;
    if (operation.kind == Kind::append && progress_.terms_of(step.operation).messages > 0)
      return ReceiveOperation{operation.peer.value_or(any_source), tag_of(operation), false};
    if (operation.kind == Kind::put && operation.tag)
      return SendOperation{*operation.peer, operation.size, tag_of(operation), false};
    if (operation.kind == Kind::put)
      progress_.count(step.operation);
    return std::nullopt;
  }

  Rank& rank_;
  const RankSchedule& schedule_;
  ReplaySpeed speed_;
  ScheduleForm form_;
  ReplayWorld* world_;
  ScheduleProgress progress_;
  SidePrograms calls_;                    // calls by operation
  std::map<std::uint32_t, Started> open_; // by request
  Seconds began_{};                       // the last operation
  std::map<std::uint32_t, Seconds> call_begins_;
  std::vector<std::uint32_t> numbers_;           // of each call, in its communicator
  std::map<std::uint32_t, std::uint64_t> taken_; // messages that each append has taken
};

} // namespace

Program run_scheduled(Rank& rank, const Schedule& schedule, ReplaySpeed speed, ScheduleForm form, ReplayWorld* world) {
  ScheduleRun run(rank, schedule.ranks[static_cast<std::size_t>(rank.id)], speed, form, world);
  rank.place.file = &schedule.file;
  rank.place.unit = schedule.unit;
  rank.waits_for_any = true;
  rank.line_of = [&run](Request request) { return run.line_of(request); };
  for (;;) {
    if (const auto step = run.next()) {
      if (auto operation = run.begin(*step)) {
        const auto request = co_await rank.perform(std::move(*operation));
        run.begun(*step, request);
      } else if (run.is_call(*step)) {
        co_await run.call(step->operation);
      }
      continue;
    }
    if (run.is_over())
      break;
    Request ended;
    std::optional<std::uint64_t> call;
    if (run.calls().empty())
      ended = co_await rank.wait_for_any();
    else
      co_await run.calls().wait_for_any(run.requests(), ended, call);
    if (call)
      run.call_ended(*call);
    else
      run.ended(ended);
  }
  co_await run.end();
}

} // namespace kakehashi
