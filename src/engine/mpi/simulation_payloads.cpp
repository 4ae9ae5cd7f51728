// Payloads: from the queue of their connection over the stages of their way to its end.
#include "engine/mpi/simulation.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

std::size_t set_of(const Message& message, const ChannelSets::Leg& leg) {
  return message.loads_memory() ? leg.loaded : leg.plain;
}

} // namespace

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

// The payload that is to flow next, if one can.
std::optional<Simulation::NextPayload> Simulation::take_next(Connection& connection) {
  if (connection.busy)
    return std::nullopt;
  const auto id = take_ready(connection.queue);
  if (id == no_message)
    return std::nullopt;
  connection.busy = true;
  auto start = connection.free_at;
  if (has_gaps_)
    start = std::max(start, ranks_[static_cast<std::size_t>(messages_[id].from)].next_payload);
  if (recorder_)
    recorder_->leaves_queue(id, start);
  return NextPayload{id, start - network_.now()};
}

void Simulation::payload_start(std::uint32_t id) {
  auto& message = messages_[id];
  const auto now = network_.now();
  auto next_payload = now;
  if (has_gaps_) {
    auto& sender = ranks_[static_cast<std::size_t>(message.from)];
    next_payload = network_.on_tick(std::max(sender.next_payload, now) + message.itinerary->cost(0, 0).gap);
    sender.next_payload = next_payload;
  }
  if (recorder_)
    recorder_->payload_starts(id, next_payload);
  if (message.itinerary->is_plain && shortens_plain_)
    go_on<&Simulation::flow_plain>(sets_.pass_nics(sets_[message.first_set], now), plain_flows, id);
  else
    start_piece(id, 0);
}

// As flow_piece, where there is but one piece and one leg.
void Simulation::flow_plain(std::uint32_t id) {
  const auto& message = messages_[id];
  const auto& cost = message.itinerary->costs.front();
  if (recorder_)
    recorder_->stage_works(id, 0, 0, message.size);
  if (!cost.flows)
    return payload_end(id);
  if (recorder_)
    recorder_->flow_starts(id, 0, 0, message.itinerary->stripe, message.loads_memory());
  network_.transfer(set_of(message, sets_[message.first_set]), with_noise(message.itinerary->stripe), cost.cap,
                    {plain_done, id});
}

void Simulation::end_plain(std::uint32_t id) {
  if (recorder_)
    recorder_->flow_ends(id, 0, 0, messages_[id].size, messages_[id].loads_memory());
  payload_end(id);
}

// A stage takes its next piece if it is idle and the piece is there.
std::optional<Seconds> Simulation::take_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  const bool is_there = stage == 0 || state_of(id, stage - 1).done > state.done;
  if (state.busy || state.done == message.itinerary->pieces || !is_there)
    return std::nullopt;
  state.busy = true;
  state.leg = 0;
  if (recorder_)
    recorder_->stage_starts(id, stage);
  if (!sets_.takes_thread(first_leg(message, stage), {id, stage}))
    return std::nullopt; // it begins when another stage leaves the thread
  return delay_of_piece(id, stage);
}

const ChannelSets::Leg& Simulation::first_leg(const Message& message, std::size_t stage) const {
  return sets_.of(message.first_set, *message.itinerary->terms, stage, 0);
}

Seconds Simulation::delay_of_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  const auto delay = message.itinerary->before_flow(stage, state_of(id, stage).done);
  return delay + sets_.pass_nics(first_leg(message, stage), network_.now() + delay);
}

void Simulation::start_piece(std::uint32_t id, std::size_t stage) {
  if (const auto delay = take_piece(id, stage))
    schedule(*delay, piece_flows | static_cast<std::uint32_t>(stage) << stage_shift, id);
}

// Another stage, maybe of another message, has its thread from now on.
void Simulation::leave_thread(const Message& message, std::size_t stage) {
  if (const auto next = sets_.leave_thread(first_leg(message, stage)))
    schedule(delay_of_piece(next->id, next->stage),
             piece_flows | static_cast<std::uint32_t>(next->stage) << stage_shift, next->id);
}

void Simulation::flow_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  const auto size = piece_of(id, stage);
  if (recorder_ && state.leg == 0)
    recorder_->stage_works(id, stage, 0, size);
  const auto& cost = message.itinerary->cost(stage, state.done);
  if (!cost.flows)
    return end_leg(id, stage);
  const auto& sets = sets_.of(message.first_set, *message.itinerary->terms, stage, state.leg);
  const auto flowing = stripe_of(message.itinerary->terms->stages[stage], size);
  if (recorder_)
    recorder_->flow_starts(id, stage, state.leg, flowing, message.loads_memory());
  network_.transfer(set_of(message, sets), with_noise(flowing), cost.cap,
                    {leg_done | static_cast<std::uint32_t>(stage) << stage_shift, id});
}

void Simulation::end_flow(std::uint32_t id, std::size_t stage) {
  if (recorder_)
    recorder_->flow_ends(id, stage, state_of(id, stage).leg, piece_of(id, stage), messages_[id].loads_memory());
  end_leg(id, stage);
}

void Simulation::end_leg(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  if (++state.leg < message.itinerary->terms->stages[stage].legs)
    return flow_piece(id, stage);
  schedule(message.itinerary->after_flow(stage, state.done),
           piece_done | static_cast<std::uint32_t>(stage) << stage_shift, id);
}

void Simulation::end_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  if (recorder_)
    recorder_->stage_works(id, stage, state.leg, piece_of(id, stage));
  state.busy = false;
  ++state.done;
  leave_thread(message, stage);
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
  const auto gap = message.itinerary->cost(0, 0).gap;
  connection.free_at = gap.value > 0 ? network_.on_tick(network_.now() + gap) : network_.now();
  if (recorder_)
    recorder_->payload_ends(id, connection.free_at,
                            message.is_remote() ? std::optional(message.owner()) : std::nullopt);
  if (const auto next = take_next(connection))
    schedule(next->delay, payload_starts, next->id);
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

} // namespace kakehashi
