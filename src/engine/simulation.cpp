#include "engine/simulation.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

Simulation::Simulation(Network& network, const PathTable& paths, int ranks) : network_(network), paths_(paths) {
  for (int id = 0; id < ranks; ++id)
    ranks_.emplace_back().view = std::make_unique<Rank>(id, ranks);
}

void Simulation::set_program(int id, Program program) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  rank.view->resume_point = program.handle();
  rank.program = std::move(program);
}

Result<std::vector<Seconds>> Simulation::run() {
  for (std::size_t id = 0; id < ranks_.size(); ++id)
    schedule({}, rank_resumes, static_cast<std::uint32_t>(id));
  settle();
  network_.run([this](Event event) {
    handle(event);
    settle();
  });
  std::vector<Seconds> ends;
  for (const auto& rank : ranks_) {
    if (!rank.finished)
      return deadlock();
    ends.push_back(rank.finish);
  }
  return ends;
}

// Events

void Simulation::schedule(Seconds delay, EventKind kind, std::uint32_t id) {
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
  switch (event.kind) {
  case rank_resumes: return resume(static_cast<int>(event.id));
  case core_sent: return sent_by_core(event.id);
  case request_arrived: return envelope_arrives(event.id);
  case payload_ready: {
    auto& message = messages_[event.id];
    message.payload_is_ready = true;
    return pump(connection_of(message));
  }
  case payload_starts: return payload_start(event.id);
  case payload_done: return payload_end(event.id);
  case core_received:
    complete_request(messages_[event.id].to, messages_[event.id].receive_request);
    free_messages_.push_back(event.id);
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
  } else if (const auto* compute = std::get_if<ComputeOperation>(&rank.view->pending)) {
    schedule(occupy_core(rank, compute->time), rank_resumes, static_cast<std::uint32_t>(id));
  }
}

void Simulation::start_send(int id, const SendOperation& send, bool awaited, bool resumes_sender) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  const auto path = paths_.index(id, send.to);
  const auto index = take_message();
  auto& message = messages_[index];
  message = {
      id, send.to,        send.tag, send.size, path, cost_of(paths_[path], send.size), 0, add_request(rank, awaited),
      0,  resumes_sender, false};
  message.sequence = connection_of(message).sent++;
  ++messages_sent_;
  schedule(occupy_core(rank, message.cost.sender_core), core_sent, index);
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
  const auto& message = messages_[id];
  if (message.cost.protocol == Protocol::eager) {
    connection_of(message).queue.push_back(id);
    schedule(message.cost.before_payload(), payload_ready, id);
    complete_request(message.from, message.send_request); // the buffer is free
  } else {
    schedule(message.cost.trip, request_arrived, id);
  }
  if (message.resumes_sender)
    schedule({}, rank_resumes, static_cast<std::uint32_t>(message.from));
}

// Envelopes of a connection are matched in the order of their sends.
void Simulation::envelope_arrives(std::uint32_t id) {
  auto& connection = connection_of(messages_[id]);
  connection.early.push_back(id);
  for (;;) {
    const auto next = std::find_if(connection.early.begin(), connection.early.end(), [&](std::uint32_t early) {
      return messages_[early].sequence == connection.delivered;
    });
    if (next == connection.early.end())
      return;
    const auto found = *next;
    connection.early.erase(next);
    ++connection.delivered;
    deliver(found);
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
  const auto& message = messages_[id];
  const auto& cost = message.cost;
  if (cost.protocol == Protocol::eager) // its payload is here
    schedule(occupy_core(ranks_[static_cast<std::size_t>(message.to)], cost.receiver_core), core_received, id);
  else {
    connection_of(message).queue.push_back(id);
    schedule(cost.before_payload() - cost.trip, payload_ready, id);
  }
}

void Simulation::pump(Connection& connection) {
  if (connection.busy)
    return;
  bool eager_waits = false;
  const auto next = std::find_if(connection.queue.begin(), connection.queue.end(), [&](std::uint32_t id) {
    const auto& message = messages_[id];
    const bool is_eager = message.cost.protocol == Protocol::eager;
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
  const auto& message = messages_[id];
  auto& sender = ranks_[static_cast<std::size_t>(message.from)];
  sender.next_payload = std::max(sender.next_payload, network_.now()) + message.cost.gap;
  if (message.cost.flows)
    network_.transfer(message.path, message.size, message.cost.cap, {payload_done, id});
  else
    payload_end(id);
}

void Simulation::payload_end(std::uint32_t id) {
  const auto& message = messages_[id];
  auto& connection = connection_of(message);
  connection.busy = false;
  connection.free_at = network_.now() + message.cost.gap;
  pump(connection);
  if (message.cost.protocol == Protocol::eager)
    return envelope_arrives(id);
  complete_request(message.from, message.send_request);
  schedule(occupy_core(ranks_[static_cast<std::size_t>(message.to)], message.cost.receiver_core), core_received, id);
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

Simulation::Connection& Simulation::connection_of(const Message& message) {
  return connections_[static_cast<std::uint64_t>(message.from) << 32 | static_cast<std::uint32_t>(message.to)];
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
