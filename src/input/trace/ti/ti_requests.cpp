#include "input/trace/ti/ti_requests.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {

bool is_for_some(const TraceEvent& event) {
  const auto* test = std::get_if<TestEvent>(&event.what);
  return std::holds_alternative<WaitAllEvent>(event.what) || std::holds_alternative<WaitAnyEvent>(event.what) ||
         (test && !test->request);
}

// Returns the request that a wait or test names.
const RequestName* named_by(const TraceEvent& event) {
  if (const auto* wait = std::get_if<WaitEvent>(&event.what))
    return &wait->request;
  const auto* test = std::get_if<TestEvent>(&event.what);
  return test && test->request ? &*test->request : nullptr;
}

} // namespace

// Returns null if there is no such event, or it is too far away.
const TraceEvent* TiRequests::following(std::size_t index) {
  while (following_.size() <= index) {
    TraceEvent event;
    if (following_.size() == horizon || !records_.next(event))
      return nullptr;
    following_.push_back(std::move(event));
  }
  return &following_[index];
}

const TraceEvent* TiRequests::next() {
  for (;;) {
    if (!following_.empty()) {
      event_ = std::move(following_.front());
      following_.pop_front();
    } else if (!records_.next(event_)) { // most events need no other one
      return nullptr;
    }
    if (settle(event_))
      return &event_;
  }
}

std::size_t TiRequests::find_open(const RequestName& name) const {
  return find(open_, name, true);
}

std::size_t TiRequests::find(const Ring<Open>& open, const RequestName& name, bool knows_source) {
  const auto exact = open.find([&](const Open& each) { return each.name == name; });
  if (exact < open.size() || !knows_source)
    return exact;
  return open.find(
      [&](const Open& each) { return each.is_persistent && each.name.to == name.to && each.name.tag == name.tag; });
}

bool TiRequests::settle(TraceEvent& event) {
  if (const auto* send = std::get_if<SendEvent>(&event.what); send && !send->to)
    return false;
  if (std::holds_alternative<SendReceiveEvent>(event.what))
    return settle_both(event);
  if (const auto* receive = std::get_if<ReceiveEvent>(&event.what); receive && !settle_receive(*receive))
    return false;
  if (auto* wait = std::get_if<WaitEvent>(&event.what))
    return settle_wait(*wait);
  if (std::holds_alternative<TestEvent>(event.what))
    settle_test(event);
  else if (auto* all = std::get_if<WaitAllEvent>(&event.what))
    settle_wait_all(*all);
  else if (std::holds_alternative<WaitAnyEvent>(event.what))
    settle_wait_any();
  else if (const auto* send = std::get_if<SendEvent>(&event.what); send && send->is_buffered)
    buffered_.insert({*send->to, send->tag});
  else if (const auto name = request_of(event, rank_)) {
    const auto* receive = std::get_if<ReceiveEvent>(&event.what);
    open_.push_back({*name, event.line, receive && receive->is_persistent});
  }
  return true;
}

// A sendrecv with nobody on one side leaves no line, so its partner may lack half of its partner.
bool TiRequests::settle_both(TraceEvent& event) {
  const auto both = std::get<SendReceiveEvent>(event.what);
  const bool sends = both.send.to && !facts_.deaf.contains(*both.send.to);
  const bool receives = !both.receive.from || !facts_.silent.contains(*both.receive.from);
  if (sends && !receives)
    event.what = both.send;
  else if (!sends && receives)
    event.what = both.receive;
  if (!receives)
    return sends;
  return settle_receive(both.receive) || sends;
}

// Whether it receives from a rank.
bool TiRequests::settle_receive(const ReceiveEvent& receive) {
  if (receive.from || receive.is_persistent)
    return true;
  const auto tag = receive.tag.value_or(any_tag_fact);
  const auto limit = facts_.received_unnamed.find(tag);
  return limit == facts_.received_unnamed.end() || unnamed_[tag]++ < limit->second;
}

// A wait for a request that has ended is dropped.
bool TiRequests::settle_wait(WaitEvent& wait) {
  if (const auto found = find_open(wait.request); found < open_.size()) {
    wait.request = open_[found].name;
    open_.remove(found);
    return true;
  }
  const bool is_to_nobody = wait.request.from == rank_ && !wait.request.to;
  const bool is_from_nobody =
      !wait.request.from && facts_.received_unnamed.contains(wait.request.tag.value_or(any_tag_fact));
  const bool was_waited_for = std::ranges::find(over_, wait.request) != over_.end();
  const bool is_buffered = wait.request.to && buffered_.contains({*wait.request.to, wait.request.tag.value_or(0)});
  return !is_to_nobody && !is_from_nobody && !is_buffered && !was_waited_for && !records_.has_startall();
}

// Which requests have ended is known once all have.
void TiRequests::settle_wait_any() {
  if (++waits_for_any_ < open_.size())
    return;
  waits_for_any_ = 0;
  open_.clear();
}

void TiRequests::settle_test(TraceEvent& event) {
  const auto test = std::get<TestEvent>(event.what);
  if (!test.request) {
    if (is_last_test_of_all()) {
      event.what = WaitAllEvent{};
      settle_wait_all(std::get<WaitAllEvent>(event.what));
    }
  } else if (const auto found = find_open(*test.request); found < open_.size()) {
    const auto name = open_[found].name;
    if (is_last_test(*test.request)) {
      event.what = WaitEvent{name};
      open_.remove(find_open(name));
    } else {
      event.what = TestEvent{name};
    }
  }
}

bool TiRequests::is_last_test(const RequestName& name) {
  for (std::size_t i = 0; const auto* event = following(i); ++i) {
    if (is_for_some(*event))
      return false;
    if (const auto* named = named_by(*event); named && *named == name)
      return false;
    if (request_of(*event, rank_) == name)
      return true;
  }
  return true;
}

// Whether no later event waits for an open request, or tests it, before one of them begins again.
bool TiRequests::is_last_test_of_all() {
  if (open_.empty())
    return false;
  for (std::size_t i = 0; const auto* event = following(i); ++i) {
    if (is_for_some(*event))
      return false;
    if (const auto* named = named_by(*event); named && find_open(*named) < open_.size())
      return false;
    if (const auto name = request_of(*event, rank_); name && find_open(*name) < open_.size())
      return true;
  }
  return true;
}

void TiRequests::settle_wait_all(WaitAllEvent& all) {
  auto undecided = std::exchange(open_, {});
  const auto take = [&](const RequestName& name, bool stays_open) {
    const auto found = find(undecided, name, stays_open);
    if (found == undecided.size())
      return;
    (stays_open ? all.others : over_).push_back(undecided[found].name);
    if (stays_open)
      open_.push_back(undecided[found]);
    undecided.remove(found);
  };
  over_.clear();
  for (std::size_t i = 0; !undecided.empty(); ++i) {
    const auto* event = following(i);
    if (!event || is_for_some(*event))
      break;
    if (const auto* wait = std::get_if<WaitEvent>(&event->what))
      take(wait->request, true);
    else if (const auto name = request_of(*event, rank_))
      take(*name, false);
  }
  for (; !undecided.empty(); undecided.pop_front())
    over_.push_back(undecided.front().name);
}

TiLeftOver TiRequests::left_over() const {
  TiLeftOver left;
  auto ended = waits_for_any_;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const auto& open = open_[i];
    if (open.name.to != rank_ || open.name.from == rank_)
      continue;
    if (ended > 0) {
      --ended;
      continue;
    }
    if (left.receives.count++ == 0)
      left.receives.first = open.line;
  }
  return left;
}

} // namespace kakehashi
