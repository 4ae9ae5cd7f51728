// The ways of messages: from the sender's core over the network to the receiver's.
#include "engine/simulation.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {
constexpr std::uint32_t no_path = ~std::uint32_t{0};
}

// Sets the core of its owner to work for the message.
void Simulation::launch(Message message) {
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
  if (trace_) {
    trace_->chain_bytes.resize(std::max<std::size_t>(trace_->chain_bytes.size(), *chain + 1));
    trace_->chain_bytes[*chain] += static_cast<double>(message.size.count);
    if (trace_->keep_messages) {
      trace_->messages.push_back({message.from, message.to, message.tag, message.size, *chain});
      note_start(id);
      note_core(id, owner, message.itinerary->sender_core());
    }
  }
  const auto core = occupy_core(owner, message.itinerary->sender_core());
  if (message.is_eager()) {
    append(connection.queue, id);
    schedule(core + message.itinerary->cost(0, 0).before_payload(), payload_ready, id);
    complete_request(message.from, message.send_request, owner.core_free); // then the buffer is free
  } else {
    schedule(core, core_sent, id);
  }
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

// Not of eager messages, which need nothing at that time.
void Simulation::sent_by_core(std::uint32_t id) {
  const auto& message = messages_[id];
  note(id, Phase::sender_core);
  const auto& cost = message.itinerary->cost(0, 0);
  if (!message.is_remote())
    return schedule(cost.trip, request_arrived, id);
  append(connection_of(message).queue, id);
  schedule(message.kind == Message::Kind::put ? cost.setup + cost.trip : cost.before_payload(), payload_ready, id);
}

void Simulation::get_ready(std::uint32_t id) {
  auto& message = messages_[id];
  message.payload_is_ready = true;
  if (message.is_eager())
    note(id, Phase::sender_core);
  note(id, Phase::prepare);
  pump(connection_of(message));
}

// Envelopes of a connection are matched in the order of their sends.
void Simulation::envelope_arrives(std::uint32_t id) {
  if (!messages_[id].is_eager())
    note(id, Phase::request);
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
  note(id, Phase::wait_for_match);
  if (message.is_eager()) // its payload is here
    return receiver_works(id);
  const auto& cost = message.itinerary->cost(0, 0);
  append(connection_of(message).queue, id);
  schedule(cost.before_payload() - cost.trip, payload_ready, id);
}

void Simulation::receiver_works(std::uint32_t id) {
  auto& message = messages_[id];
  auto& receiver = ranks_[static_cast<std::size_t>(message.to)];
  note_core(id, receiver, message.itinerary->receiver_core());
  schedule(occupy_core(receiver, message.itinerary->receiver_core()), core_received, id);
}

void Simulation::received_by_core(std::uint32_t id) {
  note(id, Phase::receiver_core);
  end_receive(id);
}

void Simulation::end_receive(std::uint32_t id) {
  const auto& message = messages_[id];
  auto& view = ranks_[static_cast<std::size_t>(message.to)].view;
  view.received_from = message.from;
  view.received_tag = message.tag;
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
  schedule(start - network_.now(), payload_starts, id);
}

void Simulation::payload_start(std::uint32_t id) {
  auto& message = messages_[id];
  note(id, Phase::queue);
  auto& sender = ranks_[static_cast<std::size_t>(message.from)];
  sender.next_payload = std::max(sender.next_payload, network_.now()) + message.itinerary->cost(0, 0).gap;
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
  if (is_watched())
    times_[id].stage_since[stage] = network_.now();
  const auto delay = message.itinerary->before_flow(stage, state.done);
  schedule(delay, piece_flows | static_cast<std::uint32_t>(stage) << stage_shift, id);
}

void Simulation::flow_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  if (state.segment == 0)
    note(id, Phase::stage_work, stage);
  const auto& cost = message.itinerary->cost(stage, state.done);
  if (cost.flows)
    network_.transfer(network_path(message, stage, state.segment), message.itinerary->size_of(state.done), cost.cap,
                      {segment_done | static_cast<std::uint32_t>(stage) << stage_shift, id});
  else
    end_segment(id, stage);
}

void Simulation::end_segment(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  note(id, Phase::flow, stage);
  if (++state.segment < message.itinerary->chain->stages[stage].route.segments())
    return flow_piece(id, stage);
  schedule(message.itinerary->after_flow(stage, state.done),
           piece_done | static_cast<std::uint32_t>(stage) << stage_shift, id);
}

void Simulation::end_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  note(id, Phase::stage_work, stage);
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
  if (is_watched())
    times_[id].since = network_.now();
  auto& connection = connection_of(message);
  connection.busy = false;
  connection.free_at = network_.now() + message.itinerary->cost(0, 0).gap;
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

// What a trace keeps

void Simulation::note_start(std::uint32_t id) {
  const auto& message = messages_[id];
  times_.resize(std::max<std::size_t>(times_.size(), id + 1));
  auto& times = times_[id];
  times.number = static_cast<std::uint32_t>(messages_sent_ - 1);
  times.since = network_.now();
  times.stage_since.assign(message.itinerary->stages(), {});
}

// The core of this rank works for the message as soon as it can.
void Simulation::note_core(std::uint32_t id, const RankState& rank, Seconds time) {
  if (!is_watched())
    return;
  times_[id].core_starts = std::max(rank.core_free, network_.now());
  times_[id].core_ends = times_[id].core_starts + time;
}

// What has ended, if it took time.
void Simulation::keep(std::uint32_t id, Phase phase) {
  auto& times = times_[id];
  const auto stage = phase == Phase::receiver_core ? messages_[id].itinerary->stages() - 1 : 0;
  const auto add = [&](Phase what, Seconds end) {
    if (end > times.since)
      trace_->spans.push_back({times.number, what, stage, 0, 0, times.since, end});
    times.since = end;
  };
  if (phase == Phase::sender_core || phase == Phase::receiver_core) {
    add(phase == Phase::sender_core ? Phase::wait_for_sender : Phase::wait_for_receiver, times.core_starts);
    add(phase, times.core_ends);
  } else {
    add(phase, network_.now());
  }
}

void Simulation::keep(std::uint32_t id, Phase phase, std::size_t stage) {
  const auto& state = state_of(id, stage);
  auto& since = times_[id].stage_since[stage];
  if (network_.now() > since)
    trace_->spans.push_back({times_[id].number, phase, stage, state.segment, state.done, since, network_.now()});
  since = network_.now();
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
