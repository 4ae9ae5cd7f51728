#include "input/trace/dumpi/dumpi_requests.hpp"

namespace kakehashi {

void DumpiRequests::set(std::int64_t number, std::optional<Message> message, bool is_persistent) {
  forget(number);
  requests_[number] = {std::move(message), is_persistent};
}

void DumpiRequests::begin(std::int64_t number, TraceEvent call) {
  const auto found = requests_.find(number);
  if (found == requests_.end() || !found->second.message)
    return;
  auto& request = found->second;
  if (auto send = std::get_if<SendEvent>(&*request.message)) {
    if (!send->to)
      return;
    if (!send->is_buffered) // else it has ended already
      send->request = request.number = ++begun_;
    call.what = *send;
    events_.add(std::move(call));
    return;
  }
  auto& receive = std::get<ReceiveEvent>(*request.message);
  receive.request = request.number = ++begun_;
  call.what = receive;
  const auto event = events_.add(std::move(call), receive.from.has_value());
  if (!receive.from)
    request.open = event;
}

void DumpiRequests::settle(Request& request, const std::int64_t* state) {
  if (!request.open)
    return;
  const auto event = *std::exchange(request.open, std::nullopt);
  if (state && state[0] < 0) { // it was from nobody
    events_.drop(event);
    request.number = 0;
    return;
  }
  auto& receive = std::get<ReceiveEvent>(events_.know(event).what);
  const auto& members = communicators_[receive.context].members;
  if (state && static_cast<std::uint64_t>(state[0]) < members.size())
    receive.from = members[static_cast<std::size_t>(state[0])];
}

void DumpiRequests::end(std::span<const Ended> ended, TraceEvent call) {
  CompleteEvent complete;
  for (const auto& [number, state] : ended) {
    const auto found = requests_.find(number);
    if (found == requests_.end())
      continue;
    settle(found->second, state);
    if (const auto message = std::exchange(found->second.number, 0); message > 0)
      complete.requests.push_back(message);
    if (!found->second.is_persistent)
      requests_.erase(found);
  }
  if (complete.requests.empty())
    return;
  call.what = std::move(complete);
  events_.add(std::move(call));
}

void DumpiRequests::forget(std::int64_t number) {
  const auto found = requests_.find(number);
  if (found == requests_.end())
    return;
  settle(found->second, nullptr);
  requests_.erase(found);
}

bool DumpiRequests::cancel(std::int64_t number) {
  const auto found = requests_.find(number);
  if (found == requests_.end() || !found->second.open)
    return false;
  events_.drop(*std::exchange(found->second.open, std::nullopt));
  found->second.number = 0;
  return true;
}

void DumpiRequests::forget_all() {
  for (auto& [number, request] : requests_)
    settle(request, nullptr);
  requests_.clear();
}

} // namespace kakehashi
