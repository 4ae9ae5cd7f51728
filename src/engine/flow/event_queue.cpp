#include "engine/flow/event_queue.hpp"

#include "engine/flow/shuffle.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {

Seconds EventQueue::push(Seconds time, Event event) {
  leave_few();
  ++size_;
  push_heap(time, event);
  return time;
}

void EventQueue::leave_few() {
  for (; few_size_ > 0; --few_size_) {
    const auto& [at, event] = few_[few_size_ - 1];
    if (!push_wheel(at, event))
      push_heap(static_cast<double>(at) * tick_, event);
  }
}

void EventQueue::push_heap(Seconds time, Event event) {
  heap_.push_back({time.value, shuffled(inserted_++, seed_), event});
  std::push_heap(heap_.begin(), heap_.end(), Behind{});
}

Event EventQueue::pop_heap() {
  const auto event = heap_.front().event;
  std::pop_heap(heap_.begin(), heap_.end(), Behind{});
  heap_.pop_back();
  return event;
}

// Goes on to the next turn that has events if this one has none left.
void EventQueue::find_first() {
  assert(!wheels_are_empty());
  if (near_used_.empty()) {
    const auto slot = far_used_.first(slot_of(turn_ + 1));
    far_used_.erase(slot);
    const auto last = std::exchange(far_[slot], none);
    const auto first = nodes_[last].next;
    turn_ = turn_of(nodes_[first].at);
    for (auto node = first, next = none;; node = next) {
      next = nodes_[node].next;
      append(near_, near_used_, slot_of(nodes_[node].at), node, nodes_);
      if (node == last)
        break;
    }
  }
  first_ = turn_ * slots + static_cast<std::int64_t>(near_used_.first(0));
}

} // namespace kakehashi
