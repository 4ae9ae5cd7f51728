#include "input/trace/recording/recording_events.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

Seconds seconds_of(std::uint64_t nanoseconds) {
  return {1e-9 * static_cast<double>(nanoseconds)};
}

} // namespace

std::optional<DeviceWorkRecord> RecordedWork::take(std::uint64_t number) {
  return ahead_.take(number, [this](const Record& record) {
    if (const auto* call = std::get_if<DeviceRecord>(&record.what);
        call && (call->step == DeviceStep::start || call->step == DeviceStep::start_and_wait))
      ahead_.ask(call->number);
    if (const auto* work = std::get_if<DeviceWorkRecord>(&record.what))
      ahead_.answer(work->number, *work);
  });
}

// Returns what ended last on another stream of the GPU before the work began.
std::optional<RecordedDevice::Done> RecordedDevice::cause_of(const DeviceWorkRecord& work,
                                                             const DeviceRecord& started) {
  std::optional<Done> latest;
  for (auto at = streams_.lower_bound({work.context, 0}); at != streams_.end() && at->first.first == work.context;
       ++at) {
    auto& done = at->second.done;
    while (!done.empty() && done.front().end < started.at)
      done.pop_front();
    const auto after = std::ranges::upper_bound(done, work.start, {}, &Done::end);
    if (at->first.second != work.stream && after != done.begin() && (!latest || std::prev(after)->end > latest->end))
      latest = *std::prev(after);
  }
  return latest;
}

std::optional<DeviceWorkEvent> RecordedDevice::start(const DeviceRecord& record, Done& done) {
  const auto work = works_.take(record.number);
  if (!work)
    return std::nullopt;
  auto& stream = streams_[{work->context, work->stream}];
  DeviceWorkEvent event;
  event.number = ++last_number_;
  event.time = seconds_of(work->time);
  auto released = record.at;
  const auto wait_for = [&](const Done& before) {
    event.after.push_back(before.number);
    released = std::max(released, before.end);
  };
  if (stream.last)
    wait_for(*stream.last);
  for (const auto& before : stream.ordered)
    wait_for(before);
  stream.ordered.clear();
  if (const auto cause = cause_of(*work, record); cause && cause->end > released)
    wait_for(*cause);
  event.delay = seconds_of(work->start > released ? work->start - released : 0);
  const auto end = std::max(work->start + work->time, stream.last ? stream.last->end : 0);
  done = {event.number, end};
  stream.last = done;
  stream.done.push_back(done);
  return event;
}

std::vector<RecordedDevice::Done> RecordedDevice::awaited(const DeviceRecord& record) const {
  std::vector<Done> works;
  const auto add = [&](const std::optional<Done>& work) {
    if (work)
      works.push_back(*work);
  };
  if (record.step == DeviceStep::wait_for_event) {
    if (const auto event = events_.find(record.number); event != events_.end())
      add(event->second);
  } else if (record.step == DeviceStep::wait_for_stream) {
    if (const auto stream = streams_.find({record.context, record.stream}); stream != streams_.end())
      add(stream->second.last);
  } else {
    for (auto at = streams_.lower_bound({record.context, 0}); at != streams_.end() && at->first.first == record.context;
         ++at)
      add(at->second.last);
  }
  return works;
}

DeviceSteps RecordedDevice::take(const DeviceRecord& record, std::uint64_t time) {
  DeviceSteps steps;
  std::vector<Done> works;
  Done begun{};
  switch (record.step) {
  case DeviceStep::start: steps.work = start(record, begun); return steps;
  case DeviceStep::mark: events_[record.number] = streams_[{record.context, record.stream}].last; return steps;
  case DeviceStep::order:
    if (const auto event = events_.find(record.number); event != events_.end() && event->second)
      streams_[{record.context, record.stream}].ordered.push_back(*event->second);
    return steps;
  case DeviceStep::start_and_wait:
    steps.work = start(record, begun);
    if (steps.work && begun.end <= record.at + time) // else the call only begins it
      works.push_back(begun);
    break;
  default: works = awaited(record);
  }
  steps.rest = seconds_of(time);
  if (works.empty())
    return steps;
  std::uint64_t end = record.at;
  steps.wait.emplace();
  for (const auto& work : works) {
    steps.wait->works.push_back(work.number);
    end = std::max(end, work.end);
  }
  steps.waited = std::min(seconds_of(end - record.at), steps.rest);
  steps.rest = steps.rest - steps.waited;
  return steps;
}

} // namespace kakehashi
