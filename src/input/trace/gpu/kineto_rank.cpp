#include "input/trace/gpu/kineto_rank.hpp"

#include "base/text.hpp"
#include "input/trace/gpu/group_calls.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

namespace kakehashi {
namespace {

constexpr std::size_t most_streams = 256;

std::string no_work_text(const std::map<std::string, std::size_t>& categories) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& [category, count] : categories)
    found.emplace_back(count, category);
  std::ranges::sort(found, std::greater());
  constexpr std::size_t most = 5;
  found.resize(std::min(found.size(), most));
  std::string text;
  for (const auto& [count, category] : found)
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", counted(count, "event"), shortened(category, 40));
  return fmt::format("no kernel or copy of a GPU, but {}; torch.profiler writes them with ProfilerActivity.CUDA",
                     text.empty() ? "no events" : text);
}

} // namespace

// Sorts events into the device's operations by stream, and the host's calls and waits; each list is in the order of
// time.
void KinetoRank::sort_events(KinetoTrace trace, const KinetoGroups& groups) {
  std::ranges::stable_sort(trace.events, {}, &KinetoEvent::begin);
  std::unordered_map<std::int64_t, std::pair<double, std::int64_t>> launches;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> places;
  for (const auto& event : trace.events)
    if (event.kind == KinetoEvent::Kind::launch)
      launches.emplace(*event.correlation, std::pair{event.begin, event.thread});
  std::vector<KinetoEvent> on_device;
  for (auto& event : trace.events) {
    if (event.kind == KinetoEvent::Kind::launch)
      continue;
    const double end = event.begin + event.duration;
    if (event.kind == KinetoEvent::Kind::call) {
      if (!event.call)
        continue;
      auto& list = is_wait(*event.call) ? waits_ : calls_;
      if (is_wait(*event.call) || moves_anything(*event.call))
        list.push_back({event.index, event.begin, end, event.thread, event.external, event.call, 0, std::nullopt});
      continue;
    }
    const auto place = places.emplace(std::pair{event.device, event.stream}, places.size()).first->second;
    if (place >= streams_.size())
      streams_.resize(place + 1);
    auto& stream = streams_[place];
    Operation operation{event.index, event.begin, end, event.begin, 0, place, event.is_nccl};
    const auto launch = event.correlation ? launches.find(*event.correlation) : launches.end();
    if (launch != launches.end())
      std::tie(operation.launched, operation.thread) = launch->second;
    if (!stream.operations.empty()) // device clocks are rounded
      operation.begin = std::max(operation.begin, operations_[stream.operations.back()].end);
    operation.end = std::max(operation.begin, end);
    stream.operations.push_back(static_cast<std::uint32_t>(operations_.size()));
    stream.of_nccl += event.is_nccl;
    operations_.push_back(std::move(operation));
    on_device.push_back(std::move(event));
  }
  assign_calls(on_device, groups);
}

// Assigns each call to its kernel: the kernel that names the same operation of the host, or states the call itself;
// else the first one that the same thread launches after the call, as for calls between ncclGroupStart and
// ncclGroupEnd. A call of one rank needs no kernel.
void KinetoRank::assign_calls(const std::vector<KinetoEvent>& kernels, const KinetoGroups& groups) {
  std::unordered_map<std::int64_t, std::size_t> by_external;
  for (std::size_t i = 0; i < calls_.size(); ++i)
    if (calls_[i].external)
      by_external.emplace(*calls_[i].external, i);
  const auto recorded = calls_.size();
  std::vector<std::uint32_t> later; // kernels without a call of their own, by launch
  for (std::uint32_t i = 0; i < kernels.size(); ++i) {
    const auto& kernel = kernels[i];
    if (!kernel.is_nccl)
      continue;
    const auto found = kernel.external ? by_external.find(*kernel.external) : by_external.end();
    if (found != by_external.end()) {
      operations_[i].goes_on = std::exchange(calls_[found->second].has_kernel, true);
      if (!operations_[i].goes_on)
        operations_[i].calls.push_back(found->second);
    } else if (recorded == 0 && kernel.call && moves_anything(*kernel.call)) {
      operations_[i].calls.push_back(calls_.size());
      calls_.push_back({kernel.index, kernel.begin, kernel.begin, 0, std::nullopt, kernel.call, 0, std::nullopt, true});
    } else
      later.push_back(i);
  }
  leave_outer_calls();
  std::ranges::stable_sort(later, {}, [&](auto i) { return operations_[i].launched; });
  std::map<std::int64_t, std::vector<std::uint32_t>> by_thread;
  for (const auto i : later)
    by_thread[operations_[i].thread].push_back(i);
  for (std::size_t i = 0; i < recorded; ++i) {
    auto& call = calls_[i];
    if (call.has_kernel || !call.stated)
      continue;
    const auto thread = by_thread.find(call.thread);
    auto& candidates = thread == by_thread.end() ? by_thread[0] : thread->second;
    const auto kernel =
        std::ranges::lower_bound(candidates, call.begin, {}, [&](auto each) { return operations_[each].launched; });
    call.has_kernel = kernel != candidates.end();
    if (call.has_kernel)
      operations_[*kernel].calls.push_back(i);
    else
      gaps_.lost += !groups.is_alone(*call.stated);
  }
  for (const auto i : later)
    gaps_.unnamed += operations_[i].calls.empty();
  add_waits();
}

