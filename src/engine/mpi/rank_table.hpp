// The ranks of a simulation: their programs, cores that queue for overheads, requests, and what they match.
#pragma once

#include "base/error.hpp"
#include "base/prefetch.hpp"
#include "base/ring.hpp"
#include "engine/flow/network.hpp"
#include "engine/mpi/connections.hpp"
#include "engine/mpi/matching.hpp"
#include "engine/record/recorder.hpp"
#include "transport/way_table.hpp"
#include "workload/operation.hpp"
#include "workload/program.hpp"

#include <cassert>
#include <cmath>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace kakehashi {

// The machine that a simulation runs on, and how it runs.
struct Setting {
  Network& network;
  WayTable& ways;
  int ranks = 0;
  const Shift* shift = nullptr;  // null: all ranks are simulated; else those that stand for all
  Recorder* recorder = nullptr;  // null: nobody records the run
  std::uint32_t seed = 0;        // shuffles the order in which ranks start (0: not at all)
  double noise = 0;              // each transfer and each time in MPI is longer or shorter by this part of it at most
  bool is_ideal = false;         // messages take no time, and none waits for its receive
  bool skips_rounds = false;     // ranks leave out rounds that take as long as those before them, to two parts in 1000
  bool shortens_plain = true;    // plain messages leave out steps that take no time; tests see that nothing changes
  bool may_get_stuck = false;    // ranks that wait for ever end when nothing moves any more; else that is a deadlock
  bool answers_in_calls = false; // nobody answers a request for a long message while its receiver works outside of MPI
  NodeCosts in_node = {};
  // Returns how long work takes that begins now, outside of MPI. Empty: as long as the operation states.
  std::function<Seconds(const Rank& rank, const ComputeOperation& work)> work_time = {};
};

// Events that are due: those after a delay wait in the network, those without one in a queue here. A failure ends them.

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

// The operations that a rank has begun, by number, and those that it waits for now.
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
    if (wait.is_for_any_of_all())
      return await_any_of_all(ended);
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

  // Returns whether the rank waited for it. `is_kept`: else a wait for any of all is to find it.
  bool end(std::uint32_t request, bool is_kept) {
    auto& state = open_[request - first_];
    state.done = true;
    const bool was_awaited = state.awaited || awaits_all_;
    if (was_awaited && awaits_any_)
      await_none();
    else if (was_awaited)
      --awaited_;
    if (is_kept && !was_awaited)
      keep(request);
    while (!open_.empty() && open_.front().done) {
      open_.pop_front();
      ++first_;
    }
    return was_awaited;
  }

  std::size_t open() const { // the number that have not ended
    std::size_t open = 0;
    for (std::size_t i = 0; i < open_.size(); ++i)
      open += !open_[i].done;
    return open;
  }

private:
  using Ended = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>; // the oldest first

  struct State {
    bool done = false;
    bool awaited = false;
  };

  void await_none() {
    for (std::size_t i = 0; i < open_.size() && !awaits_all_; ++i)
      open_[i].awaited = false;
    awaited_ = 0;
    awaits_any_ = false;
    awaits_all_ = false;
  }

  bool await_any_of_all(Request& ended) {
    if (ended_ && !ended_->empty()) {
      ended = {ended_->top()};
      ended_->pop();
      return false;
    }
    awaited_ = 1;
    awaits_any_ = true;
    awaits_all_ = true;
    return true;
  }

  void keep(std::uint32_t request) {
    if (!ended_)
      ended_ = std::make_unique<Ended>();
    ended_->push(request);
  }

  Ring<State> open_; // from the first that has not ended
  std::uint32_t first_ = 0;
  std::uint32_t awaited_ : 30 = 0;
  std::uint32_t awaits_any_ : 1 = 0;
  std::uint32_t awaits_all_ : 1 = 0; // any of all that are open
  std::unique_ptr<Ended> ended_;     // unseen; null where ranks name what they wait for
};

inline constexpr std::uint32_t no_request = ~std::uint32_t{0};

// Few lines of the cache hold all that a message touches.
struct alignas(64) RankState {
  RankState(int id, int ranks) : view(id, ranks) {}
  Rank view;
  std::optional<Program> program;
  Seconds finish;
  bool finished = false;

  alignas(64) Seconds core_free;
  Seconds goes_on;  // at the earliest, when no request is awaited any more
  double cache = 0; // bytes that it has for itself
  Seconds worked;   // for itself, since its last message
  Requests requests;

  Matching matching;
  Seconds next_payload;               // earliest, by the gap
  MessageList unanswered;             // matched, and long, until it calls MPI again
  std::uint32_t receive = no_request; // the request of its last blocking one

  // It does something else than to call MPI.
  bool is_at_work() const {
    const auto* work = view.pending ? std::get_if<ComputeOperation>(&view.pending->operation) : nullptr;
    return work && work->blocking && !work->in_call;
  }
};

class RankTable {
public:
  RankTable(const Setting& setting, Agenda& agenda);

  std::span<RankState> all() { return states_; } // ranks that are simulated
  std::span<const RankState> all() const { return states_; }
  // The rank, or the one that stands for it.
  RankState& operator[](int rank) { return states_[home(rank)]; }
  const RankState& operator[](int rank) const { return states_[home(rank)]; }

  void resume(RankState& rank); // its program, to its next operation or its end

  // A worker of a rank that has been set to more work.
  struct Busy {
    Seconds until;
    std::uint32_t worker = core_worker; // its number in the recording
  };
  // The worker of the lane, for operations of which the rank's core, or a worker of the lane's own, is in charge. With
  // noise if it is in a call.
  Busy occupy(RankState& rank, LaneNumber lane, Seconds time, bool is_in_call = true);
  bool has_own_worker(LaneNumber lane) const { return lane != own_lane && worker_of(lane) == LaneWorker::own; }

  std::uint32_t add_request(RankState& rank, bool is_awaited);
  void end_request(int rank, std::uint32_t request, Seconds at, Occasion why); // now, or when its core is free

  // Returns the part of a rank's working set that loads the memory: nothing if all of it fits in the rank's caches, all
  // if it is twice as large. otherwise: the working set where the program states none.
  double load_of(const RankState& rank, Bytes otherwise, LaneNumber lane = own_lane) const;

  Bytes with_noise(Bytes size) {
    return setting_.noise > 0
               ? Bytes{static_cast<std::uint64_t>(std::llround(noise() * static_cast<double>(size.count)))}
               : size;
  }

  // Many ranks have more than the caches hold; what will be needed soon can come from memory meanwhile.
  void fetch(int rank) const {
    const auto at = home(rank);
    prefetch(&states_[at].view);
    prefetch(&states_[at].core_free);
    prefetch(frames_[at]);
  }

private:
  std::size_t home(int rank) const {
    return static_cast<std::size_t>(rank < simulated_ ? rank : setting_.shift->home(rank));
  }
  double noise(); // so many times as long the next thing takes
  LaneWorker worker_of(LaneNumber lane) const { return setting_.ways.lanes()[lane].worker; }

  const Setting& setting_;
  Agenda& agenda_;
  int simulated_;                          // ranks
  std::vector<RankState> states_;          // programs refer to them, so they stay where they are
  std::vector<void*> frames_;              // where their programs wait, so that these can be fetched without the ranks
  std::vector<std::size_t> first_workers_; // the first of a rank's workers for each lane of its own
  std::size_t workers_ = 0;                // each rank's
  std::vector<Seconds> free_at_;           // the workers of all ranks
  std::uint64_t noises_ = 0;               // so far
};

} // namespace kakehashi
