// Events that are due: those after a delay wait in the network, those without one in a queue here. A failure ends them.
#pragma once

#include "base/error.hpp"
#include "engine/flow/network.hpp"
#include "engine/mpi/ring.hpp"

#include <utility>

namespace kakehashi {

// The id is that of a rank, of work aside or, from core_sent on, of a message.
enum EventKind : std::uint32_t {
  rank_resumes,
  work_done,
  host_copy_flows,
  host_copy_done,
  aside_done,
  core_sent,
  request_arrived,
  core_received,
  copy_flows,
  copy_done,
  payload_ready,
  payload_starts,
  piece_flows, // with the stage above the kind
  leg_done,    // likewise
  piece_done,  // likewise
  plain_flows, // the whole payload at once
  plain_done
};

class Agenda {
public:
  explicit Agenda(Network& network) : network_(network) {}

  void add(Seconds delay, std::uint32_t kind, std::uint32_t id) {
    if (delay.value > 0)
      network_.after(delay, {kind, id});
    else
      due_now_.push_back({kind, id});
  }
  // Whether an event that is added now would be the next one, so that its handler may be called at once instead.
  bool is_next(Seconds delay) const { return delay.value <= 0 && due_now_.empty(); }

  // Ends the run: no event is handled any more.
  void fail(Errors errors) { failures_ = std::move(errors); }
  const Errors& failures() const { return failures_; } // none: nothing has failed

  // Handles all that is due without delay, and what that adds.
  template <class Handle> void settle(const Handle& handle) {
    while (!due_now_.empty()) {
      const Event event = due_now_.front();
      due_now_.pop_front();
      handle(event);
    }
  }

private:
  Network& network_;
  Ring<Event> due_now_;
  Errors failures_;
};

} // namespace kakehashi
