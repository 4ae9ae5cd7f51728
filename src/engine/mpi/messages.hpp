// Sends, receives, puts and gets of ranks → transfers: MPI's protocols, with connections that keep order.
//
// A message passes these stages:
//   eager       sender's core | setup, trips | payload | match | receiver's core
//   rendezvous  sender's core | request trip | match | setup, further trips | payload | receiver's core
//   remote      initiator's core | setup, trips | payload
//   to itself   match; takes no time
#pragma once

#include "engine/mpi/channel_sets.hpp"
#include "engine/mpi/message_pool.hpp"
#include "engine/mpi/rank_table.hpp"
#include "transport/itinerary.hpp"

namespace kakehashi {

// Copies of payloads by cores: done when the core's time is over and the copy has flowed through the memory, or over
// the links, that copies share.
class CoreCopies {
public:
  // Keeps references.
  CoreCopies(const Setting& setting, Agenda& agenda, ChannelSets& sets, MessagePool& messages)
      : network_(setting.network), recorder_(setting.recorder), agenda_(agenda), sets_(sets), messages_(messages) {}

  // Whether the core's copy, which takes it so long, is one that flows. Else the time is all.
  bool flows(const Message& message, Seconds copy) const;

  // These return what has ended when a copy has. The core is at work for so long, and with that copy at the end.
  std::optional<Occasion> begin(std::uint32_t message, Seconds core_time, Seconds until_done);
  std::optional<Occasion> handle(Event event); // copy_flows or copy_done

private:
  std::optional<Occasion> flow(std::uint32_t id);
  std::optional<Occasion> end(std::uint32_t id);

  Network& network_;
  Recorder* recorder_;
  Agenda& agenda_;
  ChannelSets& sets_;
  MessagePool& messages_;
  std::vector<Seconds> ends_; // the earliest end of each message's copy
};

// Payloads: from the queue of their connection over the stages of their way to its end.
//
// A payload passes the legs of its route one after the other, and so the stages of a staged fabric; pieces of one
// message may be in several stages at once.
//
// Invariants:
// 1. At most one payload of a connection flows. The connection is busy from the time at which a payload is taken from
//    its queue until the payload's end.
// 2. A payload starts once it is ready, its connection has been idle for the gap, and the gap has passed since its
//    sender's last payload started, whoever received that.
// 3. Eager payloads of a connection start in the order of their sends, since their envelopes come with them. A payload
//    that was granted may pass those that are not ready.
// 4. A stage works on one piece at a time, and on a piece only when the stage before it is done with that.
// 5. A stage with a worker has one of its threads from the time when its piece is there until the piece is done.
//    Threads are given in the order in which stages ask for them.
class Payloads {
public:
  // Keeps references.
  Payloads(const Setting& setting, Agenda& agenda, RankTable& ranks, ChannelSets& sets, MessagePool& messages,
           Connections& connections)
      : setting_(setting), network_(setting.network), recorder_(setting.recorder), agenda_(agenda), ranks_(ranks),
        sets_(sets), messages_(messages), connections_(connections) {}

  // The message has a way and a connection from now on.
  void add(std::uint32_t id);
  // Its payload takes its place in the queue of its connection, and waits there until it is ready.
  void queue(std::uint32_t id) { messages_.append(connections_[messages_[id].connection].queue, id); }

  // Handles one of the events from payload_ready on. Returns what has ended with a payload, if one is at its end then.
  std::optional<Occasion> handle(Event event);

private:
  struct Next {
    std::uint32_t id;
    Seconds delay; // until it starts
  };
  static constexpr std::uint32_t stage_shift = 8;

  std::optional<Occasion> handle_kind(Event event);
  // Must come last in an event's handler: calls the next one at once if nothing else is due before, else adds an event.
  template <auto handler> std::optional<Occasion> go_on(Seconds delay, std::uint32_t kind, std::uint32_t id) {
    if (agenda_.is_next(delay))
      return (this->*handler)(id);
    agenda_.add(delay, kind, id);
    return std::nullopt;
  }
  void add_of_stage(Seconds delay, EventKind kind, std::uint32_t id, std::size_t stage) {
    agenda_.add(delay, kind | static_cast<std::uint32_t>(stage) << stage_shift, id);
  }

  // These return as `handle` does.
  std::optional<Occasion> get_ready(std::uint32_t id);
  std::optional<Occasion> start(std::uint32_t id);
  std::optional<Occasion> flow_plain(std::uint32_t id);
  std::optional<Occasion> end_plain(std::uint32_t id);
  std::optional<Occasion> end_piece(std::uint32_t id, std::size_t stage);

