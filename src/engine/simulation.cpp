#include "engine/simulation.hpp"

#include "engine/shuffle.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {

Simulation::Simulation(Network& network, ChainTable& chains, int ranks)
    : network_(network), chains_(chains), itineraries_(chains) {
  for (int id = 0; id < ranks; ++id)
    ranks_.emplace_back().view = std::make_unique<Rank>(id, ranks);
}

void Simulation::set_program(int id, Program program) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  rank.view->resume_point = program.handle();
  rank.program = std::move(program);
}

Result<std::vector<Seconds>> Simulation::run() {
  std::vector<std::uint32_t> order(ranks_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t id) { return shuffled(id, seed_); });
  for (const auto id : order)
    schedule({}, rank_resumes, id);
  settle();
  network_.run([this](Event event) {
    handle(event);
    settle();
  });
  if (!failures_.empty())
    return failures_;
  if (is_over_limit())
    return Error{ErrorKind::run, "", "", fmt::format("more than {} messages", limit_), ""};
  std::vector<Seconds> ends;
  for (const auto& rank : ranks_) {
    if (!rank.finished)
      return deadlock();
    ends.push_back(rank.finish);
  }
  return ends;
}

Seconds Simulation::duration() const {
  Seconds last;
  for (const auto& rank : ranks_)
    last = std::max(last, rank.finish);
  return last;
}

// Events

void Simulation::schedule(Seconds delay, std::uint32_t kind, std::uint32_t id) {
  if (delay.value > 0)
    network_.after(delay, {kind, id});
  else
    due_now_.push_back({kind, id});
}

void Simulation::settle() {
  while (!due_now_.empty()) {
    const Event event = due_now_.front();
    due_now_.pop_front();
    handle(event);
  }
}

void Simulation::handle(Event event) {
  if (!failures_.empty() || is_over_limit())
    return;
  const auto stage = static_cast<std::size_t>(event.kind >> stage_shift);
  switch (event.kind & ((1u << stage_shift) - 1)) {
  case rank_resumes: return resume(static_cast<int>(event.id));
  case core_sent: return sent_by_core(event.id);
  case request_arrived: return envelope_arrives(event.id);
  case payload_ready: {
    auto& message = messages_[event.id];
    message.payload_is_ready = true;
    note(message, Phase::prepare);
    return pump(connection_of(message));
  }
  case payload_starts: return payload_start(event.id);
  case piece_flows: return flow_piece(event.id, stage);
  case segment_done: return end_segment(event.id, stage);
  case piece_done: return end_piece(event.id, stage);
  case core_received:
    note(messages_[event.id], Phase::receiver_core);
    ranks_[static_cast<std::size_t>(messages_[event.id].to)].view->received_from = messages_[event.id].from;
    ranks_[static_cast<std::size_t>(messages_[event.id].to)].view->received_tag = messages_[event.id].tag;
    complete_request(messages_[event.id].to, messages_[event.id].receive_request);
    drop_message(event.id);
    return;
  }
}

// When the core is done with a further piece of work.
Seconds Simulation::occupy_core(RankState& rank, Seconds time) {
  rank.core_free = std::max(rank.core_free, network_.now()) + time;
  return rank.core_free - network_.now();
}

// Ranks

void Simulation::resume(int id) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  rank.view->clock = network_.now();
  rank.view->resume_point.resume();
  if (!rank.program->done())
    return perform(id);
  rank.program->rethrow_failure();
  rank.finished = true;
  rank.finish = network_.now();
}

void Simulation::perform(int id) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  const auto resume_now = [&] { schedule({}, rank_resumes, static_cast<std::uint32_t>(id)); };
  if (const auto* send = std::get_if<SendOperation>(&rank.view->pending)) {
    start_send(id, *send, send->blocking, !send->blocking);
  } else if (const auto* receive = std::get_if<ReceiveOperation>(&rank.view->pending)) {
    start_receive(id, *receive, receive->blocking);
    if (!receive->blocking)
      resume_now();
  } else if (const auto* both = std::get_if<SendReceiveOperation>(&rank.view->pending)) {
    start_receive(id, both->receive, true);
    start_send(id, both->send, true, false);
  } else if (const auto* wait = std::get_if<WaitOperation>(&rank.view->pending)) {
    if (!await_requests(id, *wait))
      resume_now();
  } else if (const auto* remote = std::get_if<RemoteOperation>(&rank.view->pending)) {
    start_remote(id, *remote);
  } else if (const auto* compute = std::get_if<ComputeOperation>(&rank.view->pending)) {
    schedule(occupy_core(rank, compute->time), rank_resumes, static_cast<std::uint32_t>(id));
  }
}

