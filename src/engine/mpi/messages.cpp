#include "engine/mpi/messages.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace kakehashi {

int Messages::source_of(const Message& message) const {
  return setting_.shift ? setting_.shift->seen_from_home(message.from, message.to) : message.from;
}

void Messages::send(int rank, const SendOperation& send, bool is_awaited, bool resumes_sender, Occasion why) {
  const auto id = messages_.take(rank, send.to, send.size);
  auto& message = messages_[id];
  message.tag = send.tag;
  message.lane = send.lane;
  message.passes_domains = send.is_modified; // launch() looks at the rest
  message.send_request = ranks_.add_request(ranks_[rank], is_awaited);
  message.resumes_owner = resumes_sender;
  if (send.to != rank && !setting_.is_ideal)
    return launch(id, why);
  send_to_self(id, why);
}

// Whether in_node has something to say of the message: it is none of a collective operation.
bool Messages::is_in_node(const Message& message) const {
  const auto& costs = setting_.in_node;
  return (costs.full_node_factor != 1 || costs.network_polling.value > 0) && message.tag >= 0 &&
         message.lane == own_lane && !message.is_remote() && setting_.ways.are_in_one_node(message.from, message.to);
}

// Work of 200 us replaces what a core's own caches hold: 2 MiB, at 10 GB/s. Longer messages do not fit in them anyway.
Seconds Messages::after_work(const Message& message, Seconds worked) const {
  constexpr Seconds replaces_all{200e-6};
  constexpr Bytes longest{1 << 20};
  const auto& costs = setting_.in_node;
  if (worked.value <= 0 || message.lane != own_lane || !setting_.ways.are_in_one_node(message.from, message.to))
    return {};
  return std::min(1.0, worked / replaces_all) * costs.after_work +
         std::min(message.size, longest) * costs.after_work_copy;
}

Seconds Messages::core_time(const Message& message, RankState& rank, Seconds time) const {
  constexpr Bytes longest{8 << 10};
  time += after_work(message, std::exchange(rank.worked, {}));
  return message.size <= longest && is_in_node(message) && setting_.ways.has_full_device(message.from)
             ? setting_.in_node.full_node_factor * time
             : time;
}

// Whether what the message carries is modified in the cache of its sender, or in a buffer through which it passes, and
// the receiver's cache is another one. What a core's share of its cache does not hold is in memory by then.
bool Messages::passes_domains(const Message& message, std::uint32_t way) const {
  constexpr double holds = 0.75; // of the share, as bytes come and others go on
  const auto& ways = setting_.ways;
  const auto& path = ways[way].stages.front();
  if (!path.domains || message.is_remote() || ways.domain_of(message.from) == ways.domain_of(message.to))
    return false;
  const bool is_buffered =
      path.terms.rule->copies > 1 ||
      (setting_.in_node.single_copy_from ? message.size < *setting_.in_node.single_copy_from : message.is_eager());
  return (is_buffered || message.passes_domains) &&
         static_cast<double>(message.size.count) <= holds * ranks_[message.from].cache;
}

void Messages::access(int rank, const RemoteOperation& remote, Occasion why) {
  const auto id =
      remote.is_read ? messages_.take(remote.peer, rank, remote.size) : messages_.take(rank, remote.peer, remote.size);
  auto& message = messages_[id];
  message.kind = remote.is_read ? Message::Kind::get : Message::Kind::put;
  message.lane = remote.lane;
  message.send_request = ranks_.add_request(ranks_[rank], remote.blocking);
  message.resumes_owner = !remote.blocking;
  if (!setting_.is_ideal)
    return launch(id, why);
  ranks_.end_request(rank, message.send_request, network_.now(), why);
  if (!remote.blocking)
    schedule({}, rank_resumes, static_cast<std::uint32_t>(rank));
  drop(id);
}

void Messages::receive(int id, const ReceiveOperation& receive, bool is_awaited, Occasion why) {
  auto& rank = ranks_[id];
  const auto request = ranks_.add_request(rank, is_awaited);
  if (is_awaited)
    rank.receive = request;
  if (const auto message = rank.matching.post({receive.from, receive.tag, request}, messages_.all())) {
    messages_[*message].receive_request = request;
    matched(*message, why);
  }
}

void Messages::handle(Event event) {
  switch (event.kind) {
  case core_sent: return sent_by_core(event.id);
  case request_arrived: return request_arrives(event.id);
  case core_received: return received_by_core(event.id);
  case copy_flows:
  case copy_done: return copy_ends(copies_.handle(event));
  default:
    if (const auto ended = payloads_.handle(event))
      payload_ends(*ended);
  }
}