  std::uint32_t take_ready(MessageList& list);
  std::optional<Next> take_next(Connection& connection, Occasion why) {
    if (connection.busy || connection.queue.first == no_message)
      return std::nullopt;
    return take_queued(connection, why);
  }
  std::optional<Next> take_queued(Connection& connection, Occasion why);
  std::optional<Seconds> take_piece(std::uint32_t id, std::size_t stage,
                                    Occasion why); // if it starts, how long until it flows
  const ChannelSets::Leg& first_leg(const Message& message, std::size_t stage) const;
  Seconds delay_of_piece(std::uint32_t id, std::size_t stage); // until it flows, once it has all that it needs
  void start_piece(std::uint32_t id, std::size_t stage, Occasion why);
  void leave_thread(const Message& message, std::size_t stage);
  void flow_piece(std::uint32_t id, std::size_t stage);
  void end_flow(std::uint32_t id, std::size_t stage);
  void end_leg(std::uint32_t id, std::size_t stage);
  void leave_connection(Occasion ended);

  StageState& state_of(std::uint32_t id, std::size_t stage) {
    return stage == 0 ? messages_[id].first_stage : further_stages_[id][stage - 1];
  }
  Bytes piece_of(std::uint32_t id, std::size_t stage) {
    return messages_[id].itinerary->size_of(state_of(id, stage).done);
  }

  const Setting& setting_;
  Network& network_;
  Recorder* recorder_;
  Agenda& agenda_;
  RankTable& ranks_;
  ChannelSets& sets_;
  MessagePool& messages_;
  Connections& connections_;
  std::vector<std::vector<StageState>> further_stages_; // the further stages of each message of a staged fabric
  bool has_gaps_ = false;                               // between payloads of one sender
};

class Messages {
public:
  // Keeps references.
  Messages(const Setting& setting, Agenda& agenda, RankTable& ranks, ChannelSets& sets)
      : setting_(setting), network_(setting.network), recorder_(setting.recorder), agenda_(agenda), ranks_(ranks),
        sets_(sets), itineraries_(setting.ways), payloads_(setting, agenda, ranks, sets, messages_, connections_),
        copies_(setting, agenda, sets, messages_) {}

  // A rank begins an operation. It resumes at once if it does not wait for that, a sender once its core is free.
  // Fails if the message has no way.
  void send(int rank, const SendOperation& send, bool is_awaited, bool resumes_sender, Occasion why);
  void access(int rank, const RemoteOperation& remote, Occasion why);
  void receive(int rank, const ReceiveOperation& receive, bool is_awaited, Occasion why);
  // A rank that has done something else calls MPI again, or has ended.
  void answer_all(RankState& rank, Occasion why);

  // Handles one of the events from core_sent on.
  void handle(Event event);
  // Fetches what that event needs. is_next: no other is due before.
  void expect(Event event, bool is_next) const;

  const MessagePool& pool() const { return messages_; }
  std::size_t sent() const { return sent_; }
  std::size_t ended() const { return ended_; }
  std::size_t requests_at_work() const {
    return requests_at_work_;
  } // requests for long messages that came outside of MPI
  std::size_t most_connections() const { return connections_.most(); }

private:
  Connection& connection_of(const Message& message) { return connections_[message.connection]; }
  int source_of(const Message& message) const; // as the one that stands for the receiver sees it
  void schedule(Seconds delay, EventKind kind, std::uint32_t id) { agenda_.add(delay, kind, id); }

  bool passes_domains(const Message& message, std::uint32_t way) const;
  bool is_in_node(const Message& message) const;
  Seconds after_work(const Message& message, Seconds worked) const;
  // The time that a rank's work on it takes, in such a node or after work for itself.
  Seconds core_time(const Message& message, RankState& rank, Seconds time) const;
  void launch(std::uint32_t id, Occasion why);
  static Seconds wait_of(const Message& message);
  void worker_sends(std::uint32_t id, Seconds until, Occasion works);
  void send_to_self(std::uint32_t id, Occasion why);
  void sent_by_core(std::uint32_t id);
  void copy_ends(std::optional<Occasion> copied); // none: not yet
  void sender_is_done(Occasion copied);
  void payload_ends(Occasion ended);

  void envelope_arrives(std::uint32_t id, Occasion why);
  void request_arrives(std::uint32_t id);
  std::uint32_t take_early(Connection& connection);
  void deliver(std::uint32_t id, Occasion why);
  void matched(std::uint32_t id, Occasion why);
  void answer(std::uint32_t id, Occasion why);
  void receiver_works(std::uint32_t id, Occasion why);
  void received_by_core(std::uint32_t id);
  void end_receive(std::uint32_t id, Occasion why);
  void drop(std::uint32_t id);

  const Setting& setting_;
  Network& network_;
  Recorder* recorder_;
  Agenda& agenda_;
  RankTable& ranks_;
  ChannelSets& sets_;
  MessagePool messages_;
  Connections connections_;
  ItineraryTable itineraries_;
  Payloads payloads_;
  CoreCopies copies_;
  std::size_t sent_ = 0;
  std::size_t ended_ = 0;
  std::size_t requests_at_work_ = 0;
};

} // namespace kakehashi
