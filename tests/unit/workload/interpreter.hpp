// Runs the programs of a collective operation without an engine and follows where every byte goes.
#pragma once

#include "workload/collective/collective.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <string>

namespace kakehashi {

inline constexpr std::size_t most_interpreted_ranks = 40;

// What one rank has at one place: how often each rank's contribution was added.
class Addends {
public:
  Addends() = default;
  Addends(int rank) { add(rank); }
  void add(int rank) { ++times_.at(static_cast<std::size_t>(rank)); }
  void add(const Addends& more) {
    for (std::size_t i = 0; i < most_interpreted_ranks; ++i)
      times_[i] = static_cast<std::uint16_t>(times_[i] + more.times_[i]);
  }
  int size() const { return std::accumulate(times_.begin(), times_.end(), 0); }
  bool operator==(const Addends&) const = default;

private:
  std::array<std::uint16_t, most_interpreted_ranks> times_{};
};
using Contents = std::map<std::uint64_t, Addends>;
using SetOfRanks = std::bitset<most_interpreted_ranks>;

// Matches sends and receives as MPI does; every message is buffered, so that what a rank sends is what it had then.
// Puts are there at once.
class Interpreter {
public:
  Interpreter(const std::vector<int>& node_of_rank, const Library& library,
              const std::vector<NodePoint>& point_of_rank = {})
      : world_(make_world(node_of_rank, point_of_rank)), library_(library) {
    library_.copy = {}; // so that all the time that ranks work is for adding
    library_.copy_start = {};
    library_.reduction_start = {};
    const int size = world_.size();
    for (int id = 0; id < size; ++id) {
      auto& state = states_.emplace_back();
      state.rank = std::make_unique<Rank>(id, size);
      state.heard_of.set(static_cast<std::size_t>(id));
    }
  }

