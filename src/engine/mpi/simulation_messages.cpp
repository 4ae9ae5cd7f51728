// The ways of messages: from the sender's core over the network to the receiver's.
#include "engine/mpi/simulation.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace kakehashi {
namespace {
constexpr std::uint32_t no_path = ~std::uint32_t{0};
}

// Sets the core of its owner to work for the message.
void Simulation::launch(Message message) {
  assert(message.from >= 0 && message.from < static_cast<int>(ranks_.size()));
  assert(message.to >= 0 && message.to < static_cast<int>(ranks_.size()));
  const auto chain =
      chains_.find(message.from, message.to, message.kind == Message::Kind::get ? Side::receiver : Side::sender);
  if (!chain) {
    failures_ = chain.errors();
    return;
  }
  message.itinerary = &itineraries_.find(*chain, message.size);
  message.first_path = network_paths(*chain);
  message.connection = connections_.find(message.from, message.to, network_.now());
  auto& connection = connection_of(message);
  ++connection.messages;
  if (!message.is_remote())
    message.sequence = connection.sent++;
  ++messages_sent_;
  const auto id = take_message();
  messages_[id] = message;
  if (const auto stages = message.itinerary->stages(); stages > 1) {
    further_stages_.resize(std::max<std::size_t>(further_stages_.size(), id + 1));
    further_stages_[id].assign(stages - 1, {});
  }
  auto& owner = ranks_[static_cast<std::size_t>(message.owner())];
  const auto core = occupy_core(owner, message.itinerary->sender_core());
  if (recorder_)
    recorder_->launches({id,
                         static_cast<std::uint32_t>(messages_sent_ - 1),
                         message.connection,
                         {message.from, message.to, message.tag, message.size, *chain},
                         message.owner(),
                         message.is_remote(),
                         message.resumes_owner},
                        owner.core_free);
  if (message.is_granted()) {
    append(connection.queue, id);
    const auto& cost = message.itinerary->cost(0, 0);
    const bool is_put = message.kind == Message::Kind::put; // makes one trip, whatever its size
    schedule(core + (is_put ? cost.setup + cost.trip : cost.before_payload()), payload_ready, id);
  } else {
    schedule(core, core_sent, id);
  }
  if (message.is_eager())
    complete_request(message.from, message.send_request, owner.core_free); // then the buffer is free
  if (message.resumes_owner)
    schedule(core, rank_resumes, static_cast<std::uint32_t>(message.owner()));
}

// As an eager message whose copies take no time. It is none of the network's messages.
void Simulation::send_to_self(const Message& message) {
  const auto id = take_message();
  messages_[id] = message;
  complete_request(message.from, message.send_request, network_.now());
  if (message.resumes_owner)
    schedule({}, rank_resumes, static_cast<std::uint32_t>(message.from));
  deliver(id);
}

// Not of granted messages, which need nothing at that time.
void Simulation::sent_by_core(std::uint32_t id) {
  if (recorder_)
    recorder_->core_sent(id);
  schedule(messages_[id].itinerary->cost(0, 0).trip, request_arrived, id);
}

void Simulation::get_ready(std::uint32_t id) {
  auto& message = messages_[id];
  message.payload_is_ready = true;
  if (recorder_ && message.is_granted())
    recorder_->core_sent(id);
  if (recorder_)
    recorder_->payload_is_ready(id);
  pump(connection_of(message));
}

// Envelopes of a connection are matched in the order of their sends.
void Simulation::envelope_arrives(std::uint32_t id) {
  if (recorder_ && !messages_[id].is_eager())
    recorder_->request_arrives(id);
  auto& connection = connection_of(messages_[id]);
  if (messages_[id].sequence != connection.delivered) {
    messages_[id].next = std::exchange(connection.early, id);
    return;
  }
  for (auto next = id; next != no_message; next = take_early(connection)) {
    ++connection.delivered;
    deliver(next);
  }
}

