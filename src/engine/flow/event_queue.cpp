#include "engine/flow/event_queue.hpp"

#include "engine/flow/shuffle.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {

void EventQueue::push(Seconds time, Event event) {
  const Entry entry{time.value, shuffled(inserted_++, seed_), event};
  ++size_;
  if (has_calendar_)
    return put(entry);
  push_late(entry);
  if (late_.size() > few)
    begin_calendar();
}

void EventQueue::push_late(const Entry& entry) {
  late_.push_back(entry);
  std::push_heap(late_.begin(), late_.end(), Behind{});
}

void EventQueue::put(const Entry& entry) {
  const double day = (entry.time - begin_) * per_day_;
  if (day >= static_cast<double>(days))
    return far_.push_back(entry);
  const auto index = day <= 0 ? std::size_t{0} : static_cast<std::size_t>(day);
  if (index < next_day_)
    return push_late(entry);
  days_[index].push_back(entry);
  ++in_days_;
}

void EventQueue::begin_calendar() {
  has_calendar_ = true;
  days_.resize(days);
  popped_ = 0;
  far_.swap(late_);
  turn_year();
}

// Lays out the days anew. Their length comes from how closely events followed each other, if enough did to tell.
void EventQueue::turn_year() {
  constexpr double a_day = 4; // events that a day should have
  const auto [first, last] = std::minmax_element(far_.begin(), far_.end(), Before{});
  const double elapsed = first->time - begin_;
  if (popped_ > days && elapsed > 0)
    per_day_ = static_cast<double>(popped_) / elapsed / a_day;
  else if (last->time > first->time)
    per_day_ = static_cast<double>(far_.size()) / (last->time - first->time) / a_day;
  begin_ = first->time;
  next_day_ = 0;
  popped_ = 0;
  std::vector<Entry> entries;
  entries.swap(far_);
  for (const auto& entry : entries)
    put(entry);
}

// Goes on to the next day that has events.
void EventQueue::open_day() {
  today_.clear();
  today_at_ = 0;
  if (in_days_ == 0)
    turn_year();
  while (days_[next_day_].empty())
    ++next_day_;
  today_.swap(days_[next_day_++]);
  in_days_ -= today_.size();
  if (!std::is_sorted(today_.begin(), today_.end(), Before{}))
    std::sort(today_.begin(), today_.end(), Before{});
}

Event EventQueue::pop() {
  assert(!empty());
  if (late_.empty() && today_at_ == today_.size())
    open_day();
  --size_;
  ++popped_;
  Event event;
  if (late_is_first()) {
    event = late_.front().event;
    std::pop_heap(late_.begin(), late_.end(), Behind{});
    late_.pop_back();
  } else {
    event = today_[today_at_++].event;
  }
  if (size_ == 0)
    has_calendar_ = false;
  return event;
}

} // namespace kakehashi