void Messages::expect(Event event, bool is_next) const {
  const auto& message = messages_[event.id];
  if (!is_next || event.kind != plain_done)
    return prefetch(&message);
  const auto rank = message.is_remote() ? message.owner() : message.to;
  ranks_.fetch(rank);
  prefetch(&connections_[message.connection]);
  if (!message.is_remote())
    prefetch(&ranks_[rank].matching);
}

// Finds the message's way and sets the core of its owner to work.
void Messages::launch(std::uint32_t id, Occasion why) {
  auto& message = messages_[id];
  auto& ways = setting_.ways;
  assert(message.from >= 0 && message.from < ways.ranks() && message.to >= 0 && message.to < ways.ranks());
  assert(!setting_.shift || message.from < setting_.shift->ranks);
  const auto initiator = message.kind == Message::Kind::get ? Side::receiver : Side::sender;
  const auto way = ways.find(message.from, message.to, initiator, message.size, message.lane);
  if (!way) {
    auto errors = way.errors();
    if (const auto& advice = ways.lanes()[message.lane].advice; !advice.empty())
      for (auto& error : errors)
        error.message += "; " + advice;
    return agenda_.fail(std::move(errors));
  }
  message.itinerary = &itineraries_.find(*way, message.size);
  message.first_set = sets_.first_of(*way);
  message.passes_domains = ways.has_domains() && passes_domains(message, *way);
  const bool has_own_worker = ranks_.has_own_worker(message.lane);
  message.connection =
      connections_.find(message.from, message.to, network_.now(), has_own_worker ? message.lane : own_lane);
  auto& connection = connection_of(message);
  ++connection.messages;
  if (!message.is_remote())
    message.sequence = connection.sent++;
  payloads_.add(id);
  auto& owner = ranks_[message.owner()];
  const auto busy = ranks_.occupy(owner, message.lane, core_time(message, owner, message.itinerary->sender_core()));
  if (recorder_)
    why = recorder_->launches({id,
                               static_cast<std::uint32_t>(sent_),
                               message.connection,
                               {message.from, message.to, message.tag, message.size, *way},
                               message.itinerary->stages(),
                               message.owner(),
                               message.resumes_owner,
                               busy.worker},
                              busy.until, why);
  ++sent_;
  if (const double load = ranks_.load_of(owner, message.size + message.size, message.lane); load > 0)
    message.load = std::lround(Message::most_load * load) & 31;
  if (message.is_granted())
    payloads_.queue(id);
  worker_sends(id, busy.until, why);
  if (message.resumes_owner)
    schedule(has_own_worker ? Seconds{} : busy.until - network_.now(), rank_resumes,
             static_cast<std::uint32_t>(message.owner()));
}

// The time from when the worker is done with a granted message until its payload can flow.
Seconds Messages::wait_of(const Message& message) {
  const auto& cost = message.itinerary->cost(0, 0);
  const bool makes_one_trip = message.kind == Message::Kind::put && !message.itinerary->begins_at_worker();
  return makes_one_trip ? cost.setup + cost.trip : message.itinerary->before_payload();
}

// Schedules what follows when the owner's worker is done.
void Messages::worker_sends(std::uint32_t id, Seconds until, Occasion works) {
  const auto core = until - network_.now();
  const auto& message = messages_[id];
  const auto& cost = message.itinerary->cost(0, 0);
  if (copies_.flows(message, cost.sender_copy))
    return copy_ends(copies_.begin(id, cost.sender_core, core));
  if (message.is_granted())
    schedule(core + wait_of(message), payload_ready, id);
  else
    schedule(core, core_sent, id);
  if (message.is_eager())
    ranks_.end_request(message.from, message.send_request, until, works); // then the buffer is free
}

void Messages::copy_ends(std::optional<Occasion> copied) {
  if (!copied)
    return;
  if (messages_[copied->message].receiver_copies)
    received_by_core(copied->message);
  else
    sender_is_done(*copied);
}

void Messages::sender_is_done(Occasion copied) {
  const auto id = copied.message;
  const auto& message = messages_[id];
  if (!message.is_granted())
    return sent_by_core(id);
  const auto from = message.from;
  const auto request = message.send_request;
  const bool is_eager = message.is_eager();
  schedule(wait_of(message), payload_ready, id);
  if (is_eager)
    ranks_.end_request(from, request, network_.now(), copied);
}

// Such a message is eager, and its copies take no time. The network does not see it.
void Messages::send_to_self(std::uint32_t id, Occasion why) {
  const auto& message = messages_[id];
  ranks_.end_request(message.from, message.send_request, network_.now(), why);
  if (message.resumes_owner)
    schedule({}, rank_resumes, static_cast<std::uint32_t>(message.from));
  deliver(id, why);
}

