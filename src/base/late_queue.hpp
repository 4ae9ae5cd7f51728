// Values in their order, of which some are known only later → the same values, each once it and those before are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace kakehashi {

template <class Value> class LateQueue {
public:
  // Returns its number, by which the others name it until it has left.
  std::uint64_t add(Value value, bool is_known = true) {
    entries_.push_back({std::move(value), is_known ? State::known : State::open});
    return left_ + entries_.size() - 1;
  }
  Value& know(std::uint64_t number) { return in_state(number, State::known).value; }
  void drop(std::uint64_t number) { in_state(number, State::dropped); }

  // Returns the next value that is known. at_end: what is open stays unknown, and is left out.
  std::optional<Value> next(bool at_end) {
    while (!entries_.empty() && (at_end || entries_.front().state != State::open)) {
      auto entry = std::move(entries_.front());
      entries_.pop_front();
      ++left_;
      if (entry.state == State::known)
        return std::move(entry.value);
    }
    return std::nullopt;
  }

private:
  enum class State { known, open, dropped };
  struct Entry {
    Value value;
    State state;
  };
  Entry& in_state(std::uint64_t number, State state) {
    auto& entry = entries_[static_cast<std::size_t>(number - left_)];
    entry.state = state;
    return entry;
  }

  std::deque<Entry> entries_;
  std::uint64_t left_ = 0; // number of values that have left
};

} // namespace kakehashi
