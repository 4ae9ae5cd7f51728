// What a simulation tells of each event → a trace: spans of messages, times of ranks, slices of a time line, and the
// critical path.
//
// The critical path needs to know of everything what it waited for. That is always what ended just when it began: what
// the event that is handled now has ended, or, for a core or a connection that is still in use, what it does before.
#pragma once

#include "engine/flow/network.hpp"
#include "engine/record/causes.hpp"
#include "result/trace.hpp"
#include "transport/chain_table.hpp"

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

  // Keeps references. Causes beyond so many are made fewer.
  Recorder(Trace& trace, const Network& network, const ChainTable& chains, int ranks,
           std::size_t most_causes = std::size_t{1} << 19);

  // Ranks. Cores are told when they begin; what they do ends when the core is free again.
  void rank_resumes(int rank);
  // One of those for which it waits lets it go on at that time, now or when its core is free; then it resumes if that
  // was the last one.
  void rank_can_go_on(int rank, Seconds at, bool is_last);
  void rank_ends(int rank);
  void computes(int rank, Seconds core_free);

  // Messages, in the order of their phases.
  void launches(const Launch& launch, Seconds core_free);
  void core_sent(std::uint32_t slot); // may be told later, before anything else of it
  void request_arrives(std::uint32_t slot);
  void is_matched(std::uint32_t slot);
  void payload_is_ready(std::uint32_t slot);
  void leaves_queue(std::uint32_t slot, Seconds start);
  void payload_starts(std::uint32_t slot, Seconds next_payload);
  void stage_starts(std::uint32_t slot, std::size_t stage);
  void stage_phase_ends(std::uint32_t slot, std::size_t stage, Phase phase, std::size_t segment, std::uint32_t piece,
                        Bytes size); // of the piece
  void flow_starts(std::uint32_t slot, std::size_t stage, std::size_t segment, Bytes size);
  void payload_ends(std::uint32_t slot, Seconds connection_free);
  void core_receives(std::uint32_t slot, Seconds core_free);
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
    Seconds core_starts_to_receive;
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
  Cause add(const PathPiece& piece, Cause before); // if it took time
  static PathPiece piece_of(const SentMessage& message, Phase phase, Seconds start, Seconds end);
  void keep_span(const MessageNotes& notes, Phase phase, Seconds start, Seconds end, std::size_t stage = 0,
                 std::size_t segment = 0, std::uint32_t piece = 0);
  Seconds core_works(int rank, Activity activity, const MessageNotes& notes, Seconds core_free);
  void tell(int rank, Activity activity, Seconds start, Seconds end, const MessageNotes& notes);
  void tell_gap(int rank, Seconds end, const MessageNotes& notes);
  void phase_ends(MessageNotes& notes, Phase phase);
  std::span<const std::size_t> segment_of(const MessageNotes& notes, std::size_t stage, std::size_t segment) const;
  static void forget_causes(MessageNotes& notes);

  Trace& trace_;
  const Network& network_;
  const ChainTable& chains_;
  Causes causes_;
  Cause now_ = no_cause;       // what the event that is handled now has ended
  std::uint32_t now_slot_ = 0; // the message that it belongs to
  std::vector<RankNotes> ranks_;
  std::vector<MessageNotes> messages_ = std::vector<MessageNotes>(1); // by slot; one before the first is sent
  std::vector<ConnectionNotes> connections_;
};

} // namespace kakehashi