// The envelope that is next in the order of sends, if it has come.
std::uint32_t Simulation::take_early(Connection& connection) {
  for (auto* link = &connection.early; *link != no_message; link = &messages_[*link].next)
    if (messages_[*link].sequence == connection.delivered) {
      const auto found = *link;
      *link = std::exchange(messages_[found].next, no_message);
      return found;
    }
  return no_message;
}

void Simulation::deliver(std::uint32_t id) {
  auto& message = messages_[id];
  auto& receiver = ranks_[static_cast<std::size_t>(message.to)];
  if (const auto request = receiver.matching.arrive({message.from, message.tag, id})) {
    message.receive_request = *request;
    matched(id);
  }
}

void Simulation::matched(std::uint32_t id) {
  auto& message = messages_[id];
  if (!message.itinerary)
    return end_receive(id);
  if (recorder_)
    recorder_->is_matched(id);
  if (message.is_eager()) // its payload is here
    return receiver_works(id);
  const auto& cost = message.itinerary->cost(0, 0);
  append(connection_of(message).queue, id);
  schedule(cost.before_payload() - cost.trip, payload_ready, id);
}

void Simulation::receiver_works(std::uint32_t id) {
  auto& message = messages_[id];
  auto& receiver = ranks_[static_cast<std::size_t>(message.to)];
  schedule(occupy_core(receiver, message.itinerary->receiver_core()), core_received, id);
  if (recorder_)
    recorder_->core_receives(id, receiver.core_free);
}

void Simulation::received_by_core(std::uint32_t id) {
  if (recorder_)
    recorder_->core_received(id);
  end_receive(id);
}

void Simulation::end_receive(std::uint32_t id) {
  const auto& message = messages_[id];
  const auto& receiver = ranks_[static_cast<std::size_t>(message.to)];
  if (message.receive_request == receiver.receive)
    receiver.view.pending->received = {message.from, message.tag};
  complete_request(message.to, message.receive_request, network_.now());
  drop_message(id);
}

void Simulation::append(MessageList& list, std::uint32_t id) {
  messages_[id].next = no_message;
  (list.first == no_message ? list.first : messages_[list.last].next) = id;
  list.last = id;
}

// The first that can start now: eager ones keep their order.
std::uint32_t Simulation::take_ready(MessageList& list) {
  bool eager_waits = false;
  auto before = no_message;
  for (auto id = list.first; id != no_message; before = id, id = messages_[id].next) {
    const bool is_eager = messages_[id].is_eager();
    if (messages_[id].payload_is_ready && !(is_eager && eager_waits)) {
      (before == no_message ? list.first : messages_[before].next) = messages_[id].next;
      if (list.last == id)
        list.last = before;
      return id;
    }
    eager_waits = eager_waits || is_eager;
  }
  return no_message;
}

void Simulation::pump(Connection& connection) {
  if (connection.busy)
    return;
  const auto id = take_ready(connection.queue);
  if (id == no_message)
    return;
  connection.busy = true;
  const auto start = std::max(connection.free_at, ranks_[static_cast<std::size_t>(messages_[id].from)].next_payload);
  if (recorder_)
    recorder_->leaves_queue(id, start);
  schedule(start - network_.now(), payload_starts, id);
}

void Simulation::payload_start(std::uint32_t id) {
  auto& message = messages_[id];
  auto& sender = ranks_[static_cast<std::size_t>(message.from)];
  sender.next_payload =
      network_.on_tick(std::max(sender.next_payload, network_.now()) + message.itinerary->cost(0, 0).gap);
  if (recorder_)
    recorder_->payload_starts(id, sender.next_payload);
  start_piece(id, 0);
}