void Simulation::start_send(int id, const SendOperation& send, bool awaited, bool resumes_sender) {
  Message message;
  message.from = id;
  message.to = send.to;
  message.tag = send.tag;
  message.size = send.size;
  message.send_request = add_request(ranks_[static_cast<std::size_t>(id)], awaited);
  message.resumes_sender = resumes_sender;
  launch(std::move(message), Side::sender);
}

void Simulation::start_remote(int id, const RemoteOperation& remote) {
  Message message;
  message.from = remote.is_read ? remote.peer : id;
  message.to = remote.is_read ? id : remote.peer;
  message.size = remote.size;
  message.initiator = id;
  message.send_request = add_request(ranks_[static_cast<std::size_t>(id)], remote.blocking);
  message.resumes_sender = !remote.blocking;
  launch(std::move(message), remote.is_read ? Side::receiver : Side::sender);
}

// Sets the core of its owner to work for the message.
void Simulation::launch(Message message, Side initiator) {
  const auto chain = chains_.find(message.from, message.to, initiator);
  if (!chain) {
    failures_ = chain.errors();
    return;
  }
  auto& owner = ranks_[static_cast<std::size_t>(message.owner())];
  message.chain = *chain;
  message.itinerary = &itineraries_.find(*chain, message.size);
  message.connection = connections_.find(message.from, message.to, network_.now());
  auto& connection = connection_of(message);
  ++connection.messages;
  if (!message.initiator)
    message.sequence = connection.sent++;
  message.number = static_cast<std::uint32_t>(messages_sent_++);
  message.since = network_.now();
  message.core_starts = std::max(owner.core_free, network_.now());
  if (trace_) {
    trace_->chain_bytes.resize(std::max<std::size_t>(trace_->chain_bytes.size(), message.chain + 1));
    trace_->chain_bytes[message.chain] += static_cast<double>(message.size.count);
    if (trace_->keep_messages)
      trace_->messages.push_back({message.from, message.to, message.tag, message.size, message.chain});
  }
  const auto delay = occupy_core(owner, message.itinerary->sender_core());
  const auto id = take_message();
  auto& kept = messages_[id];
  message.further_stages = std::move(kept.further_stages); // keeps its memory
  message.further_stages.assign(message.itinerary->stages() - 1, {});
  kept = std::move(message);
  schedule(delay, core_sent, id);
}

void Simulation::start_receive(int id, const ReceiveOperation& receive, bool awaited) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  const auto request = add_request(rank, awaited);
  if (const auto message = rank.matching.post({receive.from, receive.tag, request})) {
    messages_[*message].receive_request = request;
    matched(*message);
  }
}

// Whether any of them is still open.
bool Simulation::await_requests(int id, const WaitOperation& wait) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  for (const auto& request : wait.requests) {
    if (request.index < rank.first_request)
      continue;
    auto& state = rank.requests[request.index - rank.first_request];
    if (state.done || state.awaited)
      continue;
    state.awaited = true;
    ++rank.awaited;
  }
  return rank.awaited > 0;
}

// Requests

std::uint32_t Simulation::add_request(RankState& rank, bool awaited) {
  const auto index = rank.first_request + static_cast<std::uint32_t>(rank.requests.size());
  rank.requests.push_back({false, awaited});
  rank.awaited += awaited;
  rank.view->started = {index};
  return index;
}

void Simulation::complete_request(int id, std::uint32_t request) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  auto& state = rank.requests[request - rank.first_request];
  state.done = true;
  const bool was_awaited = state.awaited;
  while (!rank.requests.empty() && rank.requests.front().done) {
    rank.requests.pop_front();
    ++rank.first_request;
  }
  if (was_awaited && --rank.awaited == 0)
    schedule({}, rank_resumes, static_cast<std::uint32_t>(id));
}

