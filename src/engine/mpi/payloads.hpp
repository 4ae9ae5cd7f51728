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
#pragma once

#include "engine/mpi/channel_sets.hpp"
#include "engine/mpi/message_pool.hpp"
#include "engine/mpi/rank_table.hpp"

namespace kakehashi {

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

} // namespace kakehashi
