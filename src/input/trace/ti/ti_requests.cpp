#include "input/trace/ti/ti_reader.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// Returns the name by which waits refer to a nonblocking message; nothing if the event starts none.
std::optional<RequestName> started_by(const TraceEvent& event, int rank) {
  if (const auto* send = std::get_if<SendEvent>(&event.what); send && send->to && !send->blocking && !send->is_buffered)
    return RequestName{rank, send->to, send->tag};
  if (const auto* receive = std::get_if<ReceiveEvent>(&event.what); receive && !receive->blocking)
    return RequestName{receive->from, rank, receive->tag};
  return std::nullopt;
}

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

TiRequests::TiRequests(std::unique_ptr<TiStream> lines, int rank, const TiFacts& facts,
                       std::function<void(const TraceEvent&)> see)
    : lines_(std::move(lines)), rank_(rank), facts_(facts), see_(std::move(see)) {}

const TraceEvent* TiRequests::read() {
  const auto* event = lines_->next();
  if (event && see_)
    see_(*event);
  return event;
}

bool TiRequests::fill() {
  const auto* event = read();
  if (event)
    following_.push_back(*event);
  return event;
}

// Returns null if there is no such event, or it is too far away.
const TraceEvent* TiRequests::following(std::size_t index) {
  while (following_.size() <= index)
    if (following_.size() == horizon || !fill())
      return nullptr;
  return &following_[index];
}

const TraceEvent* TiRequests::next() {
  for (;;) {
    if (!following_.empty()) {
      event_ = std::move(following_.front());
      following_.pop_front();
    } else if (const auto* event = read()) { // most events need no other one
      event_ = *event;
    } else {
      return nullptr;
    }
    if (settle(event_))
      return &event_;
  }
}

std::deque<TiRequests::Open>::iterator TiRequests::find_open(const RequestName& name) {
  const auto exact = std::ranges::find(open_, name, &Open::name);
  if (exact != open_.end())
    return exact;
  return std::ranges::find_if(open_, [&](const Open& open) {
    return open.is_persistent && open.name.to == name.to && open.name.tag == name.tag;
  });
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
  else if (const auto name = started_by(event, rank_)) {
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
  if (const auto found = find_open(wait.request); found != open_.end()) {
    wait.request = found->name;
    open_.erase(found);
    return true;
  }
  const bool is_to_nobody = wait.request.from == rank_ && !wait.request.to;
  const bool is_from_nobody =
      !wait.request.from && facts_.received_unnamed.contains(wait.request.tag.value_or(any_tag_fact));
  const bool was_waited_for = std::ranges::find(over_, wait.request) != over_.end();
  const bool is_buffered = wait.request.to && buffered_.contains({*wait.request.to, wait.request.tag.value_or(0)});
  return !is_to_nobody && !is_from_nobody && !is_buffered && !was_waited_for && lines_->signs().startalls.count == 0;
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
  } else if (const auto found = find_open(*test.request); found != open_.end()) {
    const auto name = found->name;
    if (is_last_test(*test.request)) {
      event.what = WaitEvent{name};
      open_.erase(find_open(name));
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
    if (started_by(*event, rank_) == name)
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
    if (const auto* named = named_by(*event); named && find_open(*named) != open_.end())
      return false;
    if (const auto name = started_by(*event, rank_); name && find_open(*name) != open_.end())
      return true;
  }
  return true;
}

void TiRequests::settle_wait_all(WaitAllEvent& all) {
  auto undecided = std::move(open_);
  open_.clear();
  const auto take = [&](const RequestName& name, bool stays_open) {
    auto found = std::ranges::find(undecided, name, &Open::name);
    if (found == undecided.end())
      found = std::ranges::find_if(undecided, [&](const Open& open) {
        return stays_open && open.is_persistent && open.name.to == name.to && open.name.tag == name.tag;
      });
    if (found == undecided.end())
      return;
    (stays_open ? all.others : over_).push_back(found->name);
    if (stays_open)
      open_.push_back(*found);
    undecided.erase(found);
  };
  over_.clear();
  for (std::size_t i = 0; !undecided.empty(); ++i) {
    const auto* event = following(i);
    if (!event || is_for_some(*event))
      break;
    if (const auto* wait = std::get_if<WaitEvent>(&event->what))
      take(wait->request, true);
    else if (const auto name = started_by(*event, rank_))
      take(*name, false);
  }
  for (const auto& open : undecided)
    over_.push_back(open.name);
}

TiLeftOver TiRequests::left_over() const {
  TiLeftOver left;
  auto ended = waits_for_any_;
  for (const auto& open : open_) {
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
