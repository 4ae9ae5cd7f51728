// Rank programs on a network: MPI semantics, cores that queue for overheads, connections that keep order.
//
// A message passes these stages:
//   eager       sender's core | setup, trips | payload | match | receiver's core
//   rendezvous  sender's core | request trip | match | setup, further trips | payload | receiver's core
//   remote      initiator's core | setup, trips | payload
//   to itself   match; takes no time
// A core that copies a payload is done when its time is over and the copy has flowed through the memory, which is
// shared. A payload passes the legs of its route one after the other, and so the stages of a staged fabric; pieces of
// one message may be in several stages at once.
#pragma once

#include "base/error.hpp"
#include "base/prefetch.hpp"
#include "engine/flow/network.hpp"
#include "engine/mpi/channel_sets.hpp"
#include "engine/mpi/connections.hpp"
#include "engine/mpi/matching.hpp"
#include "engine/mpi/message.hpp"
#include "engine/mpi/ring.hpp"
#include "engine/mpi/rounds.hpp"
#include "engine/record/recorder.hpp"
#include "transport/itinerary_table.hpp"
#include "transport/way_table.hpp"
#include "workload/program.hpp"

#include <cassert>
#include <cmath>
#include <functional>

namespace kakehashi {

class Simulation {
public:
  // With a shift only the ranks that stand for all are there; nobody may read from another's memory then.
  Simulation(Network& network, WayTable& ways, int ranks, const Shift* shift = nullptr);

  // Programs may refer to their Rank until the simulation ends. Each rank must have one, once, before the run.
  Rank& rank(int id) { return ranks_[static_cast<std::size_t>(id)].view; }
  void set_program(int id, Program program);

  // Tells it what happens from now on.
  void record(Recorder& recorder) {
    recorder_ = &recorder;
    if (rounds_)
      rounds_->record(recorder);
  }

  // Messages take no time, and none waits for its receive.
  void idealise_network() { is_ideal_ = true; }

  // Who looks on as ranks begin operations. request: the number of the first request that this one makes, if any.
  using OperationWatch = std::function<void(int rank, const Operation& operation, std::uint32_t request)>;
  void watch_operations(OperationWatch watch) { operation_begins_ = std::move(watch); }

  // Lets ranks leave out rounds that take as long as those before them, to two parts in a thousand. Before `record`.
  void skip_rounds() {
    assert(!recorder_);
    rounds_.emplace(network_, ranks_.size());
    for (auto& rank : ranks_)
      rank.view.rounds = &*rounds_;
  }
  const std::optional<Rounds>& rounds() const { return rounds_; }

  // Lets plain messages take all steps that others do, by which tests see that they take as long.
  void shorten_nothing() { shortens_plain_ = false; }

  // Shuffles the order in which ranks start (0: not at all), and so that of all that happens at the same time.
  void shuffle(std::uint32_t seed) { seed_ = seed; }

  // Makes each transfer, and each time that a core takes in MPI, longer or shorter by this part of it at most.
  void add_noise(double part) { noise_ = part; }

  // How long work takes that begins now, outside of MPI, and would take so long.
  using WorkTime = std::function<Seconds(const Rank& rank, const ComputeOperation& work)>;
  void change_work(WorkTime time) { work_time_ = std::move(time); }

  // Lets nobody answer a request for a long message while its receiver works outside of MPI.
  void answer_inside_calls() { answers_inside_calls_ = true; }
  std::size_t requests_at_work() const { return requests_at_work_; } // that came then

  // Lets ranks that wait for ever end when nothing moves any more, where that would be a deadlock.
  void let_ranks_get_stuck() { may_get_stuck_ = true; }
  std::size_t stuck() const { return stuck_; }

  // Once: runs all programs to their ends. Errors: a deadlock, with the operation in which each rank is stuck, or a
  // message without a way.
  Result<std::vector<Seconds>> run(); // when each rank ended

  // Calls it once, when so many messages have ended. At least one.
  using EndsWatch = std::function<void(Seconds now)>;
  void watch_ends(std::size_t messages, EndsWatch watch) {
    watched_end_ = messages;
    ends_watch_ = std::move(watch);
  }

