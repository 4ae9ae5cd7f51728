// The ways of messages: from the sender's core over the network to the receiver's.
#include "engine/mpi/simulation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace kakehashi {

int Simulation::source_of(const Message& message) const {
  return shift_ ? shift_->seen_from_home(message.from, message.to) : message.from;
}

// Sets the core of its owner to work for the message.
void Simulation::launch(std::uint32_t id) {
  auto& message = messages_[id];
  assert(message.from >= 0 && message.from < ways_.ranks() && message.to >= 0 && message.to < ways_.ranks());
  assert(!shift_ || message.from < simulated_);
  const auto initiator = message.kind == Message::Kind::get ? Side::receiver : Side::sender;
  const auto way = ways_.find(message.from, message.to, initiator, message.size, message.on_hosts);
  if (!way) {
    failures_ = way.errors();
    if (message.on_hosts)
      for (auto& error : failures_)
        error.message += "; " + std::string(hosts_advice);
    return;
  }
  message.itinerary = &itineraries_.find(*way, message.size);
  message.first_set = sets_.first_of(*way);
  message.connection = connections_.find(message.from, message.to, network_.now());
  auto& connection = connection_of(message);
  ++connection.messages;
  if (!message.is_remote())
    message.sequence = connection.sent++;
  ++messages_sent_;
  if (const auto stages = message.itinerary->stages(); stages > 1) {
    further_stages_.resize(std::max<std::size_t>(further_stages_.size(), id + 1));
    further_stages_[id].assign(stages - 1, {});
  }
  const auto& cost = message.itinerary->cost(0, 0);
  has_gaps_ = has_gaps_ || cost.gap.value > 0;
  auto& owner = rank_state(message.owner());
  const auto core = occupy_core(owner, message.itinerary->sender_core());
  if (recorder_)
    recorder_->launches({id,
                         static_cast<std::uint32_t>(messages_sent_ - 1),
                         message.connection,
                         {message.from, message.to, message.tag, message.size, *way},
                         message.itinerary->stages(),
                         message.owner(),
                         message.resumes_owner},
                        owner.core_free);
  if (const double load = load_of(owner, message.size + message.size, message.on_hosts); load > 0)
    message.load = std::lround(Message::most_load * load) & 31;
  if (message.is_granted())
    append(connection.queue, id);
  if (copy_flows_for(message, cost.sender_copy)) {
    begin_copy(id, cost.sender_core, core);
  } else {
    if (message.is_granted()) {
      const bool makes_one_trip = message.kind == Message::Kind::put && !message.itinerary->begins_at_worker();
      schedule(core + (makes_one_trip ? cost.setup + cost.trip : message.itinerary->before_payload()), payload_ready,
               id);
    } else {
      schedule(core, core_sent, id);
    }
    if (message.is_eager())
      complete_request(message.from, message.send_request, owner.core_free); // then the buffer is free
  }
  if (message.resumes_owner)
    schedule(core, rank_resumes, static_cast<std::uint32_t>(message.owner()));
}

// Copies by cores

// Only of messages that take one stage; what cores in the middle of others copy is a delay.
bool Simulation::copy_flows_for(const Message& message, Seconds copy) const {
  if (copy.value <= 0 || message.itinerary->stages() > 1 || message.is_remote())
    return false;
  const auto& sets = sets_[message.first_set];
  return message.load > 0 || sets.copies_flow;
}

// The core begins when it is done with what it does before.
void Simulation::begin_copy(std::uint32_t id, Seconds core_time, Seconds until_done) {
  copies_end_.resize(std::max<std::size_t>(copies_end_.size(), messages_.size()));
  copies_end_[id] = network_.now() + until_done;
  if (until_done > core_time)
    schedule(until_done - core_time, copy_flows, id);
  else
    flow_copy(id);
}

// A core alone has just the time that it needs; all of them may want more than the memory or a link has.
void Simulation::flow_copy(std::uint32_t id) {
  const auto& message = messages_[id];
  const auto& cost = message.itinerary->cost(0, 0);
  const auto copy = message.receiver_copies ? cost.receiver_copy : cost.sender_copy;
  const auto& sets = sets_[message.first_set];
  const double load = message.load > 0 ? message.load / Message::most_load : 1;
  const double share = copy / (cost.sender_copy + cost.receiver_copy);
  const Bytes bytes{static_cast<std::uint64_t>(load * share * static_cast<double>(message.size.count))};
  if (recorder_)
    recorder_->copy_starts(id, bytes, message.load > 0);
  if (bytes.count == 0)
    return end_copy(id);
  network_.transfer(message.load > 0 ? sets.loaded : sets.plain, bytes,
                    load * (message.size / (cost.sender_copy + cost.receiver_copy)), {copy_done, id});
}