// Removes a barrier that calls an allreduce, which has the kernel.
void KinetoRank::leave_outer_calls() {
  for (std::size_t i = 0; i + 1 < calls_.size(); ++i) {
    auto& call = calls_[i];
    const auto& next = calls_[i + 1];
    if (!call.has_kernel && next.thread == call.thread && next.begin >= call.begin && next.end <= call.end &&
        next.end > next.begin)
      call.stated = nullptr;
  }
}

// Makes the first work that the host launches after a wait depend on the call.
void KinetoRank::add_waits() {
  std::map<std::pair<std::string, std::int64_t>, std::uint32_t> by_number;
  for (std::uint32_t i = 0; i < operations_.size(); ++i)
    for (const auto call : operations_[i].calls)
      if (const auto& stated = *calls_[call].stated; stated.number && !is_message(stated))
        by_number.emplace(std::pair{stated.group, *stated.number}, i);
  if (by_number.empty() || waits_.empty())
    return;
  std::vector<std::uint32_t> by_launch;
  for (std::uint32_t i = 0; i < operations_.size(); ++i)
    if (!operations_[i].is_nccl)
      by_launch.push_back(i);
  const auto launched = [&](auto i) { return operations_[i].launched; };
  std::ranges::stable_sort(by_launch, {}, launched);
  for (const auto& wait : waits_) {
    const auto found =
        wait.stated->number ? by_number.find({wait.stated->group, *wait.stated->number}) : by_number.end();
    const auto next = std::ranges::lower_bound(by_launch, wait.begin, {}, launched);
    if (found != by_number.end() && next != by_launch.end() &&
        operations_[*next].begin >= operations_[found->second].end && *next > found->second)
      operations_[*next].after.push_back(found->second);
  }
}

Errors KinetoRank::resolve(KinetoGroups& groups) {
  FaultReasons faults("event");
  const auto fault = [&](const Call& call, std::string message) {
    faults.add(fmt::format("/traceEvents/{}", call.index), std::move(message));
  };
  for (auto& call : calls_) {
    if (!call.has_kernel || !call.stated)
      continue;
    auto place = groups.find(*call.stated);
    if (auto* reason = std::get_if<std::string>(&place)) {
      fault(call, std::move(*reason));
      continue;
    }
    call.group = std::get<std::size_t>(place);
    const auto& members = groups.list()[call.group].members;
    if (std::ranges::find(members, rank_) == members.end()) {
      fault(call,
            fmt::format("a call in process group {}, which rank {} is not in", in_quotes(call.stated->group), rank_));
      continue;
    }
    bool is_assumed = false;
    auto action = action_of(*call.stated, {call.group, members}, is_assumed);
    gaps_.assumed += is_assumed;
    if (auto* reason = std::get_if<std::string>(&action))
      fault(call, std::move(*reason));
    else if (auto* collective = std::get_if<CollectiveEvent>(&action))
      call.action = std::move(*collective);
    else
      call.action = std::get<KinetoMessage>(action);
  }
  return faults.take(file_);
}

Errors KinetoRank::read(KinetoTrace trace, KinetoGroups& groups) {
  groups.begin_trace(trace.groups);
  const auto categories = std::move(trace.categories);
  sort_events(std::move(trace), groups);
  if (operations_.empty())
    return {file_error(ErrorKind::input, file_, no_work_text(categories))};
  if (streams_.size() > most_streams)
    return {file_error(ErrorKind::input, file_, mismatch(counted(streams_.size(), "stream"), "at most 256"))};
  if (operations_.size() >= std::numeric_limits<std::uint32_t>::max() / 2)
    return {file_error(ErrorKind::input, file_, "more than two thousand million events of the device")};
  const bool needs_kernels =
      std::ranges::any_of(calls_, [&](const Call& call) { return call.stated && !groups.is_alone(*call.stated); });
  if (needs_kernels && std::ranges::none_of(operations_, &Operation::is_nccl))
    return {file_error(ErrorKind::input, file_,
                       "got calls, but no kernel of NCCL; torch.profiler writes those of the GPU with "
                       "ProfilerActivity.CUDA")};
  return resolve(groups);
}

std::map<std::size_t, KinetoRank::Numbers> KinetoRank::numbers() const {
  std::map<std::size_t, Numbers> found;
  for (const auto& call : calls_) {
    if (!call.action || !std::holds_alternative<CollectiveEvent>(*call.action))
      continue;
    auto& numbers = found[call.group];
    if (!call.stated->number) {
      numbers.are_known = false;
      continue;
    }
    numbers.first = std::min(numbers.first, *call.stated->number);
    numbers.last = std::max(numbers.last, *call.stated->number);
  }
  return found;
}