  std::size_t messages() const { return messages_sent_ + (rounds_ ? rounds_->messages_left_out() : 0); }
  std::size_t events() const { return events_; }
  std::size_t most_connections() const { return connections_.most(); }
  Seconds duration() const; // until the last rank ended

private:
  struct RequestState {
    bool done = false;
    bool awaited = false;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // Few lines of the cache hold all that a message touches.
  struct alignas(64) RankState {
    RankState(int id, int ranks) : view(id, ranks) {}
    Rank view;
    std::optional<Program> program;
    std::optional<std::size_t> memory; // its set of channels, once it is needed
    Seconds finish;
    Seconds work_ends;
    bool finished = false;

    alignas(64) Seconds core_free;
    Seconds goes_on;             // at the earliest, when no request is awaited any more
    double cache = 0;            // that it has for itself
    Ring<RequestState> requests; // from first_request on
    std::uint32_t first_request = 0;
    std::uint32_t awaited : 31 = 0;   // requests that it waits for now
    std::uint32_t awaits_any : 1 = 0; // one of them is enough

    Matching matching;
    Seconds next_payload;         // earliest, by the gap
    MessageList unanswered;       // matched, and long, until it calls MPI again
    std::uint32_t receive = none; // the request of its last blocking one
  };
  enum EventKind : std::uint32_t {
    rank_resumes,
    core_sent,
    request_arrived,
    payload_ready,
    payload_starts,
    piece_flows, // with the stage above the kind
    leg_done,
    piece_done,
    plain_flows, // the whole payload at once
    plain_done,
    core_received,
    copy_flows,
    copy_done,
    work_done,
    aside_done,
    host_copy_flows,
    host_copy_done
  };
  static constexpr std::uint32_t stage_shift = 8;

  struct NextPayload {
    std::uint32_t id;
    Seconds delay; // until it starts
  };

  // The rank, or the one that stands for it.
  std::size_t home(int rank) const { return static_cast<std::size_t>(rank < simulated_ ? rank : shift_->home(rank)); }
  Seconds clock() const { return rounds_ ? network_.now() + rounds_->time_left_out() : network_.now(); }
  RankState& rank_state(int rank) { return ranks_[home(rank)]; }
  int source_of(const Message& message) const; // as the one that stands for the receiver sees it
  void handle(Event event);
  void expect(Event event, bool is_next) const;
  void schedule(Seconds delay, std::uint32_t kind, std::uint32_t id);
  // As schedule, where that is the last that an event's handler does: if nothing else is due before, it is done at
  // once.
  template <auto handler> void go_on(Seconds delay, std::uint32_t kind, std::uint32_t id) {
    if (delay.value > 0 || !due_now_.empty())
      schedule(delay, kind, id);
    else
      (this->*handler)(id);
  }
  void settle(); // handles what is due without delay
  Seconds occupy_core(RankState& rank, Seconds time);
  double noise(); // times as long, the next time that anything takes
  Bytes with_noise(Bytes size) {
    return noise_ > 0 ? Bytes{static_cast<std::uint64_t>(std::llround(noise() * static_cast<double>(size.count)))} : size;
  }

  void resume(int rank);
  void perform(int rank);
  void start_send(int rank, const SendOperation& send, bool awaited, bool resumes_sender);
  void send_to_self(std::uint32_t id);
  void start_remote(int rank, const RemoteOperation& remote);
  void launch(std::uint32_t id);
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
  void answer(std::uint32_t id);
  void answer_all(RankState& rank);
  static bool is_at_work(const RankState& rank);
  std::optional<NextPayload> take_next(Connection& connection);
  void payload_start(std::uint32_t id);
  std::optional<Seconds> take_piece(std::uint32_t id, std::size_t stage); // if it starts, how long until it flows
  const ChannelSets::Leg& first_leg(const Message& message, std::size_t stage) const;
  Seconds delay_of_piece(std::uint32_t id, std::size_t stage); // until it flows, once it has all that it needs
  void start_piece(std::uint32_t id, std::size_t stage);
  void leave_thread(const Message& message, std::size_t stage);
  void flow_piece(std::uint32_t id, std::size_t stage);
  void end_flow(std::uint32_t id, std::size_t stage);
  void end_leg(std::uint32_t id, std::size_t stage);
  Bytes piece_of(std::uint32_t id, std::size_t stage) {
    return messages_[id].itinerary->size_of(state_of(id, stage).done);
  }
  void end_piece(std::uint32_t id, std::size_t stage);
  void flow_plain(std::uint32_t id);
  void end_plain(std::uint32_t id);
  void payload_end(std::uint32_t id);
  void receiver_works(std::uint32_t id);
  void received_by_core(std::uint32_t id);
  void end_receive(std::uint32_t id);
  double load_of(const RankState& rank, Bytes otherwise, bool on_host = false) const;
  bool copy_flows_for(const Message& message, Seconds copy) const;
  void begin_copy(std::uint32_t id, Seconds core_time, Seconds until_done);
  void flow_copy(std::uint32_t id);
  void end_copy(std::uint32_t id);
  void sender_is_done(std::uint32_t id);
  void compute(int rank, const ComputeOperation& work);
  void end_work(int rank);
  void copy_to_or_from_host(int rank, const HostCopyOperation& copy);
  void flow_host_copy(int rank);
  void end_host_copy(int rank);
  std::vector<std::size_t> channels_of(int rank, const HostCopyOperation& copy);
  void compute_aside(int rank, const ComputeOperation& work);
  void end_aside(std::uint32_t id);

