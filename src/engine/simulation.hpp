// Rank programs on a network: MPI semantics, cores that queue for overheads, connections that keep order.
//
// A message passes these stages:
//   eager       sender's core | setup, trips | payload | match | receiver's core
//   rendezvous  sender's core | request trip | match | setup, further trips | payload | receiver's core
//   remote      initiator's core | setup, trips | payload
// A payload passes the segments of its route one after the other, and so the stages of a staged fabric; pieces of one
// message may be in several stages at once.
#pragma once

#include "base/error.hpp"
#include "engine/chain_table.hpp"
#include "engine/connections.hpp"
#include "engine/itinerary_table.hpp"
#include "engine/matching.hpp"
#include "engine/network.hpp"
#include "engine/ring.hpp"
#include "result/trace.hpp"
#include "workload/program.hpp"

namespace kakehashi {

class Simulation {
public:
  Simulation(Network& network, ChainTable& chains, int ranks);

  // Programs may refer to their Rank until the simulation ends.
  Rank& rank(int id) { return *ranks_[static_cast<std::size_t>(id)].view; }
  void set_program(int id, Program program);

  // Keeps what happens to each message from now on.
  void record(Trace& trace) { trace_ = &trace; }

  // Gives up when there are more messages.
  void limit(std::size_t messages) { limit_ = messages; }
  bool is_over_limit() const { return messages_sent_ > limit_; }

  // Shuffles the order in which ranks start (0: not at all), and so that of all that happens at the same time.
  void shuffle(std::uint32_t seed) { seed_ = seed; }

  // Runs all programs to their ends. Errors: a deadlock, with the operation in which each rank is stuck, or a message
  // without a way.
  Result<std::vector<Seconds>> run(); // when each rank ended

  std::size_t messages() const { return messages_sent_; }
  Seconds duration() const; // until the last rank ended

private:
  struct RequestState {
    bool done = false;
    bool awaited = false;
  };
  struct RankState {
    std::unique_ptr<Rank> view;
    std::optional<Program> program;
    Matching matching;
    Ring<RequestState> requests; // from first_request on
    std::uint32_t first_request = 0;
    std::uint32_t open_requests = 0;
    std::uint32_t awaited = 0; // requests that it waits for now
    Seconds core_free;
    Seconds next_payload; // earliest, by the gap
    bool finished = false;
    Seconds finish;
  };
  struct StageState {
    std::uint32_t done = 0; // pieces
    bool busy = false;
    std::size_t segment = 0; // on which its piece flows
    Seconds since;           // begin of what goes on now
  };
  struct Message {
    int from = 0;
    int to = 0;
    int tag = 0;
    Bytes size;
    std::uint32_t chain = 0;
    std::uint32_t connection = 0;
    const Itinerary* itinerary = nullptr;
    std::uint32_t number = 0;          // among all messages
    std::uint32_t sequence = 0;        // among the envelopes of its connection
    std::uint32_t send_request = 0;    // of `from`, or of the initiator
    std::uint32_t receive_request = 0; // of `to`, once matched
    std::optional<int> initiator;      // of a remote operation
    bool resumes_sender = false;       // a nonblocking operation returns when the core is done
    bool payload_is_ready = false;
    Seconds since;       // begin of what goes on now
    Seconds core_starts; // of the core that works for it now or next
    StageState first_stage;
    std::vector<StageState> further_stages;

    int owner() const { return initiator.value_or(from); }
    StageState& stage(std::size_t index) { return index == 0 ? first_stage : further_stages[index - 1]; }
  };
  enum EventKind : std::uint32_t {
    rank_resumes,
    core_sent,
    request_arrived,
    payload_ready,
    payload_starts,
    piece_flows, // with the stage above the kind
    segment_done,
    piece_done,
    core_received
  };
  static constexpr std::uint32_t stage_shift = 8;

  void handle(Event event);
  void schedule(Seconds delay, std::uint32_t kind, std::uint32_t id);
  void settle(); // handles what is due without delay
  Seconds occupy_core(RankState& rank, Seconds time);

  void resume(int rank);
  void perform(int rank);
  void start_send(int rank, const SendOperation& send, bool awaited, bool resumes_sender);
  void start_remote(int rank, const RemoteOperation& remote);
  void launch(Message message, Side initiator);
  void start_receive(int rank, const ReceiveOperation& receive, bool awaited);
  bool await_requests(int rank, const WaitOperation& wait);

  std::uint32_t add_request(RankState& rank, bool awaited);
  void complete_request(int rank, std::uint32_t request);

  void sent_by_core(std::uint32_t id);
  void envelope_arrives(std::uint32_t id);
  void deliver(std::uint32_t id);
  void matched(std::uint32_t id);
  void pump(Connection& connection);
  void payload_start(std::uint32_t id);
  void start_piece(std::uint32_t id, std::size_t stage);
  void flow_piece(std::uint32_t id, std::size_t stage);
  void end_segment(std::uint32_t id, std::size_t stage);
  void end_piece(std::uint32_t id, std::size_t stage);
  void payload_end(std::uint32_t id);
  void receiver_works(std::uint32_t id);
  std::size_t network_path(std::uint32_t chain, std::size_t stage, std::size_t segment);

  void note(Message& message, Phase phase) {
    if (trace_ && trace_->keep_messages) // if anybody wants to know
      keep(message, phase);
  }
  void note(const Message& message, Phase phase, std::size_t stage, StageState& state) {
    if (trace_ && trace_->keep_messages)
      keep(message, phase, stage, state);
  }
  void keep(Message& message, Phase phase);
  void keep(const Message& message, Phase phase, std::size_t stage, StageState& state);

  std::uint32_t take_message();
  void drop_message(std::uint32_t id);
  Connection& connection_of(const Message& message) { return connections_[message.connection]; }
  Error deadlock() const;

  Network& network_;
  ChainTable& chains_;
  std::vector<RankState> ranks_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  Connections connections_;
  ItineraryTable itineraries_;
  std::vector<std::uint32_t> first_path_;  // of each chain, in network_paths_
  std::vector<std::size_t> network_paths_; // of each chain: of all segments of all stages
  Ring<Event> due_now_;
  std::size_t messages_sent_ = 0;
  std::size_t limit_ = ~std::size_t{0};
  std::uint32_t seed_ = 0;
  Trace* trace_ = nullptr;
  Errors failures_; // the run ends when there is one
};

} // namespace kakehashi