void KinetoRank::keep(std::size_t group, const Numbers& kept) {
  for (auto& call : calls_)
    if (call.action && call.group == group && std::holds_alternative<CollectiveEvent>(*call.action) &&
        (*call.stated->number < kept.first || *call.stated->number > kept.last)) {
      call.action.reset();
      ++gaps_.edges;
    }
}

// Returns the last operation of a stream that had ended when this one began; for a call, the last one launched before
// it.
std::optional<std::uint32_t> KinetoRank::cause_on(const DeviceStream& stream, const Operation& operation) const {
  const auto ended = std::span(stream.operations).first(stream.ended);
  const auto end = operation.is_nccl
                       ? std::ranges::partition_point(
                             ended, [&](auto each) { return operations_[each].launched <= operation.launched; })
                       : ended.end();
  return end == ended.begin() ? std::nullopt : std::optional(*(end - 1));
}

// Returns the operations that this one waits for.
std::vector<std::uint32_t> KinetoRank::causes(std::uint32_t index) {
  const auto& operation = operations_[index];
  std::vector<std::uint32_t> found = operation.after;
  std::optional<std::uint32_t> latest; // the latest on another stream
  double released = -std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    auto& stream = streams_[i];
    while (stream.ended < stream.operations.size() && stream.operations[stream.ended] < index &&
           operations_[stream.operations[stream.ended]].end <= operation.begin)
      ++stream.ended;
    if (i == operation.stream) {
      if (stream.ended > 0) {
        found.push_back(stream.operations[stream.ended - 1]);
        released = std::max(released, operations_[found.back()].end);
      }
      continue;
    }
    if (operation.is_nccl && stream.is_of_nccl())
      continue;
    const auto cause = cause_on(stream, operation);
    if (cause && operation.is_nccl)
      found.push_back(*cause);
    else if (cause && (!latest || operations_[*cause].end > operations_[*latest].end))
      latest = cause;
  }
  if (latest && operations_[*latest].end > released)
    found.push_back(*latest);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::uint32_t KinetoRank::add_work(const Operation& operation, double time, const std::vector<std::uint32_t>& after) {
  ScheduledOperation work;
  work.line = operation.index;
  work.time = {1e-6 * time};
  work.cpu = 1 + static_cast<int>(operation.stream);
  const auto index = static_cast<std::uint32_t>(schedule_.operations.size());
  schedule_.operations.push_back(work);
  for (const auto before : after)
    schedule_.dependencies.push_back({before, index, false});
  return index;
}

std::uint32_t KinetoRank::add_call(const Operation& operation, const Call& call,
                                   const std::vector<std::uint32_t>& after) {
  const auto index = add_work(operation, 0, after);
  auto& added = schedule_.operations.back();
  added.cpu = ScheduledOperation::no_cpu;
  if (const auto* message = std::get_if<KinetoMessage>(&*call.action)) {
    added.kind = message->is_send ? ScheduledOperation::Kind::send : ScheduledOperation::Kind::receive;
    added.peer = message->peer;
    added.tag = static_cast<int>(call.group); // messages of a group stay in order
    added.size = message->size;
  } else {
    added.kind = ScheduledOperation::Kind::collective;
    added.terms = static_cast<std::uint32_t>(schedule_.collectives.size());
    schedule_.collectives.push_back(std::get<CollectiveEvent>(*call.action));
  }
  return index;
}

// Adds the host's time, the device's work, and the simultaneous calls that share a kernel.
void KinetoRank::add(std::uint32_t index) {
  const auto before = causes(index);
  auto& operation = operations_[index];
  double released = operations_.front().begin;
  std::vector<std::uint32_t> after;
  for (const auto each : before) {
    released = std::max(released, operations_[each].end);
    after.push_back(operations_[each].last);
  }
  const double delay = std::max(0.0, operation.begin - released);
  std::vector<std::size_t> calls;
  for (const auto call : operation.calls)
    if (calls_[call].action)
      calls.push_back(call);
  const bool is_work = operation.calls.empty() && !operation.goes_on;
  if (is_work || calls.size() != 1 || delay > 0) {
    operation.last = add_work(operation, delay + (is_work ? operation.end - operation.begin : 0), after);
    after = {operation.last};
  }
  if (calls.empty())
    return;
  std::vector<std::uint32_t> parts;
  for (const auto call : calls) {
    const bool is_message = std::holds_alternative<KinetoMessage>(*calls_[call].action);
    parts.push_back(add_call(operation, calls_[call], is_message || parts.empty() ? after : std::vector{parts.back()}));
  }
  operation.last = calls.size() == 1 ? parts.front() : add_work(operation, 0, parts);
}

RankSchedule KinetoRank::finish() {
  for (std::uint32_t i = 0; i < operations_.size(); ++i)
    add(i);
  std::ranges::stable_sort(schedule_.dependencies, {}, &Dependency::before);
  return std::move(schedule_);
}

} // namespace kakehashi
