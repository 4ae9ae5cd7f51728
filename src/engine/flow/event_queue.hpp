// Events and the times at which they are due → the events in order of time; equal times in order of insertion, or in an
// order that a seed shuffles.
//
// A few events, as in a ping-pong, are in an array. Once there are more, none are in it until none is left.
//
// Times are numbers of ticks. Those of the next few thousand ticks are in a wheel: a list for each tick, so that an
// event costs the same however many there are. Later ones are in a second wheel, a list for each turn of the first,
// whose events go into the first when their turn comes. What neither has a place for is in a heap, as are times that
// are so late that they are no whole ticks.
#pragma once

#include "base/units.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <limits>
#include <vector>

namespace kakehashi {

// Something that is due. The network hands it back unchanged.
struct Event {
  std::uint32_t kind = 0;
  std::uint32_t id = 0;
};

// Small numbers → the least of those that are in it.
class SlotSet {
public:
  static constexpr std::size_t size = 4096;

  bool empty() const { return groups_ == 0; }
  void insert(std::size_t slot) {
    words_[slot / 64] |= std::uint64_t{1} << slot % 64;
    groups_ |= std::uint64_t{1} << slot / 64;
  }
  void erase(std::size_t slot) {
    if ((words_[slot / 64] &= ~(std::uint64_t{1} << slot % 64)) == 0)
      groups_ &= ~(std::uint64_t{1} << slot / 64);
  }
  // The first from `begin` on, which goes on from the start behind the last. There must be one.
  std::size_t first(std::size_t begin) const {
    const auto group = begin / 64;
    if (const auto rest = words_[group] >> begin % 64; rest != 0)
      return begin + static_cast<std::size_t>(std::countr_zero(rest));
    const auto turned = std::rotr(groups_, static_cast<int>(group + 1));
    const auto found = (group + 1 + static_cast<std::size_t>(std::countr_zero(turned))) % 64;
    return 64 * found + static_cast<std::size_t>(std::countr_zero(words_[found]));
  }

private:
  std::array<std::uint64_t, 64> words_{};
  std::uint64_t groups_ = 0; // words that are not 0
};

class EventQueue {
public:
  explicit EventQueue(Seconds tick, std::uint32_t seed = 0) : tick_(tick), seed_(seed) {
    near_.fill(none);
    far_.fill(none);
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // At a number of ticks, 0 or more; returns the time.
  Seconds push(std::int64_t at, Event event) {
    const Seconds time = static_cast<double>(at) * tick_;
    if (size_ == few_size_ && size_ < few && seed_ == 0) {
      push_few({at, event});
    } else {
      if (few_size_ > 0)
        leave_few();
      if (seed_ != 0 || !push_wheel(at, event))
        push_heap(time, event);
    }
    ++size_;
    return time;
  }
  Seconds push(Seconds time, Event event); // at any time

  double next() { // when the first is due, in s; there must be one
    assert(!empty());
    if (few_size_ > 0)
      return static_cast<double>(few_[few_size_ - 1].at) * tick_.value;
    return heap_is_first() ? heap_.front().time : wheel_time();
  }
  Event pop() { // likewise
    assert(!empty());
    --size_;
    if (few_size_ > 0)
      return few_[--few_size_].event;
    return heap_is_first() ? pop_heap() : pop_wheel();
  }
  // Takes the first if it is due until then.
  bool pop_until(double time, Event& event) {
    if (empty() || next() > time)
      return false;
    event = pop();
    return true;
  }
  // One that is due soon, mostly the next; null if that is not known at once.
  const Event* near_next() {
    if (near_used_.empty())
      return nullptr;
    if (first_ == unknown)
      find_first();
    return &nodes_[nodes_[near_[slot_of(first_)]].next].event;
  }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::int64_t slots = SlotSet::size;
  static constexpr std::size_t few = 8;

  struct Due {
    std::int64_t at;
    Event event;
  };
  struct Entry {
    double time;
    std::uint64_t order;
    Event event;
  };
  struct Behind { // a type, so that the heap's functions inline it
    bool operator()(const Entry& a, const Entry& b) const {
      return a.time > b.time || (a.time == b.time && a.order > b.order);
    }
  };
  struct Node {
    std::int64_t at;
    Event event;
    std::uint32_t next; // the last leads to the first
  };
  using Lists = std::array<std::uint32_t, SlotSet::size>; // the last node of each slot

  static std::size_t slot_of(std::int64_t number) { return static_cast<std::size_t>(number & (slots - 1)); }
  static std::int64_t turn_of(std::int64_t at) { return at >> std::countr_zero(SlotSet::size); }
  static void append(Lists& lists, SlotSet& used, std::size_t slot, std::uint32_t node, std::vector<Node>& nodes) {
    auto& last = lists[slot];
    if (last == none) {
      used.insert(slot);
      nodes[node].next = node;
    } else {
      nodes[node].next = nodes[last].next;
      nodes[last].next = node;
    }
    last = node;
  }
  std::uint32_t take_node() {
    if (free_ == none) {
      nodes_.emplace_back();
      return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const auto node = free_;
    free_ = nodes_[node].next;
    return node;
  }

  void push_few(const Due& due) {
    auto place = few_size_++;
    for (; place > 0 && few_[place - 1].at <= due.at; --place)
      few_[place] = few_[place - 1];
    few_[place] = due;
  }
  void leave_few(); // all go to the wheels, or the heap
  bool wheels_are_empty() const { return near_used_.empty() && far_used_.empty(); }
  bool push_wheel(std::int64_t at, Event event) { // whether there is a place
    const auto turn = turn_of(at);
    if (wheels_are_empty())
      turn_ = turn;
    if (turn < turn_ || turn - turn_ >= slots)
      return false;
    const auto node = take_node();
    nodes_[node].at = at;
    nodes_[node].event = event;
    if (turn == turn_)
      append(near_, near_used_, slot_of(at), node, nodes_);
    else
      append(far_, far_used_, slot_of(turn), node, nodes_);
    if (first_ != unknown && at < first_)
      first_ = at;
    return true;
  }
  double wheel_time() {
    if (first_ == unknown)
      find_first();
    return static_cast<double>(first_) * tick_.value;
  }
  // Of equal times those of the heap were inserted before, when the wheels had no place for them.
  bool heap_is_first() {
    if (heap_.empty()) [[likely]]
      return false;
    return wheels_are_empty() || heap_.front().time <= wheel_time();
  }
  void find_first();
  Event pop_wheel() {
    if (first_ == unknown)
      find_first();
    const auto slot = slot_of(first_);
    const auto last = near_[slot];
    const auto node = nodes_[last].next;
    if (node == last) {
      near_[slot] = none;
      near_used_.erase(slot);
      first_ = unknown;
    } else {
      nodes_[last].next = nodes_[node].next;
    }
    nodes_[node].next = free_;
    free_ = node;
    return nodes_[node].event;
  }
  void push_heap(Seconds time, Event event);
  Event pop_heap();

  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

  Seconds tick_;
  std::uint32_t seed_;
  std::uint64_t inserted_ = 0; // into the heap
  std::size_t size_ = 0;
  std::size_t few_size_ = 0;     // all, or none
  std::array<Due, few> few_{};   // the last first
  std::int64_t turn_ = 0;        // the turn that the first wheel has
  std::int64_t first_ = unknown; // the first tick that it has
  Lists near_;
  SlotSet near_used_;
  Lists far_;
  SlotSet far_used_;
  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
  std::vector<Entry> heap_;
};

} // namespace kakehashi