// Messages

void Simulation::sent_by_core(std::uint32_t id) {
  auto& message = messages_[id];
  note(message, Phase::sender_core);
  const auto& cost = message.itinerary->cost(0, 0);
  if (message.initiator || message.itinerary->protocol() == Protocol::eager) {
    connection_of(message).queue.push_back(id);
    schedule(cost.before_payload(), payload_ready, id);
    if (!message.initiator)
      complete_request(message.from, message.send_request); // the buffer is free
  } else {
    schedule(cost.trip, request_arrived, id);
  }
  if (message.resumes_sender)
    schedule({}, rank_resumes, static_cast<std::uint32_t>(message.owner()));
}

// Envelopes of a connection are matched in the order of their sends.
void Simulation::envelope_arrives(std::uint32_t id) {
  if (messages_[id].itinerary->protocol() == Protocol::rendezvous)
    note(messages_[id], Phase::request);
  auto& connection = connection_of(messages_[id]);
  if (messages_[id].sequence != connection.delivered)
    return connection.early.push_back(id);
  auto next = id;
  for (;;) {
    ++connection.delivered;
    deliver(next);
    const auto found = std::ranges::find(connection.early, connection.delivered,
                                         [&](std::uint32_t early) { return messages_[early].sequence; });
    if (found == connection.early.end())
      return;
    next = *found;
    connection.early.erase(found);
  }
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
  note(message, Phase::wait_for_match);
  if (message.itinerary->protocol() == Protocol::eager) // its payload is here
    return receiver_works(id);
  const auto& cost = message.itinerary->cost(0, 0);
  connection_of(message).queue.push_back(id);
  schedule(cost.before_payload() - cost.trip, payload_ready, id);
}

void Simulation::receiver_works(std::uint32_t id) {
  auto& message = messages_[id];
  auto& receiver = ranks_[static_cast<std::size_t>(message.to)];
  message.core_starts = std::max(receiver.core_free, network_.now());
  schedule(occupy_core(receiver, message.itinerary->receiver_core()), core_received, id);
}

void Simulation::pump(Connection& connection) {
  if (connection.busy)
    return;
  bool eager_waits = false;
  const auto next = std::find_if(connection.queue.begin(), connection.queue.end(), [&](std::uint32_t id) {
    const auto& message = messages_[id];
    const bool is_eager = !message.initiator && message.itinerary->protocol() == Protocol::eager;
    const bool can_start = message.payload_is_ready && !(is_eager && eager_waits);
    eager_waits = eager_waits || is_eager;
    return can_start;
  });
  if (next == connection.queue.end())
    return;
  const auto id = *next;
  connection.queue.erase(next);
  connection.busy = true;
  const auto start = std::max(connection.free_at, ranks_[static_cast<std::size_t>(messages_[id].from)].next_payload);
  schedule(start - network_.now(), payload_starts, id);
}

void Simulation::payload_start(std::uint32_t id) {
  auto& message = messages_[id];
  note(message, Phase::queue);
  auto& sender = ranks_[static_cast<std::size_t>(message.from)];
  sender.next_payload = std::max(sender.next_payload, network_.now()) + message.itinerary->cost(0, 0).gap;
  start_piece(id, 0);
}

// A stage takes its next piece if it is idle and the piece is there.
void Simulation::start_piece(std::uint32_t id, std::size_t stage) {
  auto& message = messages_[id];
  auto& state = message.stage(stage);
  const bool is_there = stage == 0 || message.stage(stage - 1).done > state.done;
  if (state.busy || state.done == message.itinerary->pieces || !is_there)
    return;
  state.busy = true;
  state.segment = 0;
  state.since = network_.now();
  const auto delay = message.itinerary->before_flow(stage, state.done);
  schedule(delay, piece_flows | static_cast<std::uint32_t>(stage) << stage_shift, id);
}

void Simulation::flow_piece(std::uint32_t id, std::size_t stage) {
  auto& message = messages_[id];
  auto& state = message.stage(stage);
  if (state.segment == 0)
    note(message, Phase::stage_work, stage, state);
  const auto& cost = message.itinerary->cost(stage, state.done);
  if (cost.flows)
    network_.transfer(network_path(message.chain, stage, state.segment), message.itinerary->size_of(state.done),
                      cost.cap, {segment_done | static_cast<std::uint32_t>(stage) << stage_shift, id});
  else
    end_segment(id, stage);
}

