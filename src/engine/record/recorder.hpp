// What a simulation tells of each event → a recording: times of ranks, slices of a time line, and the critical path.
//
// The critical path needs to know of everything what it waited for. That is always what ended just when it began: what
// the event that is handled now has ended, or, for a core or a connection that is still in use, what it does before.
#pragma once

#include "engine/flow/network.hpp"
#include "engine/record/causes.hpp"
#include "result/recording.hpp"
#include "transport/way_table.hpp"

#include <algorithm>

namespace kakehashi {

class Recorder {
public:
  // A message as its sender's core begins with it.
  struct Launch {
    std::uint32_t slot = 0;   // by which the simulation knows it until it is dropped
    std::uint32_t number = 0; // among all messages
    std::uint32_t connection = 0;
    SentMessage message;
    int owner = 0; // rank whose core works for it
    bool is_remote = false;
    bool resumes_owner = false; // as soon as the core is free
  };

  static constexpr std::size_t many_causes = 1 << 19; // among them each step of the path of one message
  // So few that caches hold them, if that leaves rows of each rank that are worth folding.
  static std::size_t few_causes(int ranks) {
    return std::min(many_causes, (std::size_t{1} << 14) + 512 * static_cast<std::size_t>(ranks));
  }

  // Keeps references. Causes beyond so many are made fewer.
  Recorder(Recording& recording, const Network& network, const WayTable& ways, int ranks, std::size_t most_causes);

  // Ranks. Cores are told when they begin; what they do ends when the core is free again.
  void rank_resumes(int rank);
  // One of those for which it waits lets it go on at that time, now or when its core is free; then it resumes if that
  // was the last one.
  void rank_can_go_on(int rank, Seconds at, bool is_last);
  void rank_ends(int rank);
  void computes(int rank, Seconds core_free);
  void computes_aside(std::uint32_t slot); // the rank that runs now, on another core; known by that number to its end
  void aside_ends(std::uint32_t slot, int rank);
  void work_ends(int rank, Seconds core_free); // of what it computes, at the core; now with its memory, too

  // Messages, in the order of their phases.
  void launches(const Launch& launch, Seconds core_free);
  void core_sent(std::uint32_t slot); // may be told later, before anything else of it
  void request_arrives(std::uint32_t slot);
  void is_matched(std::uint32_t slot);
  void payload_is_ready(std::uint32_t slot);
  void leaves_queue(std::uint32_t slot, Seconds start);
  void payload_starts(std::uint32_t slot, Seconds next_payload);
  void stage_starts(std::uint32_t slot, std::size_t stage);
  void stage_phase_ends(std::uint32_t slot, std::size_t stage, Phase phase, std::size_t leg,
                        Bytes size); // of the piece
  void flow_starts(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes size);
  void payload_ends(std::uint32_t slot, Seconds connection_free);
  void core_receives(std::uint32_t slot, Seconds core_free);
  void copy_ends(std::uint32_t slot); // of the sender's or the receiver's core: now with the memory, too
  void core_received(std::uint32_t slot);

  // Once the run is over.
  void finish();

private:
  struct CoreWork { // that may reach beyond the rank's end
    Activity activity = Activity::compute;
    Seconds start;
    Seconds end;
  };
  struct RankNotes {
    Cause cause = no_cause; // for which it runs
    Cause next = no_cause;  // for which it will
    Seconds goes_on;        // at the earliest
    Cause core = no_cause;  // what its core does last
    Cause gap = no_cause;   // after its last payload
    Seconds core_free;
    Seconds next_payload;
    Seconds told; // up to which its time is accounted for
    std::vector<CoreWork> ahead;
    bool ended = false;
    Seconds end;
  };
  struct StageNotes {
    Cause cause = no_cause;
    Seconds since;
    bool flows = false;
  };
  struct MessageNotes : Launch {
    Cause cause = no_cause; // what happened to it last
    Seconds since;          // end of that
    Seconds core_starts;    // to send it
    Seconds core_ends;
    std::optional<Seconds> waits_from; // for its match
    std::optional<Seconds> waits_to;
    std::vector<StageNotes> stages;
  };
  struct ConnectionNotes {
    Cause cause = no_cause; // its last payload
    Seconds since;          // end of that
    Seconds free_at;
  };

  void visit_roots(const std::function<void(Cause)>& visit) const;
  Cause add(const PathStep& step, Cause before); // if it took time
  static PathStep step_of(const SentMessage& message, Phase phase, Seconds start, Seconds end);
  Seconds core_works(int rank, Activity activity, const MessageNotes& notes, Seconds core_free);
  void tell(int rank, Activity activity, Seconds start, Seconds end, const MessageNotes& notes);
  void tell_gap(int rank, Seconds end, const MessageNotes& notes);
  void phase_ends(MessageNotes& notes, Phase phase);
  std::span<const std::size_t> leg_of(const MessageNotes& notes, std::size_t stage, std::size_t leg) const;
  static void forget_causes(MessageNotes& notes);

  Recording& recording_;
  const Network& network_;
  const WayTable& ways_;
  Causes causes_;
  Cause now_ = no_cause;       // what the event that is handled now has ended
  std::uint32_t now_slot_ = 0; // the message that it belongs to
  std::vector<RankNotes> ranks_;
  std::vector<MessageNotes> messages_ = std::vector<MessageNotes>(1); // by slot; one before the first is sent
  std::vector<ConnectionNotes> connections_;
  struct AsideNotes {
    Cause cause = no_cause;
    Seconds start;
  };
  std::vector<AsideNotes> asides_;
};

} // namespace kakehashi
