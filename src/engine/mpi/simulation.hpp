// Rank programs on a network: MPI semantics, cores that queue for overheads, connections that keep order.
//
// A message passes these stages:
//   eager       sender's core | setup, trips | payload | match | receiver's core
//   rendezvous  sender's core | request trip | match | setup, further trips | payload | receiver's core
//   remote      initiator's core | setup, trips | payload
//   to itself   match; takes no time
// A payload passes the segments of its route one after the other, and so the stages of a staged fabric; pieces of one
// message may be in several stages at once.
#pragma once

#include "base/error.hpp"
#include "engine/flow/network.hpp"
#include "engine/mpi/connections.hpp"
#include "engine/mpi/matching.hpp"
#include "engine/mpi/message.hpp"
#include "engine/mpi/ring.hpp"
#include "engine/record/recorder.hpp"
#include "transport/chain_table.hpp"
#include "transport/itinerary_table.hpp"
#include "workload/program.hpp"

#include <cassert>

namespace kakehashi {

class Simulation {
public:
  Simulation(Network& network, ChainTable& chains, int ranks);

  // Programs may refer to their Rank until the simulation ends. Each rank must have one, once, before the run.
  Rank& rank(int id) { return ranks_[static_cast<std::size_t>(id)].view; }
  void set_program(int id, Program program);

  // Tells it what happens from now on.
  void record(Recorder& recorder) { recorder_ = &recorder; }

  // Gives up when there are more messages.
  void limit(std::size_t messages) { limit_ = messages; }
  bool is_over_limit() const { return messages_sent_ > limit_; }

  // Shuffles the order in which ranks start (0: not at all), and so that of all that happens at the same time.
  void shuffle(std::uint32_t seed) { seed_ = seed; }

  // Once: runs all programs to their ends. Errors: a deadlock, with the operation in which each rank is stuck, or a
  // message without a way.
  Result<std::vector<Seconds>> run(); // when each rank ended

  std::size_t messages() const { return messages_sent_; }
  std::size_t events() const { return events_; }
  std::size_t most_connections() const { return connections_.most(); }
  Seconds duration() const; // until the last rank ended

private:
  struct RequestState {
    bool done = false;
    bool awaited = false;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct RankState {
    RankState(int id, int ranks) : view(id, ranks) {}
    Rank view;
    std::optional<Program> program;
    Seconds core_free;
    Seconds next_payload; // earliest, by the gap
    std::uint32_t first_request = 0;
    std::uint32_t awaited = 0;    // requests that it waits for now
    std::uint32_t receive = none; // the request of its last blocking one
    bool awaits_any = false;      // one of them is enough
    Seconds goes_on;              // at the earliest, when none is awaited any more
    Ring<RequestState> requests;  // from first_request on
    Matching matching;
    bool finished = false;
    Seconds finish;
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
  void send_to_self(const Message& message);
  void start_remote(int rank, const RemoteOperation& remote);
  void launch(Message message);
  void start_receive(int rank, const ReceiveOperation& receive, bool awaited);
  bool await_requests(int rank, const WaitOperation& wait);
  void await_none(RankState& rank);
  bool has_ended(const RankState& rank, Request request) const;

  std::uint32_t add_request(RankState& rank, bool awaited);
  void complete_request(int rank, std::uint32_t request, Seconds at); // now or later

  void sent_by_core(std::uint32_t id);
  void get_ready(std::uint32_t id);
  void envelope_arrives(std::uint32_t id);
  void deliver(std::uint32_t id);
  void matched(std::uint32_t id);
  void pump(Connection& connection);
  void payload_start(std::uint32_t id);
  void start_piece(std::uint32_t id, std::size_t stage);
  void tell_stage(std::uint32_t id, std::size_t stage, Phase phase); // which ends now, to the recorder
  void flow_piece(std::uint32_t id, std::size_t stage);
  void end_segment(std::uint32_t id, std::size_t stage);
  void end_piece(std::uint32_t id, std::size_t stage);
  void payload_end(std::uint32_t id);
  void receiver_works(std::uint32_t id);
  void received_by_core(std::uint32_t id);
  void end_receive(std::uint32_t id);
  std::uint32_t network_paths(std::uint32_t chain);
  std::size_t network_path(const Message& message, std::size_t stage, std::size_t segment) const;

  StageState& state_of(std::uint32_t id, std::size_t stage) {
    return stage == 0 ? messages_[id].first_stage : further_stages_[id][stage - 1];
  }
  void append(MessageList& list, std::uint32_t id);
  std::uint32_t take_ready(MessageList& list);
  std::uint32_t take_early(Connection& connection);

  std::uint32_t take_message();
  void drop_message(std::uint32_t id);
  Connection& connection_of(const Message& message) { return connections_[message.connection]; }
  std::string posted_receives(const RankState& rank) const;
  std::string waiting_sends(const RankState& rank) const;
  Error deadlock() const;

  Network& network_;
  ChainTable& chains_;
  std::deque<RankState> ranks_; // programs refer to their ranks
  std::vector<Message> messages_;
  std::vector<std::vector<StageState>> further_stages_; // of each message of a staged fabric
  std::vector<std::uint32_t> free_messages_;
  Connections connections_;
  ItineraryTable itineraries_;
  std::vector<std::uint32_t> first_path_;  // of each chain, in network_paths_
  std::vector<std::size_t> network_paths_; // of each chain: of all segments of all stages
  Ring<Event> due_now_;
  std::size_t messages_sent_ = 0;
  std::size_t events_ = 0;
  std::size_t limit_ = ~std::size_t{0};
  std::uint32_t seed_ = 0;
  Recorder* recorder_ = nullptr; // if anybody wants to know
  Errors failures_;              // the run ends when there is one
};

} // namespace kakehashi
