// The events of a simulation → a recording: times of ranks, slices of a time line, and the critical path.
//
// The critical path needs to know of everything what it waited for. That is always what ended just when it began: what
// the event that is handled now has ended, which is an Occasion that calls return and take, or, for a core or a
// connection that is still in use, what it does before.
#pragma once

#include "base/units.hpp"
#include "engine/flow/network.hpp"
#include "engine/record/causes.hpp"
#include "result/recording.hpp"
#include "transport/itinerary.hpp"
#include "transport/shift.hpp"
#include "transport/way_table.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace kakehashi {

// Flows over ways, and the traffic of memories → the bytes that each channel carried.
class ChannelBytes {
public:
  // Keeps references. shift: null if all ranks are there.
  ChannelBytes(const WayTable& ways, const Shift* shift) : ways_(ways), shift_(shift) {}

  // So many ways are known.
  void learn_ways(std::size_t count);
  // So many bytes flow over each leg of a way's stage, and load the memories at the ends, if they do.
  void add_flow(std::size_t way, std::size_t stage, double bytes, Loads loads) {
    flows_[first_[way] + stage][loads.number()] += bytes;
  }
  // So many on each of these channels.
  void add(std::span<const std::size_t> channels, double each) { add(channels, each, loads_); }

  // All of it, by channel; with a shift that of all ranks.
  std::vector<double> total() const;

private:
  using Flow = std::array<double, 4>; // by the number of what is loaded
  void add(std::span<const std::size_t> channels, double each, std::vector<double>& bytes) const;

  const WayTable& ways_;
  const Shift* shift_;
  std::vector<std::size_t> first_; // the first flow of each way, in flows_
  std::vector<Flow> flows_;        // the flows of all stages of each way
  std::vector<double> loads_;      // bytes on channels of no way
};

// Times of a network whose run leaves out rounds → the times of the whole run. Some of what was simulated stands for
// what was left out, so it takes longer by that clock.
class StretchedClock {
public:
  // The time from `from` to `to` stands for so many times as much. It must be later than all stretches so far.
  void stretch(Seconds from, Seconds to, std::uint32_t times) {
    assert(from < to && (stretches_.empty() || stretches_.back().to <= from));
    stretches_.push_back({from, to, times, stretches_.empty() ? Seconds{} : (*this)(from)-from});
  }

  Seconds operator()(Seconds time) const {
    const auto* stretch = last_before(time);
    return stretch ? time + stretch->before + (stretch->times - 1.0) * (std::min(time, stretch->to) - stretch->from)
                   : time;
  }

  // For how many times as much that stands which ends then.
  std::uint32_t times_at(Seconds time) const {
    const auto* stretch = last_before(time);
    return stretch && time <= stretch->to ? stretch->times : 1;
  }

private:
  struct Stretch {
    Seconds from;
    Seconds to;
    std::uint32_t times;
    Seconds before; // what those before it add
  };
  const Stretch* last_before(Seconds time) const {
    const auto found = std::find_if(stretches_.rbegin(), stretches_.rend(),
                                    [&](const Stretch& stretch) { return stretch.from < time; });
    return found == stretches_.rend() ? nullptr : &*found;
  }
  std::vector<Stretch> stretches_;
};

// The thing that has just ended, so that others begin.
struct Occasion {
  static constexpr std::uint32_t no_message = ~std::uint32_t{0};
  Cause cause = no_cause;
  std::uint32_t message = no_message; // slot of the message to which it belongs
};

// In place of a worker's number: the rank's core. Others have numbers in the order of ranks.
inline constexpr std::uint32_t core_worker = ~std::uint32_t{0};

class Recorder {
public:
  // A message as its sender's core begins with it.
  struct Launch {
    std::uint32_t slot = 0;   // the name that the simulation has for it until it is dropped
    std::uint32_t number = 0; // among all messages
    std::uint32_t connection = 0;
    SentMessage message;
    std::size_t stages = 1;
    int owner = 0;                      // rank whose core works for it
    bool resumes_owner = false;         // as soon as the core is free
    std::uint32_t worker = core_worker; // the rank's worker that works
  };

  static Causes causes_for(const Recording& recording, int ranks);

  // Keeps references. shift: null if all ranks are there; else the ranks are those that stand for all.
  Recorder(Recording& recording, const Network& network, const WayTable& ways, int ranks, const Shift* shift,
           Causes causes);