// The copy has flowed.
void Simulation::end_copy(std::uint32_t id) {
  if (network_.now() + blur < copies_end_[id])
    return schedule(copies_end_[id] - network_.now(), copy_done, id);
  if (recorder_)
    recorder_->copy_ends(id, messages_[id].load > 0);
  if (messages_[id].receiver_copies)
    received_by_core(id);
  else
    sender_is_done(id);
}

void Simulation::sender_is_done(std::uint32_t id) {
  const auto& message = messages_[id];
  if (!message.is_eager())
    return sent_by_core(id);
  const auto from = message.from;
  const auto request = message.send_request;
  schedule(message.itinerary->cost(0, 0).before_payload(), payload_ready, id);
  complete_request(from, request, network_.now());
}

// As an eager message whose copies take no time. It is none of the network's messages.
void Simulation::send_to_self(std::uint32_t id) {
  const auto& message = messages_[id];
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
  if (const auto next = take_next(connection_of(message)))
    go_on<&Simulation::payload_start>(next->delay, payload_starts, next->id);
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
  auto& receiver = rank_state(message.to);
  if (const auto request = receiver.matching.arrive({source_of(message), message.tag, id}, messages_)) {
    message.receive_request = *request;
    matched(id);
  }
}

void Simulation::matched(std::uint32_t id) {
  auto& message = messages_[id];
  if (!message.itinerary)
    return end_receive(id);
  auto& receiver = rank_state(message.to);
  if (message.is_eager() || !is_at_work(receiver))
    return answer(id);
  ++requests_at_work_;
  if (answers_inside_calls_)
    append(receiver.unanswered, id);
  else
    answer(id);
}

// Outside of MPI.
bool Simulation::is_at_work(const RankState& rank) {
  const auto* pending = rank.view.pending;
  const auto* work = pending ? std::get_if<ComputeOperation>(&pending->operation) : nullptr;
  return work && work->blocking && !work->in_call;
}

void Simulation::answer_all(RankState& rank) {
  auto next = std::exchange(rank.unanswered, {}).first;
  while (next != no_message) {
    const auto id = std::exchange(next, messages_[next].next);
    answer(id);
  }
}

void Simulation::answer(std::uint32_t id) {
  const auto& message = messages_[id];
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
  auto& receiver = rank_state(message.to);
  const auto time = message.itinerary->receiver_core();
  const auto core = occupy_core(receiver, time);
  if (recorder_)
    recorder_->core_receives(id, receiver.view.id, message.itinerary->stages() - 1, receiver.core_free);
  prefetch(receiver.view.pending); // both in the program
  prefetch(receiver.view.resume_point.address());
  if (const auto copy = message.itinerary->cost(0, 0).receiver_copy; copy_flows_for(message, copy)) {
    message.receiver_copies = true;
    begin_copy(id, time, core);
  } else {
    schedule(core, core_received, id);
  }
}

void Simulation::received_by_core(std::uint32_t id) {
  if (recorder_)
    recorder_->core_received(id);
  end_receive(id);
}

void Simulation::end_receive(std::uint32_t id) {
  const auto& message = messages_[id];
  const auto& receiver = rank_state(message.to);
  if (message.receive_request == receiver.receive)
    receiver.view.pending->received = {source_of(message), message.tag};
  complete_request(message.to, message.receive_request, network_.now());
  drop_message(id);
}

void Simulation::append(MessageList& list, std::uint32_t id) {
  messages_[id].next = no_message;
  (list.first == no_message ? list.first : messages_[list.last].next) = id;
  list.last = id;
}

std::uint32_t Simulation::take_message(int from, int to, Bytes size) {
  if (free_messages_.empty()) {
    free_messages_.push_back(static_cast<std::uint32_t>(messages_.size()));
    messages_.emplace_back();
  }
  const auto id = free_messages_.back();
  free_messages_.pop_back();
  messages_[id] = {};
  messages_[id].from = from;
  messages_[id].to = to;
  messages_[id].size = size;
  return id;
}

void Simulation::drop_message(std::uint32_t id) {
  if (messages_[id].itinerary) { // else it has no connection
    const auto number = messages_[id].connection;
    --connections_[number].messages;
    connections_.release(number, network_.now());
  }
  free_messages_.push_back(id);
  if (++messages_ended_ == watched_end_)
    ends_watch_(clock());
}

} // namespace kakehashi