void Simulation::end_segment(std::uint32_t id, std::size_t stage) {
  auto& message = messages_[id];
  auto& state = message.stage(stage);
  note(message, Phase::flow, stage, state);
  if (++state.segment < message.itinerary->chain->stages[stage].route.segments())
    return flow_piece(id, stage);
  schedule(message.itinerary->after_flow(stage, state.done),
           piece_done | static_cast<std::uint32_t>(stage) << stage_shift, id);
}

void Simulation::end_piece(std::uint32_t id, std::size_t stage) {
  auto& message = messages_[id];
  auto& state = message.stage(stage);
  note(message, Phase::stage_work, stage, state);
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
  auto& message = messages_[id];
  message.since = network_.now();
  auto& connection = connection_of(message);
  connection.busy = false;
  connection.free_at = network_.now() + message.itinerary->cost(0, 0).gap;
  pump(connection);
  if (message.initiator) {
    complete_request(*message.initiator, message.send_request);
    drop_message(id);
  } else if (message.itinerary->protocol() == Protocol::eager) {
    envelope_arrives(id);
  } else {
    complete_request(message.from, message.send_request);
    receiver_works(id);
  }
}

std::size_t Simulation::network_path(std::uint32_t chain, std::size_t stage, std::size_t segment) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  if (first_path_.size() <= chain)
    first_path_.resize(chain + 1, none);
  const auto& stages = chains_[chain].stages;
  if (first_path_[chain] == none) {
    first_path_[chain] = static_cast<std::uint32_t>(network_paths_.size());
    for (const auto& path : stages)
      for (std::size_t i = 0; i < path.route.segments(); ++i)
        network_paths_.push_back(network_.add_path(path.route.segment(i)));
  }
  for (std::size_t i = 0; i < stage; ++i)
    segment += stages[i].route.segments();
  return network_paths_[first_path_[chain] + segment];
}

// What has just ended, if it took time.
void Simulation::keep(Message& message, Phase phase) {
  const auto now = network_.now();
  const auto stage = phase == Phase::receiver_core ? message.itinerary->stages() - 1 : 0;
  const auto add = [&](Phase what, Seconds start, Seconds end) {
    if (end > start)
      trace_->spans.push_back({message.number, what, stage, 0, 0, start, end});
  };
  if (phase == Phase::sender_core || phase == Phase::receiver_core) {
    add(phase == Phase::sender_core ? Phase::wait_for_sender : Phase::wait_for_receiver, message.since,
        message.core_starts);
    add(phase, message.core_starts, now);
  } else {
    add(phase, message.since, now);
  }
  message.since = now;
}

void Simulation::keep(const Message& message, Phase phase, std::size_t stage, StageState& state) {
  if (network_.now() > state.since)
    trace_->spans.push_back({message.number, phase, stage, state.segment, state.done, state.since, network_.now()});
  state.since = network_.now();
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
  const auto number = messages_[id].connection;
  --connections_[number].messages;
  connections_.release(number, network_.now());
  free_messages_.push_back(id);
}

Error Simulation::deadlock() const {
  constexpr std::size_t most_told = 16;
  std::string text;
  std::size_t blocked = 0;
  for (const auto& rank : ranks_) {
    if (rank.finished || ++blocked > most_told)
      continue;
    text += fmt::format("\n  rank {}: {}", rank.view->id, to_text(rank.view->pending));
    if (std::holds_alternative<WaitOperation>(rank.view->pending)) {
      text += fmt::format(", {} of them open", rank.awaited);
      for (const auto& receive : rank.matching.posted())
        text += fmt::format("; {}", to_text(Operation{ReceiveOperation{receive.source, receive.tag, false}}));
    }
  }
  if (blocked > most_told)
    text += fmt::format("\n  and {} more", blocked - most_told);
  return {ErrorKind::run, "", "",
          fmt::format("deadlock after {:.3f} us: {} of {} ranks wait for ever{}", in_microseconds(network_.now()),
                      blocked, ranks_.size(), text),
          ""};
}

} // namespace kakehashi