  // Must be called before an event is handled. Occasions of earlier events are not valid any more.
  void begin_event() {
    if (causes_.is_full())
      forget_causes();
  }

  // Calls about ranks. A core's work is recorded when it begins; it ends when the core is free again.
  Occasion rank_resumes(int rank);
  void rank_is_at(int rank, std::uint32_t place); // the place in the program that it replays, from now on
  // One of the requests that the rank waits for has ended, so it may go on at that time: now, or when its core is free.
  // It resumes then if that was the last one.
  void rank_can_go_on(int rank, Seconds at, bool is_last, Occasion why);
  void rank_ends(int rank);
  void rank_is_stuck(int rank); // it ends because nothing happens any more
  void computes(int rank, Seconds core_free, Occasion why);
  void computes_aside(std::uint32_t slot, int rank,
                      Occasion why);                      // on another core; the slot names the work until it ends
  void joins(std::uint32_t slot, int rank, Occasion why); // a call that ranks do together, and which begins
  Occasion aside_ends(std::uint32_t slot, int rank);
  void work_loads(int rank, std::span<const std::size_t> channels, Bytes traffic); // the traffic of its work or copy
  void host_copy_ends(int rank, Seconds start);                                    // it began to flow at `start`
  void work_ends(int rank, Seconds core_free); // the core's part ended at `core_free`, its memory's traffic now

  // Calls about messages, in the order of their phases.
  Occasion launches(const Launch& launch, Seconds core_free, Occasion why); // returns the core's work
  Occasion request_arrives(std::uint32_t slot);
  void is_matched(std::uint32_t slot, Occasion why);
  Occasion payload_is_ready(std::uint32_t slot);
  // It starts then, or now if that is over; its sender's next payload starts no earlier than `next_payload`.
  void leaves_queue(std::uint32_t slot, Seconds start, Seconds next_payload, Occasion why);
  Occasion payload_starts(std::uint32_t slot);
  void stage_starts(std::uint32_t slot, std::size_t stage, Occasion why);
  Occasion stage_works(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes piece); // until now
  // bytes: on each channel of the leg. loads: the memories at both ends carry them, too.
  void flow_starts(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes bytes, Loads loads);
  Occasion flow_ends(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes piece, Loads loads);
  void payload_ends(std::uint32_t slot, Seconds connection_free, std::optional<int> remote_owner, Occasion why);
  // The receiver's worker, behind the last stage.
  void core_receives(std::uint32_t slot, int rank, std::size_t stage, Seconds free_at, Occasion why,
                     std::uint32_t worker = core_worker);
  void copy_starts(std::uint32_t slot, Bytes bytes, Loads loads); // the sender's or the receiver's core copies
  Occasion copy_ends(std::uint32_t slot, Loads loads);
  Occasion core_received(std::uint32_t slot);

  // Calls about rounds that are left out. From now on the bytes that the rank sends and works on stand for so many
  // times as many; the time from `from` to `to`, which is yet to come, stands for so many times as much.
  void stands_for(int rank, std::uint32_t times) { ranks_[static_cast<std::size_t>(rank)].stands_for = times; }
  void stretch(Seconds from, Seconds to, std::uint32_t times) {
    if (recording_.watch)
      recording_.watch({EventCategory::rounds, "stand for left out", from, 0, 0, 0, {}, 0, 0, to, times});
    clock_.stretch(from, to, times);
  }

  // Must be called once, when the run is over.
  void finish();

private:
  static constexpr Seconds never{std::numeric_limits<double>::infinity()};

  struct RankNotes {
    Cause cause = no_cause;       // the cause for which it runs
    Cause next = forgotten_cause; // the cause for which it will
    Seconds goes_on;              // at the earliest
    Cause core = forgotten_cause; // what its core does last
    Cause gap = forgotten_cause;  // after its last payload
    Seconds core_free;
    Seconds next_payload;
    Seconds accounted;            // the time up to which all is accounted for
    int asides = 0;               // other cores of the rank's that work
    std::uint32_t stands_for = 1; // so many times what it sends and computes
    std::uint32_t place = 0;      // a place in the program; 0: not known
    bool ended = false;
    Seconds end;
  };
  struct StageNotes {
    Cause cause = forgotten_cause;
    Seconds since;
  };
  // The notes of a message fill one line of the cache.
  struct alignas(64) MessageNotes {
    std::uint32_t number = 0;
    std::uint32_t connection = 0;
    int from = 0;
    int to = 0;
    std::uint32_t way = 0;
    Cause cause = forgotten_cause; // what happened to it last, or to a piece of it in the first stage
    Bytes size;
    Seconds since;              // when that ended
    Seconds core_starts;        // to send it
    Seconds waits_from = never; // since when it waits for its match
    Seconds waits_to = never;
  };
  struct ConnectionNotes {
    Cause cause = forgotten_cause; // its last payload
    Seconds free_at;
  };

