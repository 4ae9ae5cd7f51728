// Rank programs on a network: MPI semantics, cores that queue for overheads, connections that keep order.
//
// A message passes these stages:
//   eager       sender's core | setup, trips | payload | match | receiver's core
//   rendezvous  sender's core | request trip | match | setup, further trips | payload | receiver's core
#pragma once

#include "base/error.hpp"
#include "engine/matching.hpp"
#include "engine/network.hpp"
#include "transport/cost.hpp"
#include "workload/program.hpp"

#include <deque>
#include <unordered_map>

namespace kakehashi {

// The paths between the devices that ranks are on.
class PathTable {
public:
  PathTable(std::size_t slots, std::vector<Path> paths, std::vector<std::size_t> slot_of_rank)
      : slots_(slots), paths_(std::move(paths)), slot_of_rank_(std::move(slot_of_rank)) {}

  std::size_t index(int from, int to) const {
    return slot_of_rank_[static_cast<std::size_t>(from)] * slots_ + slot_of_rank_[static_cast<std::size_t>(to)];
  }
  const Path& operator[](std::size_t index) const { return paths_[index]; }
  std::span<const Path> all() const { return paths_; }

private:
  std::size_t slots_;
  std::vector<Path> paths_; // from slot · slots + to slot
  std::vector<std::size_t> slot_of_rank_;
};

class Simulation {
public:
  Simulation(Network& network, const PathTable& paths, int ranks);

  // Programs may refer to their Rank until the simulation ends.
  Rank& rank(int id) { return *ranks_[static_cast<std::size_t>(id)].view; }
  void set_program(int id, Program program);

  // Runs all programs to their ends. Errors: a deadlock, with the operation in which each rank is stuck.
  Result<std::vector<Seconds>> run(); // when each rank ended

  std::size_t messages() const { return messages_sent_; }

private:
  struct RequestState {
    bool done = false;
    bool awaited = false;
  };
  struct RankState {
    std::unique_ptr<Rank> view;
    std::optional<Program> program;
    Matching matching;
    std::deque<RequestState> requests; // from first_request on
    std::uint32_t first_request = 0;
    std::uint32_t open_requests = 0;
    std::uint32_t awaited = 0; // requests that it waits for now
    Seconds core_free;
    Seconds next_payload; // earliest, by the gap
    bool finished = false;
    Seconds finish;
  };
  struct Message {
    int from = 0;
    int to = 0;
    int tag = 0;
    Bytes size;
    std::size_t path = 0;
    MessageCost cost;
    std::uint32_t sequence = 0;        // among the envelopes of its connection
    std::uint32_t send_request = 0;    // of `from`
    std::uint32_t receive_request = 0; // of `to`, once matched
    bool resumes_sender = false;       // a nonblocking send returns when the core is done
    bool payload_is_ready = false;
  };
  // Payloads of one sender to one receiver flow one after the other: eager ones in the order of their sends, the others
  // once they are granted.
  struct Connection {
    std::uint32_t sent = 0;
    std::uint32_t delivered = 0;
    std::vector<std::uint32_t> early; // envelopes that overtook others
    std::deque<std::uint32_t> queue;  // payloads, ready or still to come
    bool busy = false;
    Seconds free_at;
  };

  enum EventKind : std::uint32_t {
    rank_resumes,
    core_sent,
    request_arrived,
    payload_ready,
    payload_starts,
    payload_done,
    core_received
  };

  void handle(Event event);
  void schedule(Seconds delay, EventKind kind, std::uint32_t id);
  void settle(); // handles what is due without delay
  Seconds occupy_core(RankState& rank, Seconds time);

  void resume(int rank);
  void perform(int rank);
  void start_send(int rank, const SendOperation& send, bool awaited, bool resumes_sender);
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
  void payload_end(std::uint32_t id);

  std::uint32_t take_message();
  Connection& connection_of(const Message& message);
  Error deadlock() const;

  Network& network_;
  const PathTable& paths_;
  std::vector<RankState> ranks_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  std::unordered_map<std::uint64_t, Connection> connections_;
  std::deque<Event> due_now_;
  std::size_t messages_sent_ = 0;
};

} // namespace kakehashi
