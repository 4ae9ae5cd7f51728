// Events and the times at which they are due → the events in order of time; equal times in order of insertion, or in an
// order that a seed shuffles.
//
// A heap while there are few. From some hundreds on a calendar: days of equal length, each sorted when it begins, so
// that an event costs the same however many there are.
#pragma once

#include "engine/flow/network.hpp"

#include <cassert>
#include <vector>

namespace kakehashi {

class EventQueue {
public:
  explicit EventQueue(std::uint32_t seed = 0) : seed_(seed) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void push(Seconds time, Event event);
  Seconds next() { // when the first is due; there must be one
    assert(!empty());
    if (late_.empty() && today_at_ == today_.size())
      open_day();
    return {late_is_first() ? late_.front().time : today_[today_at_].time};
  }
  Event pop(); // likewise

private:
  struct Entry {
    double time;
    std::uint64_t order;
    Event event;
  };
  struct Before { // a type, so that the sorts below inline it
    bool operator()(const Entry& a, const Entry& b) const {
      return a.time < b.time || (a.time == b.time && a.order < b.order);
    }
  };
  struct Behind {
    bool operator()(const Entry& a, const Entry& b) const { return Before{}(b, a); }
  };

  void push_late(const Entry& entry);
  void put(const Entry& entry);
  void begin_calendar();
  void open_day();
  void turn_year();
  bool late_is_first() const {
    return today_at_ == today_.size() || (!late_.empty() && Before{}(late_.front(), today_[today_at_]));
  }

  static constexpr std::size_t few = 256;
  static constexpr std::size_t days = 1024;

  std::uint32_t seed_;
  std::uint64_t inserted_ = 0;
  std::size_t size_ = 0;
  std::vector<Entry> late_;  // a heap: all of them, or those for a day that has begun
  std::vector<Entry> today_; // sorted
  std::size_t today_at_ = 0; // first that is still to come
  bool has_calendar_ = false;
  std::vector<std::vector<Entry>> days_;
  std::size_t next_day_ = 0;
  std::size_t in_days_ = 0;
  std::vector<Entry> far_; // beyond the last day
  double begin_ = 0;       // of the first day
  double per_day_ = 1;     // days in a second
  std::size_t popped_ = 0; // since the first day
};

} // namespace kakehashi