  // Notes for work of a rank that belongs to no message.
  static MessageNotes of_rank(int rank) {
    MessageNotes none;
    none.from = none.to = rank;
    return none;
  }
  template <typename Visit> void visit_roots(const Visit& visit);
  Cause add(const PathSort& sort, Seconds start, Seconds end, Cause before); // if it took time
  Cause add(Phase phase, int rank, Seconds start, Seconds end, Cause before) {
    return add({phase, 0, 0, rank, rank, 0, {}, {}, ranks_[static_cast<std::size_t>(rank)].place}, start, end, before);
  }
  Cause add(Phase phase, const MessageNotes& message, Seconds start, Seconds end, Cause before);
  // A worker of the rank, for a message.
  struct Work {
    Seconds start;
    Cause cause;
  };
  Work works(int rank, Activity activity, const MessageNotes& message, Seconds free_at, Occasion why,
             std::uint32_t worker = core_worker, std::size_t stage = 0);
  std::uint32_t place_of(std::uint32_t slot) const { // where the program asked for the message
    return slot < message_places_.size() ? message_places_[slot] : 0;
  }
  void account(int rank, Activity activity, Seconds time);
  void tell(int rank, Activity activity, Seconds start, Seconds end, const MessageNotes& message);
  void tell_gap(int rank, Seconds end, const MessageNotes& message);
  Occasion ended(Cause cause, std::uint32_t message) { return {latest_ = cause, message}; }
  Occasion phase_ends(std::uint32_t slot, Phase phase);
  void tell_watcher(EventCategory category, std::string_view what, std::uint32_t slot, Bytes size,
                    std::size_t stage = 0, std::size_t leg = 0) const {
    if (!recording_.watch)
      return;
    const auto& message = messages_[slot];
    recording_.watch(
        {category, what, network_.now(), message.number, message.from, message.to, size, stage, leg, {}, 1});
  }
  void forget(std::uint32_t slot);
  void forget_causes();
  Occasion stage_phase_ends(std::uint32_t slot, std::size_t stage, Phase phase, std::size_t leg, Bytes piece);
  void learn_ways(std::size_t count);
  void add_transfer(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes bytes, Loads loads);
  void end_transfer(std::uint32_t slot, std::size_t stage, std::size_t leg, Loads loads);
  std::vector<std::size_t> channels_of(std::uint32_t slot, std::size_t stage, std::size_t leg, Loads loads) const;
  void add_images();

  Recording& recording_;
  const Network& network_;
  const WayTable& ways_;
  const Shift* shift_;
  ChannelBytes channel_bytes_;
  LikeWays like_ways_;
  std::size_t known_ways_ = 0;
  std::optional<Traffic> standing_traffic_; // the traffic of the ranks that stand for all
  StretchedClock clock_;
  Causes causes_;           // with that clock's times
  Cause latest_ = no_cause; // what ended last of all
  std::vector<RankNotes> ranks_;
  std::vector<MessageNotes> messages_;                  // the index is the slot
  std::vector<std::uint32_t> stand_for_;                // so many, by slot
  std::vector<std::uint32_t> message_places_;           // the index is the slot; none: no place is known
  std::vector<std::vector<StageNotes>> further_stages_; // the further stages of each message of a staged fabric
  std::vector<ConnectionNotes> connections_;
  struct AsideNotes {
    Cause cause = forgotten_cause;
    Seconds start;
    Phase phase = Phase::compute;
  };
  void note_aside(std::uint32_t slot, AsideNotes notes);
  std::vector<AsideNotes> asides_;
  struct WorkerNotes {
    Cause cause = forgotten_cause; // what it does last
    Seconds free_at;
  };
  std::vector<WorkerNotes> workers_; // those that are not cores
  std::optional<int> last_;          // the last rank that has ended
};

} // namespace kakehashi
