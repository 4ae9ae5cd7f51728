#include "input/trace/recording/recording_events.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace kakehashi {
namespace {

constexpr Bytes agreement{8}; // bytes that ranks gather when they create something together

} // namespace

std::optional<MessageEnd> RecordedMatches::take(std::uint64_t request) {
  const auto match = ahead_.take(request, [this](const Record& record) {
    if (const auto* receive = std::get_if<ReceiveRecord>(&record.what); receive && is_wild(receive->end))
      ahead_.ask(receive->request);
    if (const auto* both = std::get_if<SendReceiveRecord>(&record.what); both && is_wild(both->receive))
      ahead_.ask(both->request);
    if (const auto* complete = std::get_if<CompleteRecord>(&record.what))
      for (const auto& ended : complete->ended) {
        auto end = ended.received.value_or(MessageEnd{});
        if (!ended.received)
          end.peer = nobody;
        ahead_.answer(ended.request, end);
      }
  });
  return match && match->peer >= 0 ? match : std::nullopt;
}

std::optional<TraceEvent> RecordingEvents::next() {
  while (queue_.empty()) {
    const auto record = reader_.next();
    if (!record)
      return std::nullopt;
    site_ = record->site > 0 ? std::string_view(sites_[record->site - 1]) : "";
    time_ = record->time;
    add_work(record->work);
    if (std::holds_alternative<ElapsedRecord>(record->what) && record->time > 0)
      add(ElapseEvent{{1e-9 * static_cast<double>(record->time)}, false});
    std::visit([this](const auto& what) { take(what); }, record->what);
    add_time(*record);
  }
  auto event = std::move(queue_.front());
  queue_.pop_front();
  return event;
}

void RecordingEvents::add_work(std::uint64_t work) {
  if (work == 0)
    return;
  if (survey_->start.unit == WorkUnit::instructions)
    add(ComputeEvent{Flops{static_cast<double>(work)}});
  else
    add(ElapseEvent{{1e-9 * static_cast<double>(work)}, true});
}

// Adds the record's time to the first call that it becomes, or else to the next one; a probe's time to the receive.
void RecordingEvents::add_time(const Record& record) {
  if (std::holds_alternative<ElapsedRecord>(record.what) || std::holds_alternative<SiteRecord>(record.what) ||
      std::holds_alternative<DeviceRecord>(record.what) || std::holds_alternative<DeviceWorkRecord>(record.what))
    return;
  const auto* polled = std::get_if<PolledRecord>(&record.what);
  in_calls_ += Seconds{1e-9 * static_cast<double>(polled ? polled->time : record.time)};
  const auto is_call = [](const TraceEvent& event) {
    return !std::holds_alternative<ElapseEvent>(event.what) && !std::holds_alternative<ComputeEvent>(event.what);
  };
  if (const auto call = std::ranges::find_if(queue_, is_call); call != queue_.end())
    call->recorded = std::exchange(in_calls_, Seconds{});
}

// In a communicator of one rank nothing moves; one with ranks from elsewhere cannot be replayed.
void RecordingEvents::call(std::size_t communicator, Collective collective, Bytes size, bool makes_communicator) {
  const auto& called = survey_->communicators[communicator];
  if (!called.takes_collectives || called.members.size() < 2)
    return;
  CollectiveEvent event;
  event.collective = collective;
  event.size = size;
  event.communicator = communicator;
  event.makes_communicator = makes_communicator;
  add(event);
}

void RecordingEvents::take(const CommunicatorRecord& made) {
  if (made.parent)
    call(communicator(*made.parent), Collective::allgather, agreement, true);
  else if (!made.members.empty())
    call(communicator(made.number), Collective::allgather, agreement, true);
}

void RecordingEvents::take(const SiteRecord& site) {
  const auto place =
      site.function.empty() ? fmt::format("{:#x}", site.address) : fmt::format("{}+{:#x}", site.function, site.shift);
  sites_.push_back(site.object.empty() ? place : fmt::format("{} ({})", place, site.object));
}

