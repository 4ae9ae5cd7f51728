#include "engine/mpi/messages.hpp"

#include <algorithm>

namespace kakehashi {
void Payloads::add(std::uint32_t id) {
  const auto& itinerary = *messages_[id].itinerary;
  has_gaps_ = has_gaps_ || itinerary.cost(0, 0).gap.value > 0;
  if (itinerary.stages() == 1)
    return;
  further_stages_.resize(std::max<std::size_t>(further_stages_.size(), id + 1));
  further_stages_[id].assign(itinerary.stages() - 1, {});
}

std::optional<Occasion> Payloads::handle(Event event) {
  const auto ended = handle_kind(event);
  if (ended)
    leave_connection(*ended);
  return ended;
}

std::optional<Occasion> Payloads::handle_kind(Event event) {
  const auto stage = static_cast<std::size_t>(event.kind >> stage_shift);
  switch (event.kind & ((1u << stage_shift) - 1)) {
  case payload_ready: return get_ready(event.id);
  case payload_starts: return start(event.id);
  case plain_flows: return flow_plain(event.id);
  case plain_done: return end_plain(event.id);
  case piece_done: return end_piece(event.id, stage);
  case piece_flows: flow_piece(event.id, stage); break;
  case leg_done: end_flow(event.id, stage); break;
  }
  return std::nullopt;
}

// The payload can start from now on.
std::optional<Occasion> Payloads::get_ready(std::uint32_t id) {
  auto& message = messages_[id];
  message.payload_is_ready = true;
  const auto ready = recorder_ ? recorder_->payload_is_ready(id) : Occasion{no_cause, id};
  if (const auto next = take_next(connections_[message.connection], ready))
    return go_on<&Payloads::start>(next->delay, payload_starts, next->id);
  return std::nullopt;
}

// Takes the first payload that can start now. Eager ones keep their order.
std::uint32_t Payloads::take_ready(MessageList& list) {
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

// Returns the payload that is to flow next, if one can.
std::optional<Payloads::Next> Payloads::take_queued(Connection& connection, Occasion why) {
  const auto id = take_ready(connection.queue);
  if (id == no_message)
    return std::nullopt;
  connection.busy = true;
  auto start = connection.free_at;
  auto next_payload = start;
  if (has_gaps_) { // the payload has its place among the sender's others from now on
    auto& sender = ranks_[messages_[id].from];
    start = std::max(start, sender.next_payload);
    next_payload = network_.on_tick(std::max(start, network_.now()) + messages_[id].itinerary->cost(0, 0).gap);
    sender.next_payload = next_payload;
  }
  if (recorder_)
    recorder_->leaves_queue(id, start, next_payload, why);
  return Next{id, start - network_.now()};
}

std::optional<Occasion> Payloads::start(std::uint32_t id) {
  auto& message = messages_[id];
  const auto started = recorder_ ? recorder_->payload_starts(id) : Occasion{no_cause, id};
  if (message.itinerary->is_plain && setting_.shortens_plain)
    return go_on<&Payloads::flow_plain>(sets_.pass_nics(sets_[message.first_set], network_.now()), plain_flows, id);
  start_piece(id, 0, started);
  return std::nullopt;
}

// Does as flow_piece where there is but one piece and one leg.
std::optional<Occasion> Payloads::flow_plain(std::uint32_t id) {
  const auto& message = messages_[id];
  const auto& cost = message.itinerary->costs.front();
  const auto worked = recorder_ ? recorder_->stage_works(id, 0, 0, message.size) : Occasion{no_cause, id};
  if (!cost.flows)
    return worked;
  if (recorder_)
    recorder_->flow_starts(id, 0, 0, message.itinerary->stripe, message.loads());
  network_.transfer(sets_.set_of(message.first_set, message.loads()), ranks_.with_noise(message.itinerary->stripe),
                    cost.cap, {plain_done, id});
  return std::nullopt;
}

std::optional<Occasion> Payloads::end_plain(std::uint32_t id) {
  const auto& message = messages_[id];
  return recorder_ ? recorder_->flow_ends(id, 0, 0, message.size, message.loads()) : Occasion{no_cause, id};
}

// A stage takes its next piece if it is idle and the piece is there.
std::optional<Seconds> Payloads::take_piece(std::uint32_t id, std::size_t stage, Occasion why) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  const bool is_there = stage == 0 || state_of(id, stage - 1).done > state.done;
  if (state.busy || state.done == message.itinerary->pieces || !is_there)
    return std::nullopt;
  state.busy = true;
  state.leg = 0;
  if (recorder_)
    recorder_->stage_starts(id, stage, why);
  if (!sets_.takes_thread(first_leg(message, stage), {id, stage}))
    return std::nullopt; // it begins when another stage leaves the thread
  return delay_of_piece(id, stage);
}

const ChannelSets::Leg& Payloads::first_leg(const Message& message, std::size_t stage) const {
  return sets_[ChannelSets::number_of(message.first_set, *message.itinerary->terms, stage, 0)];
}

Seconds Payloads::delay_of_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  const auto delay = message.itinerary->before_flow(stage, state_of(id, stage).done);
  return delay + sets_.pass_nics(first_leg(message, stage), network_.now() + delay);
}

void Payloads::start_piece(std::uint32_t id, std::size_t stage, Occasion why) {
  if (const auto delay = take_piece(id, stage, why))
    add_of_stage(*delay, piece_flows, id, stage);
}

