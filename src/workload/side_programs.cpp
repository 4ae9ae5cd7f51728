#include "workload/side_programs.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

bool is_work(const Operation& operation) {
  const auto* compute = std::get_if<ComputeOperation>(&operation);
  return compute && compute->blocking && !compute->in_call;
}

} // namespace

bool SidePrograms::Awaited::take(Request ended) {
  const auto found = std::ranges::find(requests, ended.index, &Request::index);
  if (found == requests.end())
    return false;
  if (any)
    requests.clear();
  else
    requests.erase(found);
  return true;
}

// Returns operations that start the operation and do not wait long.
std::vector<Operation> SidePrograms::parts_of(const Operation& operation) const {
  const auto started = [](auto part) {
    part.blocking = false;
    return Operation{part};
  };
  if (const auto* send = std::get_if<SendOperation>(&operation))
    return {started(*send)};
  if (const auto* receive = std::get_if<ReceiveOperation>(&operation))
    return {started(*receive)};
  if (const auto* both = std::get_if<SendReceiveOperation>(&operation))
    return {started(both->receive), started(both->send)};
  if (const auto* remote = std::get_if<RemoteOperation>(&operation))
    return {started(*remote)};
  if (const auto* joint = std::get_if<JointOperation>(&operation))
    return {started(*joint)};
  if (auto aside = operation; auto* compute = works_aside() ? std::get_if<ComputeOperation>(&aside) : nullptr) {
    compute->in_call |= compute->lane == gpu_lane; // a wait for the device, whose work has its time
    compute->lane = aside_lane;
    return {started(*compute)};
  }
  return {operation};
}

Program SidePrograms::begin(Operation operation, Awaited& awaited, PendingOperation& result) {
  awaited = {};
  if (auto* wait = std::get_if<WaitOperation>(&operation)) {
    awaited = {{wait->requests.begin(), wait->requests.end()}, wait->any};
    co_return;
  }
  const bool is_awaited = std::visit(
      [&](const auto& each) {
        if constexpr (requires { each.in_call; })
          return each.blocking && works_aside();
        else if constexpr (requires { each.blocking; })
          return each.blocking;
        else
          return std::is_same_v<std::decay_t<decltype(each)>, SendReceiveOperation>;
      },
      operation);
  for (auto& part : parts_of(operation)) {
    const auto done = co_await rank_.perform_fully(std::move(part));
    result.request = done.request;
    result.has_ended = done.has_ended;
    if (is_awaited)
      awaited.requests.push_back(done.request);
  }
}

// Runs the program until it waits or ends.
Program SidePrograms::go_on(Side& side) {
  for (side.awaited = {}; side.awaited.requests.empty();) {
    side.rank.clock = rank_.clock;
    side.rank.pending = nullptr;
    side.rank.resume_point.resume();
    if (!side.rank.pending) {
      side.program->rethrow_failure();
      co_return;
    }
    const auto before = std::exchange(rank_.working_set, side.rank.working_set);
    co_await begin(side.rank.pending->operation, side.awaited, *side.rank.pending);
    rank_.working_set = before;
  }
}

Program SidePrograms::see_what_ended() {
  for (const auto& side : sides_) {
    const auto requests = side->awaited.requests;
    for (const auto request : requests) {
      const bool has_ended = co_await rank_.test(request);
      if (!has_ended || !side->awaited.take(request) || !side->awaited.requests.empty())
        continue;
      side->rank.pending->request = request;
      co_await go_on(*side);
      break;
    }
  }
}

// Waits for requests, of the rank or of a program; all programs go on meanwhile. `last` becomes the request that ended
// last.
Program SidePrograms::wait_for(Awaited& awaited, Request& last) {
  while (!awaited.requests.empty()) {
    auto all = awaited.requests;
    for (const auto& side : sides_)
      if (&side->awaited != &awaited)
        all.insert(all.end(), side->awaited.requests.begin(), side->awaited.requests.end());
    Request ended = awaited.requests.back();
    if (awaited.any || all.size() > awaited.requests.size()) {
      ended = co_await rank_.wait_any(std::move(all));
    } else { // no other program waits
      co_await rank_.wait_all(std::move(all));
      awaited.requests.assign(1, ended);
    }
    for (const auto& side : sides_)
      if (side->awaited.take(ended) && side->awaited.requests.empty()) {
        side->rank.pending->request = ended;
        co_await go_on(*side);
      }
    if (awaited.take(ended))
      last = ended;
  }
}

std::optional<std::uint64_t> SidePrograms::take_over() {
  const auto found = std::ranges::find_if(sides_, [](const auto& side) { return side->awaited.requests.empty(); });
  if (found == sides_.end())
    return std::nullopt;
  const auto key = (*found)->key;
  sides_.erase(found);
  return key;
}

Program SidePrograms::wait_for_any(std::vector<Request> requests, Request& ended, std::optional<std::uint64_t>& over) {
  for (over = take_over(); !over; over = take_over()) {
    auto all = requests;
    for (const auto& side : sides_)
      all.insert(all.end(), side->awaited.requests.begin(), side->awaited.requests.end());
    ended = co_await rank_.wait_any(std::move(all));
    if (std::ranges::find(requests, ended.index, &Request::index) != requests.end())
      co_return;
    for (const auto& side : sides_)
      if (side->awaited.take(ended) && side->awaited.requests.empty()) {
        side->rank.pending->request = ended;
        co_await go_on(*side);
      }
  }
}

Program SidePrograms::perform(Operation operation, Request& result) {
  PendingOperation done;
  if (are_idle() || (is_work(operation) && !works_aside())) { // nothing else goes on while the rank works
    result = co_await rank_.perform(std::move(operation));
    co_return;
  }
  Awaited awaited;
  co_await begin(std::move(operation), awaited, done);
  result = done.request;
  if (awaited.requests.empty())
    co_await see_what_ended();
  else
    co_await wait_for(awaited, result);
}

Program SidePrograms::finish(std::uint64_t key) {
  const auto found = std::ranges::find_if(sides_, [&](const auto& side) { return side->key == key; });
  if (found != sides_.end())
    co_await finish_at(static_cast<std::size_t>(found - sides_.begin()));
}

Program SidePrograms::finish_first() {
  co_await finish_at(0);
}

Program SidePrograms::finish_at(std::size_t index) {
  auto& side = *sides_[index];
  Request last;
  rank_.place.collective = side.rank.place.collective;
  co_await wait_for(side.awaited, last);
  rank_.place.collective = {};
  sides_.erase(sides_.begin() + static_cast<std::ptrdiff_t>(index));
}

} // namespace kakehashi
