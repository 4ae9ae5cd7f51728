// Sends, receives, puts and gets of ranks → transfers: MPI's protocols, with connections that keep order.
//
// A message passes these stages:
//   eager       sender's core | setup, trips | payload | match | receiver's core
//   rendezvous  sender's core | request trip | match | setup, further trips | payload | receiver's core
//   remote      initiator's core | setup, trips | payload
//   to itself   match; takes no time
#pragma once

#include "engine/mpi/core_copies.hpp"
#include "engine/mpi/payloads.hpp"
#include "transport/itinerary_table.hpp"

namespace kakehashi {

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

  void launch(std::uint32_t id, Occasion why);
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