// Granted messages do not come here: they need no request.
void Messages::sent_by_core(std::uint32_t id) {
  schedule(messages_[id].itinerary->cost(0, 0).trip, request_arrived, id);
}

void Messages::payload_ends(Occasion ended) {
  const auto id = ended.message;
  const auto& message = messages_[id];
  if (message.is_eager())
    return envelope_arrives(id, ended);
  ranks_.end_request(message.owner(), message.send_request, network_.now(), ended);
  if (message.is_remote())
    drop(id);
  else
    receiver_works(id, ended);
}

void Messages::request_arrives(std::uint32_t id) {
  envelope_arrives(id, recorder_ ? recorder_->request_arrives(id) : Occasion{});
}

// Envelopes of a connection are matched in the order of their sends.
void Messages::envelope_arrives(std::uint32_t id, Occasion why) {
  auto& connection = connection_of(messages_[id]);
  if (messages_[id].sequence != connection.delivered) {
    messages_[id].next = std::exchange(connection.early, id);
    return;
  }
  for (auto next = id; next != no_message; next = take_early(connection)) {
    ++connection.delivered;
    deliver(next, why);
  }
}

// Returns the envelope that is next in the order of sends, if it has come.
std::uint32_t Messages::take_early(Connection& connection) {
  for (auto* link = &connection.early; *link != no_message; link = &messages_[*link].next)
    if (messages_[*link].sequence == connection.delivered) {
      const auto found = *link;
      *link = std::exchange(messages_[found].next, no_message);
      return found;
    }
  return no_message;
}

void Messages::deliver(std::uint32_t id, Occasion why) {
  auto& message = messages_[id];
  auto& receiver = ranks_[message.to];
  if (const auto request = receiver.matching.arrive({source_of(message), message.tag, id}, messages_.all())) {
    message.receive_request = *request;
    matched(id, why);
  }
}

void Messages::matched(std::uint32_t id, Occasion why) {
  auto& message = messages_[id];
  if (!message.itinerary)
    return end_receive(id, why);
  auto& receiver = ranks_[message.to];
  if (message.is_eager() || !receiver.is_at_work())
    return answer(id, why);
  ++requests_at_work_;
  if (setting_.answers_in_calls)
    messages_.append(receiver.unanswered, id);
  else
    answer(id, why);
}

void Messages::answer_all(RankState& rank, Occasion why) {
  auto next = std::exchange(rank.unanswered, {}).first;
  while (next != no_message) {
    const auto id = std::exchange(next, messages_[next].next);
    answer(id, why);
  }
}

void Messages::answer(std::uint32_t id, Occasion why) {
  const auto& message = messages_[id];
  if (recorder_)
    recorder_->is_matched(id, why);
  if (message.is_eager()) // its payload is here
    return receiver_works(id, why);
  const auto& cost = message.itinerary->cost(0, 0);
  payloads_.queue(id);
  schedule(cost.before_payload() - cost.trip, payload_ready, id);
}

void Messages::receiver_works(std::uint32_t id, Occasion why) {
  auto& message = messages_[id];
  auto& receiver = ranks_[message.to];
  auto time = core_time(message, receiver, message.itinerary->receiver_core());
  if (is_in_node(message) && setting_.ways.has_several_nodes())
    time += setting_.in_node.network_polling;
  const auto busy = ranks_.occupy(receiver, message.lane, time);
  const auto core = busy.until - network_.now();
  if (recorder_)
    recorder_->core_receives(id, receiver.view.id, message.itinerary->stages() - 1, busy.until, why, busy.worker);
  prefetch(receiver.view.pending); // both in the program
  prefetch(receiver.view.resume_point.address());
  if (const auto copy = message.itinerary->cost(0, 0).receiver_copy; copies_.flows(message, copy)) {
    message.receiver_copies = true;
    copy_ends(copies_.begin(id, time, core));
  } else {
    schedule(core, core_received, id);
  }
}

void Messages::received_by_core(std::uint32_t id) {
  end_receive(id, recorder_ ? recorder_->core_received(id) : Occasion{});
}

void Messages::end_receive(std::uint32_t id, Occasion why) {
  const auto& message = messages_[id];
  const auto& receiver = ranks_[message.to];
  if (message.receive_request == receiver.receive)
    receiver.view.pending->received = {source_of(message), message.tag};
  ranks_.end_request(message.to, message.receive_request, network_.now(), why);
  drop(id);
}

void Messages::drop(std::uint32_t id) {
  if (messages_[id].itinerary) { // else it has no connection
    const auto number = messages_[id].connection;
    --connections_[number].messages;
    connections_.release(number, network_.now());
  }
  messages_.drop(id);
  ++ended_;
}

} // namespace kakehashi