// A stage takes its next piece if it is idle and the piece is there.
void Simulation::start_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  const bool is_there = stage == 0 || state_of(id, stage - 1).done > state.done;
  if (state.busy || state.done == message.itinerary->pieces || !is_there)
    return;
  state.busy = true;
  state.segment = 0;
  if (recorder_)
    recorder_->stage_starts(id, stage);
  const auto delay = message.itinerary->before_flow(stage, state.done);
  schedule(delay, piece_flows | static_cast<std::uint32_t>(stage) << stage_shift, id);
}

void Simulation::tell_stage(std::uint32_t id, std::size_t stage, Phase phase) {
  const auto& state = state_of(id, stage);
  const auto size = messages_[id].itinerary->size_of(state.done);
  recorder_->stage_phase_ends(id, stage, phase, state.segment, state.done, size);
}

void Simulation::flow_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  if (recorder_ && state.segment == 0)
    tell_stage(id, stage, Phase::stage_work);
  const auto& cost = message.itinerary->cost(stage, state.done);
  if (!cost.flows)
    return end_segment(id, stage);
  const auto size = message.itinerary->size_of(state.done);
  if (recorder_)
    recorder_->flow_starts(id, stage, state.segment, size);
  network_.transfer(network_path(message, stage, state.segment), size, cost.cap,
                    {segment_done | static_cast<std::uint32_t>(stage) << stage_shift, id});
}

void Simulation::end_segment(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  if (recorder_)
    tell_stage(id, stage, Phase::flow);
  if (++state.segment < message.itinerary->chain->stages[stage].route.segments())
    return flow_piece(id, stage);
  schedule(message.itinerary->after_flow(stage, state.done),
           piece_done | static_cast<std::uint32_t>(stage) << stage_shift, id);
}

void Simulation::end_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  if (recorder_)
    tell_stage(id, stage, Phase::stage_work);
  state.busy = false;
  ++state.done;
  const auto last = message.itinerary->stages() - 1;
  if (stage == last && state.done == message.itinerary->pieces)
    return payload_end(id);
  start_piece(id, stage);
  if (stage < last)
    start_piece(id, stage + 1);
}

void Simulation::payload_end(std::uint32_t id) {
  const auto& message = messages_[id];
  auto& connection = connection_of(message);
  connection.busy = false;
  connection.free_at = network_.on_tick(network_.now() + message.itinerary->cost(0, 0).gap);
  if (recorder_)
    recorder_->payload_ends(id, connection.free_at);
  pump(connection);
  if (message.is_remote()) {
    complete_request(message.owner(), message.send_request, network_.now());
    drop_message(id);
  } else if (message.is_eager()) {
    envelope_arrives(id);
  } else {
    complete_request(message.from, message.send_request, network_.now());
    receiver_works(id);
  }
}

// The first of the chain's paths in the network; they are made when the chain is first used.
std::uint32_t Simulation::network_paths(std::uint32_t chain) {
  if (first_path_.size() <= chain)
    first_path_.resize(chain + 1, no_path);
  if (first_path_[chain] == no_path) {
    first_path_[chain] = static_cast<std::uint32_t>(network_paths_.size());
    for (const auto& path : chains_[chain].stages)
      for (std::size_t i = 0; i < path.route.segments(); ++i)
        network_paths_.push_back(network_.add_path(path.route.segment(i)));
  }
  return first_path_[chain];
}

std::size_t Simulation::network_path(const Message& message, std::size_t stage, std::size_t segment) const {
  for (std::size_t i = 0; i < stage; ++i)
    segment += message.itinerary->chain->stages[i].route.segments();
  return network_paths_[message.first_path + segment];
}

std::uint32_t Simulation::take_message() {
  if (free_messages_.empty()) {
    messages_.emplace_back();
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const auto id = free_messages_.back();
  free_messages_.pop_back();
  return id;
}

void Simulation::drop_message(std::uint32_t id) {
  if (messages_[id].itinerary) { // else it has no connection
    const auto number = messages_[id].connection;
    --connections_[number].messages;
    connections_.release(number, network_.now());
  }
  free_messages_.push_back(id);
}

} // namespace kakehashi