void RecordingEvents::take(const RegionRecord& region) {
  if (!region.name.empty())
    open_regions_.push_back(
        *regions_.insert(region_.empty() ? region.name : fmt::format("{}/{}", region_, region.name)).first);
  else if (!open_regions_.empty())
    open_regions_.pop_back();
  region_ = open_regions_.empty() ? std::string_view() : open_regions_.back();
}

void RecordingEvents::take(const DeviceRecord& call) {
  if (!device_)
    device_ = std::make_unique<RecordedDevice>(reader_.file());
  auto steps = device_->take(call, time_);
  if (steps.work)
    add(std::move(*steps.work));
  if (steps.wait) {
    add(std::move(*steps.wait));
    queue_.back().recorded = steps.waited + std::exchange(in_calls_, Seconds{}); // and the polls before
  }
  if (steps.rest.value > 0)
    add(ElapseEvent{steps.rest, false});
}

// Messages

SendEvent RecordingEvents::send_of(const MessageEnd& end) const {
  SendEvent send;
  send.to = end.peer;
  send.tag = end.tag.value_or(0);
  send.size = Bytes{end.bytes};
  send.context = communicator(end.communicator);
  return send;
}

ReceiveEvent RecordingEvents::receive_of(const MessageEnd& end) const {
  ReceiveEvent receive;
  receive.from = end.peer;
  receive.tag = end.tag;
  receive.context = communicator(end.communicator);
  return receive;
}

void RecordingEvents::take(const SendRecord& send) {
  if (send.end.peer < 0)
    return;
  auto event = send_of(send.end);
  event.is_buffered = send.mode == SendMode::buffered;
  event.blocking = send.request == 0 && !event.is_buffered;
  event.request = event.is_buffered ? 0 : send.request;
  if (send.mode == SendMode::partitioned)
    event.context = context(event.context, Purpose::partitions);
  add(event);
}

// The file names the end by `request`, the replay by `as`.
void RecordingEvents::add_receive(const MessageEnd& end, SendMode mode, std::uint64_t request, std::uint64_t as) {
  auto matched = end;
  if (end.peer == nobody || end.peer == outsider || own().cancelled.contains(request))
    return;
  if (request > 0 && is_wild(end)) {
    if (!matches_)
      matches_ = std::make_unique<RecordedMatches>(reader_.file());
    const auto found = matches_->take(request);
    if (!found)
      return;
    matched = *found;
  }
  if (is_wild(matched))
    return;
  auto event = receive_of(matched);
  event.blocking = request == 0;
  event.request = as;
  if (mode == SendMode::partitioned)
    event.context = context(event.context, Purpose::partitions);
  add(event);
}

void RecordingEvents::take(const ReceiveRecord& receive) {
  add_receive(receive.end, receive.mode, receive.request, receive.request);
}

void RecordingEvents::take(const SendReceiveRecord& both) {
  const bool sends = both.send.peer >= 0;
  const bool receives = both.receive.peer >= 0;
  if (both.request > 0) {
    add_receive(both.receive, SendMode::standard, both.request, new_request());
    auto& parts = parts_[both.request];
    parts.push_back(std::uint64_t{1} << 63 | own_requests_);
    if (sends) {
      auto send = send_of(both.send);
      send.blocking = false;
      send.request = new_request();
      parts.push_back(send.request);
      add(send);
    }
  } else if (sends && receives) {
    add(SendReceiveEvent{send_of(both.send), receive_of(both.receive)});
  } else if (sends) {
    add(send_of(both.send));
  } else if (receives) {
    add(receive_of(both.receive));
  }
}

void RecordingEvents::take(const CompleteRecord& complete) {
  CompleteEvent event;
  for (const auto& ended : complete.ended) {
    const auto parts = parts_.find(ended.request);
    if (parts == parts_.end()) {
      event.requests.push_back(ended.request);
      continue;
    }
    event.requests.insert(event.requests.end(), parts->second.begin(), parts->second.end());
    for (auto& window : windows_)
      std::erase_if(window.open, [&](const Access& access) {
        return std::ranges::find(parts->second, access.request) != parts->second.end();
      });
    parts_.erase(parts);
  }
  add(std::move(event));
}

// Collective calls

