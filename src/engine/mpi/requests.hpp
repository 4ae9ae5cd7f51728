// The operations that a rank has begun, by number, and those that it waits for now.
#pragma once

#include "engine/mpi/ring.hpp"
#include "workload/operation.hpp"

#include <utility>

namespace kakehashi {

class Requests {
public:
  std::uint32_t next() const { return first_ + static_cast<std::uint32_t>(open_.size()); } // number

  std::uint32_t add(bool is_awaited) {
    const auto number = next();
    open_.push_back({false, is_awaited});
    if (is_awaited)
      ++awaited_;
    return number;
  }

  bool has_ended(Request request) const { return request.index < first_ || open_[request.index - first_].done; }

  std::uint32_t awaited() const { return awaited_; } // the number for which it waits
  bool awaits_any() const { return awaits_any_; }    // one of them is enough

  // The rank waits for these from now on. Returns whether it has to: if one that has ended is enough, that becomes
  // `ended`, and the rank waits for none.
  bool await(const WaitOperation& wait, Request& ended) {
    for (const auto& request : wait.requests) {
      if (!has_ended(request)) {
        if (!std::exchange(open_[request.index - first_].awaited, true))
          ++awaited_;
      } else if (wait.any) {
        await_none();
        ended = request;
        return false;
      }
    }
    const bool waits = awaited_ > 0;
    awaits_any_ = wait.any && waits;
    return waits;
  }

  // The rank also waits for an operation that has yet to begin, until it has.
  void await_next() { ++awaited_; }
  void next_begins() { --awaited_; }

  // Returns whether the rank waited for it.
  bool end(std::uint32_t request) {
    auto& state = open_[request - first_];
    state.done = true;
    const bool was_awaited = state.awaited;
    if (was_awaited && awaits_any_)
      await_none();
    else if (was_awaited)
      --awaited_;
    while (!open_.empty() && open_.front().done) {
      open_.pop_front();
      ++first_;
    }
    return was_awaited;
  }

private:
  struct State {
    bool done = false;
    bool awaited = false;
  };

  void await_none() {
    for (std::size_t i = 0; i < open_.size(); ++i)
      open_[i].awaited = false;
    awaited_ = 0;
    awaits_any_ = false;
  }

  Ring<State> open_; // from the first that has not ended
  std::uint32_t first_ = 0;
  std::uint32_t awaited_ : 31 = 0;
  std::uint32_t awaits_any_ : 1 = 0;
};

} // namespace kakehashi
