// The ranks of a simulation: their programs, cores that queue for overheads, requests, and what they match.
#pragma once

#include "base/prefetch.hpp"
#include "engine/mpi/agenda.hpp"
#include "engine/mpi/connections.hpp"
#include "engine/mpi/matching.hpp"
#include "engine/mpi/requests.hpp"
#include "engine/mpi/setting.hpp"

#include <cassert>
#include <cmath>

namespace kakehashi {

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