// Hands the stage's thread to another stage, maybe of another message.
void Payloads::leave_thread(const Message& message, std::size_t stage) {
  if (const auto next = sets_.leave_thread(first_leg(message, stage)))
    add_of_stage(delay_of_piece(next->id, next->stage), piece_flows, next->id, next->stage);
}

void Payloads::flow_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  const auto size = piece_of(id, stage);
  if (recorder_ && state.leg == 0)
    recorder_->stage_works(id, stage, 0, size);
  const auto& cost = message.itinerary->cost(stage, state.done);
  if (!cost.flows)
    return end_leg(id, stage);
  const auto leg = ChannelSets::number_of(message.first_set, *message.itinerary->terms, stage, state.leg);
  const auto flowing = stripe_of(message.itinerary->terms->stages[stage], size);
  if (recorder_)
    recorder_->flow_starts(id, stage, state.leg, flowing, message.loads());
  network_.transfer(sets_.set_of(leg, message.loads()), ranks_.with_noise(flowing), cost.cap,
                    {leg_done | static_cast<std::uint32_t>(stage) << stage_shift, id});
}

void Payloads::end_flow(std::uint32_t id, std::size_t stage) {
  if (recorder_)
    recorder_->flow_ends(id, stage, state_of(id, stage).leg, piece_of(id, stage), messages_[id].loads());
  end_leg(id, stage);
}

void Payloads::end_leg(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  if (++state.leg < message.itinerary->terms->stages[stage].legs)
    return flow_piece(id, stage);
  add_of_stage(message.itinerary->after_flow(stage, state.done), piece_done, id, stage);
}

std::optional<Occasion> Payloads::end_piece(std::uint32_t id, std::size_t stage) {
  const auto& message = messages_[id];
  auto& state = state_of(id, stage);
  const auto worked =
      recorder_ ? recorder_->stage_works(id, stage, state.leg, piece_of(id, stage)) : Occasion{no_cause, id};
  state.busy = false;
  ++state.done;
  leave_thread(message, stage);
  const auto last = message.itinerary->stages() - 1;
  if (stage == last && state.done == message.itinerary->pieces)
    return worked;
  start_piece(id, stage, worked);
  if (stage < last)
    start_piece(id, stage + 1, worked);
  return std::nullopt;
}

// The next payload of the connection can start behind this one.
void Payloads::leave_connection(Occasion ended) {
  const auto id = ended.message;
  const auto& message = messages_[id];
  auto& connection = connections_[message.connection];
  connection.busy = false;
  const auto gap = message.itinerary->cost(0, 0).gap;
  connection.free_at = gap.value > 0 ? network_.on_tick(network_.now() + gap) : network_.now();
  if (recorder_)
    recorder_->payload_ends(id, connection.free_at, message.is_remote() ? std::optional(message.owner()) : std::nullopt,
                            ended);
  if (const auto next = take_next(connection, ended))
    agenda_.add(next->delay, payload_starts, next->id);
}

// A copy flows only if the message takes one stage: copies by cores in the middle of a way are delays.
bool CoreCopies::flows(const Message& message, Seconds copy) const {
  if (copy.value <= 0 || message.itinerary->stages() > 1)
    return false;
  return message.load > 0 || message.passes_domains || sets_[message.first_set].copies_flow;
}

// The core begins when it is done with what it does before.
std::optional<Occasion> CoreCopies::begin(std::uint32_t id, Seconds core_time, Seconds until_done) {
  ends_.resize(std::max<std::size_t>(ends_.size(), messages_.all().size()));
  ends_[id] = network_.now() + until_done;
  if (until_done <= core_time)
    return flow(id);
  agenda_.add(until_done - core_time, copy_flows, id);
  return std::nullopt;
}

std::optional<Occasion> CoreCopies::handle(Event event) {
  return event.kind == copy_flows ? flow(event.id) : end(event.id);
}

// A core alone has just the time that it needs; all of them may want more than the memory or a link has.
std::optional<Occasion> CoreCopies::flow(std::uint32_t id) {
  const auto& message = messages_[id];
  const auto& cost = message.itinerary->cost(0, 0);
  const auto copy = message.receiver_copies ? cost.receiver_copy : cost.sender_copy;
  const auto& sets = sets_[message.first_set];
  // One core does all that a put or get takes; else both ends have their parts.
  const auto both = message.is_remote() ? copy : cost.sender_copy + cost.receiver_copy;
  const auto rate = message.size / both;
  // A copy alone has its core's time, so it does not load caches by more than they carry in this time.
  const double load = message.passes_domains ? 1
                      : message.load > 0     ? message.load / Message::most_load
                                             : std::min(1.0, sets.cached / rate);
  const double share = copy / both;
  const Bytes bytes{static_cast<std::uint64_t>(load * share * static_cast<double>(message.size.count))};
  if (recorder_)
    recorder_->copy_starts(id, bytes, message.copy_loads());
  if (bytes.count == 0)
    return end(id);
  network_.transfer(sets_.set_of(message.first_set, message.copy_loads()), bytes, load * rate, {copy_done, id});
  return std::nullopt;
}

// The copy has flowed; the core may take longer.
std::optional<Occasion> CoreCopies::end(std::uint32_t id) {
  if (network_.now() + blur < ends_[id]) {
    agenda_.add(ends_[id] - network_.now(), copy_done, id);
    return std::nullopt;
  }
  return recorder_ ? recorder_->copy_ends(id, messages_[id].copy_loads()) : Occasion{no_cause, id};
}

} // namespace kakehashi