  Communicator communicator(int id) {
    auto& state = states_[static_cast<std::size_t>(id)];
    return {*state.rank, world_, id, library_, 0, &state.carried};
  }
  void start(int id, Program program) {
    auto& state = states_[static_cast<std::size_t>(id)];
    state.rank->resume_point = program.handle();
    state.program = std::move(program);
  }
  Contents& memory(int id) { return states_[static_cast<std::size_t>(id)].memory; }
  const SetOfRanks& heard_of(int id) const { return states_[static_cast<std::size_t>(id)].heard_of; }
  std::size_t most_in_flight() const { return most_in_flight_; }
  std::size_t messages() const { return messages_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t passed_on() const { return passed_on_; } // bytes that their sender had from others

  // Empty if all went well, else the first fault.
  std::string run() {
    for (bool moved = true; moved && fault_.empty();) {
      moved = false;
      for (auto& state : states_)
        while (fault_.empty() && !state.done && is_ready(state)) {
          moved = true;
          advance(state);
        }
    }
    for (const auto& state : states_) {
      if (fault_.empty() && !state.done)
        fault_ =
            "rank " + std::to_string(state.rank->id) + " waits for ever: " + to_text(state.rank->pending->operation);
      if (fault_.empty() && state.to_add != state.added)
        fault_ = "rank " + std::to_string(state.rank->id) + " adds " + std::to_string(state.added) + " bytes, not " +
                 std::to_string(state.to_add);
    }
    for (const auto& [way, queue] : queues_)
      if (fault_.empty() && !queue.empty())
        fault_ = "a message is never received";
    return fault_;
  }

private:
  struct Message {
    std::vector<std::pair<Piece, std::vector<Addends>>> content;
    SetOfRanks heard_of;
  };
  struct State {
    std::unique_ptr<Rank> rank;
    std::optional<Program> program;
    Contents memory;
    std::vector<Piece> carried;
    SetOfRanks heard_of;
    std::map<std::uint32_t, ReceiveOperation> receives; // nonblocking ones, by request
    std::uint32_t requests = 0;
    std::uint64_t to_add = 0;
    std::uint64_t added = 0;
    bool started = false;
    bool is_waiting = false; // for others that join it
    bool done = false;
  };

  std::deque<Message>& queue(int from, int to, int tag) { return queues_[{from, to, tag}]; }
  std::deque<Message>& queue_of(const State& state, const ReceiveOperation& receive) {
    return queue(receive.from, state.rank->id, receive.tag);
  }

  // Whether its pending operation can complete. Receives of one sender are completed in the order of their posting.
  bool is_ready(const State& state) {
    if (!state.started)
      return true;
    const auto& pending = state.rank->pending->operation;
    if (const auto* receive = std::get_if<ReceiveOperation>(&pending))
      return !receive->blocking || !queue_of(state, *receive).empty();
    if (const auto* both = std::get_if<SendReceiveOperation>(&pending))
      return !queue_of(state, both->receive).empty();
    std::map<std::deque<Message>*, std::size_t> needed;
    if (std::holds_alternative<JointOperation>(pending))
      return !state.is_waiting;
    if (const auto* wait = std::get_if<WaitOperation>(&pending))
      for (const auto request : wait->requests)
        if (const auto found = state.receives.find(request.index); found != state.receives.end())
          ++needed[&queue_of(state, found->second)];
    return std::all_of(needed.begin(), needed.end(),
                       [](const auto& each) { return each.first->size() >= each.second; });
  }

  void advance(State& state) {
    if (state.started)
      complete(state);
    state.started = true;
    state.carried.clear();
    state.rank->resume_point.resume();
    state.done = state.program->done();
    if (state.done)
      return state.program->rethrow_failure();
    const auto& pending = state.rank->pending->operation;
    if (const auto* send = std::get_if<SendOperation>(&pending))
      queue(state.rank->id, send->to, send->tag).push_back(message_of(state, send->size));
    else if (const auto* both = std::get_if<SendReceiveOperation>(&pending))
      queue(state.rank->id, both->send.to, both->send.tag).push_back(message_of(state, both->send.size));
    else if (const auto* remote = std::get_if<RemoteOperation>(&pending))
      access(state, *remote, states_[static_cast<std::size_t>(remote->peer)]);
    else if (const auto* joint = std::get_if<JointOperation>(&pending))
      join(state, *joint);
    if (const auto* receive = std::get_if<ReceiveOperation>(&pending); receive && !receive->blocking)
      state.receives[state.requests] = *receive;
    state.rank->pending->request = {state.requests++};
  }

  // The last one brings all of them what the others have, of which each rank takes what it does not carry itself.
  void join(State& state, const JointOperation& joint) {
    state.is_waiting = true;
    auto& there = joint_[joint.call];
    there.push_back(&state);
    if (there.size() < joint.ranks)
      return;
    std::vector<Message> messages;
    for (const auto* each : there)
      messages.push_back(message_of(*each, size_of(each->carried)));
    for (std::size_t to = 0; to < there.size(); ++to) {
      for (std::size_t from = 0; from < there.size(); ++from)
        if (from != to)
          deliver(messages[from], *there[to]);
      there[to]->to_add = there[to]->added; // the time of the call has that of adding
      there[to]->is_waiting = false;
    }
    joint_.erase(joint.call);
  }
  static Bytes size_of(const std::vector<Piece>& carried) {
    Bytes size{};
    for (const auto& piece : carried)
      size.count += piece.bytes;
    return size;
  }

  void access(State& state, const RemoteOperation& remote, State& peer) {
    if (!remote.is_read)
      return deliver(message_of(state, remote.size), peer);
    peer.carried = std::move(state.carried); // the peer is not between operations of its own that carry anything
    deliver(message_of(peer, remote.size), state);
  }

  Message message_of(const State& state, Bytes size) {
    Message message;
    std::map<std::uint64_t, std::uint64_t> sent; // intervals of the sender's memory
    for (const auto& piece : state.carried) {
      sent[piece.from] = std::max(sent[piece.from], piece.bytes);
      auto& cells = message.content.emplace_back(piece, std::vector<Addends>{}).second;
      for (std::uint64_t i = 0; i < piece.bytes; ++i) {
        const auto cell = state.memory.find(piece.from + i);
        if (cell == state.memory.end() && fault_.empty())
          fault_ = "rank " + std::to_string(state.rank->id) + " sends byte " + std::to_string(piece.from + i) +
                   ", which it does not have";
        passed_on_ += cell != state.memory.end() && cell->second != Addends(state.rank->id);
        cells.push_back(cell == state.memory.end() ? Addends{} : cell->second);
      }
    }
    std::uint64_t bytes = 0;
    for (const auto& [from, length] : sent)
      bytes += length;
    if (bytes != size.count && fault_.empty())
      fault_ = "rank " + std::to_string(state.rank->id) + " says " + std::to_string(size.count) +
               " bytes and carries " + std::to_string(bytes);
    message.heard_of = state.heard_of;
    ++messages_;
    bytes_ += bytes;
    return message;
  }

  void complete(State& state) {
    const auto& pending = state.rank->pending->operation;
    if (const auto* receive = std::get_if<ReceiveOperation>(&pending); receive && receive->blocking)
      take(state, *receive);
    else if (const auto* both = std::get_if<SendReceiveOperation>(&pending))
      take(state, both->receive);
    else if (const auto* compute = std::get_if<ComputeOperation>(&pending))
      state.added +=
          static_cast<std::uint64_t>(compute->time / (Bytes{1} * of_kind(library_.reduction, DeviceKind::cpu)) + 0.5);
    if (const auto* wait = std::get_if<WaitOperation>(&pending)) {
      most_in_flight_ = std::max(most_in_flight_, wait->requests.size());
      std::vector<Request> requests(wait->requests.begin(), wait->requests.end());
      std::sort(requests.begin(), requests.end(), [](Request a, Request b) { return a.index < b.index; });
      for (const auto request : requests)
        if (const auto found = state.receives.find(request.index); found != state.receives.end()) {
          take(state, found->second);
          state.receives.erase(found);
        }
    }
  }

  void take(State& state, const ReceiveOperation& receive) {
    auto& from = queue_of(state, receive);
    deliver(from.front(), state);
    from.pop_front();
  }

  void deliver(const Message& message, State& state) {
    for (const auto& [piece, cells] : message.content) {
      for (std::uint64_t i = 0; i < piece.bytes; ++i) {
        auto& cell = state.memory[piece.to + i];
        if (piece.adds && cell.size() > 0) { // to add to nothing is to copy
          ++state.to_add;
          cell.add(cells[i]);
        } else {
          cell = cells[i];
        }
      }
    }
    state.heard_of |= message.heard_of;
  }

  Group world_;
  Library library_;
  std::vector<State> states_;
  std::map<std::tuple<int, int, int>, std::deque<Message>> queues_;
  std::map<std::uint64_t, std::vector<State*>> joint_; // calls that wait for ranks
  std::string fault_;
  std::size_t most_in_flight_ = 0;
  std::size_t messages_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t passed_on_ = 0;
};

} // namespace kakehashi