void RecordingEvents::take(const CollectiveRecord& call) {
  const auto index = communicator(call.communicator);
  const auto& called = survey_->communicators[index];
  if (!called.takes_collectives || called.members.size() < 2)
    return;
  CollectiveEvent event;
  event.collective = call.collective;
  event.root = call.root;
  event.size = Bytes{call.bytes};
  event.sizes = call.sizes;
  event.communicator = index;
  event.blocking = call.request == 0;
  event.request = call.request;
  add(std::move(event));
}

void RecordingEvents::take(const ExchangeRecord& exchange) {
  const auto own_context = context(communicator(exchange.communicator), Purpose::exchanges);
  std::vector<std::uint64_t> parts;
  for (const auto from : exchange.receives) {
    if (from < 0)
      continue;
    parts.push_back(new_request());
    ReceiveEvent receive;
    receive.from = from;
    receive.tag = 0;
    receive.blocking = false;
    receive.context = own_context;
    receive.request = parts.back();
    add(receive);
  }
  for (const auto& [to, bytes] : exchange.sends) {
    if (to < 0)
      continue;
    parts.push_back(new_request());
    SendEvent send;
    send.to = to;
    send.size = Bytes{bytes};
    send.blocking = false;
    send.context = own_context;
    send.request = parts.back();
    add(send);
  }
  if (exchange.request > 0)
    parts_[exchange.request] = std::move(parts);
  else
    add(CompleteEvent{std::move(parts)});
}

// Windows

void RecordingEvents::take(const WindowRecord& made) {
  const auto index = communicator(made.communicator);
  windows_.push_back({index, 2 * windows_of_[index]++, {}, {}, {}});
  call(index, Collective::allgather, agreement);
}

void RecordingEvents::take(const RemoteRecord& remote) {
  if (remote.target < 0)
    return;
  auto& window = windows_[remote.window];
  const auto access = [&](std::uint64_t bytes, bool is_read) {
    const auto request = new_request();
    window.open.push_back({remote.target, request});
    if (remote.request > 0)
      parts_[remote.request].push_back(request);
    add(RemoteEvent{remote.target, Bytes{bytes}, is_read, request});
  };
  if (remote.put > 0 || remote.got == 0)
    access(remote.put, false);
  if (remote.got > 0)
    access(remote.got, true);
}

void RecordingEvents::end_accesses(Window& window, const std::vector<int>& targets) {
  CompleteEvent event;
  std::erase_if(window.open, [&](const Access& access) {
    const bool ends = targets.empty() || std::ranges::find(targets, access.target) != targets.end();
    if (ends)
      event.requests.push_back(access.request);
    return ends;
  });
  if (!event.requests.empty())
    add(std::move(event));
}

// Sends an empty message to each rank.
void RecordingEvents::signal(const Window& window, const std::vector<int>& ranks, int tag) {
  for (const auto rank : ranks) {
    SendEvent send;
    send.to = rank;
    send.tag = tag;
    send.blocking = false;
    send.is_buffered = true;
    send.context = context(window.communicator, Purpose::windows);
    if (rank >= 0)
      add(send);
  }
}

void RecordingEvents::await(const Window& window, const std::vector<int>& ranks, int tag) {
  for (const auto rank : ranks) {
    ReceiveEvent receive;
    receive.from = rank;
    receive.tag = tag;
    receive.context = context(window.communicator, Purpose::windows);
    if (rank >= 0)
      add(receive);
  }
}

void RecordingEvents::take(const WindowStepRecord& step) {
  auto& window = windows_[step.window];
  switch (step.step) {
  case WindowStep::fence:
  case WindowStep::free:
    end_accesses(window, {});
    call(window.communicator, Collective::barrier);
    break;
  case WindowStep::flush: end_accesses(window, step.ranks); break;
  case WindowStep::post:
    signal(window, step.ranks, window.tag);
    window.posted = step.ranks;
    break;
  case WindowStep::start:
    await(window, step.ranks, window.tag);
    window.started = step.ranks;
    break;
  case WindowStep::complete:
    end_accesses(window, {});
    signal(window, window.started, window.tag + 1);
    window.started.clear();
    break;
  case WindowStep::wait:
    await(window, window.posted, window.tag + 1);
    window.posted.clear();
    break;
  }
}

} // namespace kakehashi