  StageState& state_of(std::uint32_t id, std::size_t stage) {
    return stage == 0 ? messages_[id].first_stage : further_stages_[id][stage - 1];
  }
  void append(MessageList& list, std::uint32_t id);
  std::uint32_t take_ready(MessageList& list);
  std::uint32_t take_early(Connection& connection);

  std::uint32_t take_message(int from, int to, Bytes size);
  void drop_message(std::uint32_t id);
  Connection& connection_of(const Message& message) { return connections_[message.connection]; }
  std::string posted_receives(const RankState& rank) const;
  std::string waiting_sends(const RankState& rank) const;
  std::string unbuffered_sends() const;
  void end_stuck(RankState& rank);
  Error deadlock() const;

  Network& network_;
  WayTable& ways_;
  const Shift* shift_;           // null: all ranks are there
  int simulated_;                // ranks
  std::vector<RankState> ranks_; // programs refer to them, so they stay where they are
  // What to do where hosts of GPUs have no way.
  static constexpr std::string_view hosts_advice =
      "the MPI library adds vectors of GPUs on their hosts: \"host_fabric\" of \"mpi\" names a fabric for them, "
      "and \"gpu_reductions\": \"device\" adds on the GPUs";
  struct HostState { // of a rank's GPU
    double cache = 0;
    std::optional<std::size_t> memory;                // its set of channels, once it is needed
    std::array<std::optional<std::size_t>, 4> copies; // likewise, by direction and whether they load its memory
  };
  std::vector<HostState> hosts_; // of all ranks, or of none
  std::vector<void*> frames_;    // where their programs wait, so that these can be fetched without the ranks
  std::vector<Message> messages_;
  std::vector<std::vector<StageState>> further_stages_; // of each message of a staged fabric
  std::vector<Seconds> copies_end_;                     // of each message: at the earliest
  std::vector<std::uint32_t> free_messages_;
  Connections connections_;
  ItineraryTable itineraries_;
  ChannelSets sets_;
  struct Aside { // work of another core than the rank's first
    int rank;
    std::uint32_t request;
  };
  std::vector<Aside> asides_;
  std::vector<std::uint32_t> free_asides_;
  Ring<Event> due_now_;
  std::size_t messages_sent_ = 0;
  std::size_t messages_ended_ = 0;
  std::size_t watched_end_ = 0;
  EndsWatch ends_watch_;
  bool has_gaps_ = false;
  bool shortens_plain_ = true;
  std::size_t events_ = 0;
  std::uint32_t seed_ = 0;
  double noise_ = 0;
  std::uint64_t noises_ = 0; // so far
  bool may_get_stuck_ = false;
  bool is_ideal_ = false;
  bool answers_inside_calls_ = false;
  std::size_t requests_at_work_ = 0;
  std::size_t stuck_ = 0;
  std::optional<Rounds> rounds_;
  Recorder* recorder_ = nullptr; // if anybody wants to know
  OperationWatch operation_begins_;
  WorkTime work_time_;
  Errors failures_; // the run ends when there is one
};

} // namespace kakehashi
