#include "engine/mpi/simulation.hpp"

#include "engine/flow/shuffle.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

// Thirty years. Beyond them a clock no longer tells a tenth of a microsecond.
constexpr Seconds longest_run{1e9};

Error too_long(const Rank& rank) {
  const auto& place = rank.place;
  return input_error(
      place.file ? *place.file : "", place.file ? place.text() : "",
      fmt::format("rank {} computes or sleeps beyond {:g} s, the longest run", rank.id, longest_run.value));
}

} // namespace

Simulation::Simulation(Network& network, WayTable& ways, int ranks, const Shift* shift)
    : network_(network), ways_(ways), shift_(shift), simulated_(shift ? shift->ranks : ranks), itineraries_(ways),
      sets_(network, ways, shift) {
  ranks_.reserve(static_cast<std::size_t>(simulated_));
  frames_.resize(static_cast<std::size_t>(simulated_));
  for (int id = 0; id < simulated_; ++id) {
    auto& rank = ranks_.emplace_back(id, ranks);
    rank.view.kind = ways.device_of(id).kind;
    rank.cache = ways.cache_of(id);
    if (ways.has_hosts())
      hosts_.push_back({ways.cache_of(id, true), {}, {}});
  }
}

void Simulation::set_program(int id, Program program) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  assert(!rank.program);
  rank.view.resume_point = program.handle();
  rank.program = std::move(program);
}

Result<std::vector<Seconds>> Simulation::run() {
  assert(std::ranges::all_of(ranks_, [](const RankState& rank) { return rank.program.has_value(); }));
  std::vector<std::uint32_t> order(ranks_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t id) { return shuffled(id, seed_); });
  for (const auto id : order)
    schedule({}, rank_resumes, id);
  settle();
  network_.on_expectation([this](Event event, bool is_next) { expect(event, is_next); });
  network_.run([this](Event event) {
    handle(event);
    settle();
  });
  if (!failures_.empty())
    return failures_;
  std::vector<Seconds> ends;
  for (auto& rank : ranks_) {
    if (!rank.finished && !may_get_stuck_)
      return deadlock();
    if (!rank.finished)
      end_stuck(rank);
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
  if (!failures_.empty())
    return;
  ++events_;
  const auto stage = static_cast<std::size_t>(event.kind >> stage_shift);
  switch (event.kind & ((1u << stage_shift) - 1)) {
  case rank_resumes: return resume(static_cast<int>(event.id));
  case core_sent: return sent_by_core(event.id);
  case request_arrived: return envelope_arrives(event.id);
  case payload_ready: return get_ready(event.id);
  case payload_starts: return payload_start(event.id);
  case piece_flows: return flow_piece(event.id, stage);
  case leg_done: return end_flow(event.id, stage);
  case piece_done: return end_piece(event.id, stage);
  case plain_flows: return flow_plain(event.id);
  case plain_done: return end_plain(event.id);
  case core_received: return received_by_core(event.id);
  case copy_flows: return flow_copy(event.id);
  case copy_done: return end_copy(event.id);
  case work_done: return end_work(static_cast<int>(event.id));
  case aside_done: return end_aside(event.id);
  case host_copy_flows: return flow_host_copy(static_cast<int>(event.id));
  case host_copy_done: return end_host_copy(static_cast<int>(event.id));
  }
}

// Many ranks have more than the caches hold; what is on its way from memory meanwhile need not be waited for.
void Simulation::expect(Event event, bool is_next) const {
  if (event.kind == rank_resumes || event.kind == work_done || event.kind >= host_copy_flows) {
    prefetch(&ranks_[event.id].view);
    prefetch(&ranks_[event.id].core_free);
    return prefetch(frames_[event.id]);
  }
  if (event.kind == aside_done)
    return;
  const auto& message = messages_[event.id];
  if (!is_next || event.kind != plain_done)
    return prefetch(&message);
  const auto id = home(message.is_remote() ? message.owner() : message.to);
  const auto& rank = ranks_[id];
  prefetch(frames_[id]);
  prefetch(&rank.view);
  prefetch(&rank.core_free);
  prefetch(&connections_[message.connection]);
  if (!message.is_remote())
    prefetch(&rank.matching);
}

double Simulation::noise() {
  constexpr double span = 4294967296; // of 32 bits
  const auto key = shuffled(noises_++, seed_ + 1) & 0xffffffffu;
  return 1 + noise_ * (2 * static_cast<double>(key) / span - 1);
}

// When the core is done with more work.
Seconds Simulation::occupy_core(RankState& rank, Seconds time) {
  if (noise_ > 0)
    time.value *= noise();
  rank.core_free = network_.on_tick(std::max(rank.core_free, network_.now()) + time);
  return rank.core_free - network_.now();
}

// Ranks

void Simulation::resume(int id) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  rank.view.clock = clock();
  if (recorder_)
    recorder_->rank_resumes(id);
  rank.view.pending = nullptr;
  rank.view.resume_point.resume();
  frames_[static_cast<std::size_t>(id)] = rank.view.resume_point.address();
  if (recorder_)
    recorder_->rank_is_at(id, rank.view.place.number);
  if (rank.view.pending) // else the program is at its end
    return perform(id);
  rank.program->rethrow_failure();
  answer_all(rank);
  rank.finished = true;
  rank.finish = clock();
  if (recorder_)
    recorder_->rank_ends(id);
}

void Simulation::perform(int id) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  if (auto* work = std::get_if<ComputeOperation>(&rank.view.pending->operation);
      work && !work->in_call && work->device != OnDevice::awaited && work_time_)
    work->time = work_time_(rank.view, *work);
  const auto* operation = &rank.view.pending->operation;
  if (rank.unanswered.first != no_message && !is_at_work(rank))
    answer_all(rank);
  if (operation_begins_)
    operation_begins_(id, *operation, rank.first_request + static_cast<std::uint32_t>(rank.requests.size()));
  const auto resume_now = [&] { schedule({}, rank_resumes, static_cast<std::uint32_t>(id)); };
  if (const auto* send = std::get_if<SendOperation>(operation)) {
    start_send(id, *send, send->blocking, !send->blocking);
  } else if (const auto* receive = std::get_if<ReceiveOperation>(operation)) {
    start_receive(id, *receive, receive->blocking);
    if (!receive->blocking)
      resume_now();
  } else if (const auto* both = std::get_if<SendReceiveOperation>(operation)) {
    ++rank.awaited; // the send, which has yet to begin
    start_receive(id, both->receive, true);
    --rank.awaited;
    start_send(id, both->send, true, false);
  } else if (const auto* wait = std::get_if<WaitOperation>(operation)) {
    if (!await_requests(id, *wait))
      resume_now();
  } else if (const auto* remote = std::get_if<RemoteOperation>(operation)) {
    start_remote(id, *remote);
  } else if (const auto* compute = std::get_if<ComputeOperation>(operation)) {
    if (compute->time > longest_run - rank.view.clock)
      failures_.push_back(too_long(rank.view));
    else if (compute->device == OnDevice::begins)
      resume_now();
    else if (compute->blocking)
      this->compute(id, *compute);
    else
      compute_aside(id, *compute);
  } else if (const auto* copy = std::get_if<HostCopyOperation>(operation)) {
    copy_to_or_from_host(id, *copy);
  } else if (const auto* test = std::get_if<TestOperation>(operation)) {
    rank.view.pending->has_ended = has_ended(rank, test->request);
    resume_now();
  } else if (const auto* failure = std::get_if<FailOperation>(operation)) {
    failures_.push_back(*failure->error);
  }
}

void Simulation::compute(int id, const ComputeOperation& work) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  const auto number = static_cast<std::uint32_t>(id);
  const auto until_done = occupy_core(rank, work.time);
  if (recorder_)
    recorder_->computes(id, rank.core_free);
  const double share = load_of(rank, work.traffic, work.on_host);
  const auto traffic = Bytes{static_cast<std::uint64_t>(share * static_cast<double>(work.traffic.count))};
  if (traffic.count == 0 || work.time.value <= 0)
    return schedule(until_done, rank_resumes, number);
  auto& memory = work.on_host ? hosts_[number].memory : rank.memory;
  const auto channel = ways_.memory_of(id, work.on_host);
  if (!memory)
    memory = sets_.of_memory(channel);
  if (recorder_)
    recorder_->work_loads(id, std::span(&channel, 1), traffic);
  rank.work_ends = rank.core_free;
  network_.transfer(*memory, traffic, traffic / work.time, {work_done, number});
}

// Its traffic has flowed.
void Simulation::end_work(int id) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  if (network_.now() + blur < rank.work_ends)
    return schedule(rank.work_ends - network_.now(), work_done, static_cast<std::uint32_t>(id));
  if (recorder_)
    recorder_->work_ends(id, rank.work_ends);
  resume(id);
}

void Simulation::compute_aside(int id, const ComputeOperation& work) {
  if (free_asides_.empty()) {
    free_asides_.push_back(static_cast<std::uint32_t>(asides_.size()));
    asides_.emplace_back();
  }
  const auto slot = free_asides_.back();
  free_asides_.pop_back();
  asides_[slot] = {id, add_request(ranks_[static_cast<std::size_t>(id)], false)};
  if (recorder_)
    recorder_->computes_aside(slot, id);
  schedule(network_.on_tick(network_.now() + work.time) - network_.now(), aside_done, slot);
  schedule({}, rank_resumes, static_cast<std::uint32_t>(id));
}

void Simulation::end_aside(std::uint32_t slot) {
  const auto [rank, request] = asides_[slot];
  free_asides_.push_back(slot);
  if (recorder_)
    recorder_->aside_ends(slot, rank);
  complete_request(rank, request, network_.now());
}

// What part of what a rank goes through loads the memory: nothing if it fits in the rank's caches, all if it is twice
// as much.
double Simulation::load_of(const RankState& rank, Bytes otherwise, bool on_host) const {
  const auto cache = on_host ? hosts_[static_cast<std::size_t>(rank.view.id)].cache : rank.cache;
  const auto bytes = static_cast<double>((rank.view.working_set.count > 0 ? rank.view.working_set : otherwise).count);
  return bytes <= cache ? 0.0 : std::min(bytes / cache - 1, 1.0);
}

void Simulation::start_send(int id, const SendOperation& send, bool awaited, bool resumes_sender) {
  const auto number = take_message(id, send.to, send.size);
  auto& message = messages_[number];
  message.tag = send.tag;
  message.on_hosts = send.on_hosts;
  message.send_request = add_request(ranks_[static_cast<std::size_t>(id)], awaited);
  message.resumes_owner = resumes_sender;
  if (send.to == id || is_ideal_)
    send_to_self(number);
  else
    launch(number);
}

void Simulation::start_remote(int id, const RemoteOperation& remote) {
  const auto number =
      remote.is_read ? take_message(remote.peer, id, remote.size) : take_message(id, remote.peer, remote.size);
  auto& message = messages_[number];
  message.kind = remote.is_read ? Message::Kind::get : Message::Kind::put;
  message.on_hosts = remote.on_hosts;
  message.send_request = add_request(ranks_[static_cast<std::size_t>(id)], remote.blocking);
  message.resumes_owner = !remote.blocking;
  if (!is_ideal_)
    return launch(number);
  complete_request(id, message.send_request, network_.now());
  if (!remote.blocking)
    schedule({}, rank_resumes, static_cast<std::uint32_t>(id));
  drop_message(number);
}

void Simulation::start_receive(int id, const ReceiveOperation& receive, bool awaited) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  const auto request = add_request(rank, awaited);
  if (awaited)
    rank.receive = request;
  if (const auto message = rank.matching.post({receive.from, receive.tag, request}, messages_)) {
    messages_[*message].receive_request = request;
    matched(*message);
  }
}

// Whether the rank has to wait.
bool Simulation::await_requests(int id, const WaitOperation& wait) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  for (const auto& request : wait.requests) {
    if (has_ended(rank, request)) {
      if (!wait.any)
        continue;
      rank.view.pending->request = request;
      await_none(rank);
      return false;
    }
    auto& state = rank.requests[request.index - rank.first_request];
    if (state.awaited)
      continue;
    state.awaited = true;
    ++rank.awaited;
  }
  rank.awaits_any = wait.any && rank.awaited > 0;
  return rank.awaited > 0;
}

void Simulation::await_none(RankState& rank) {
  for (std::size_t i = 0; i < rank.requests.size(); ++i)
    rank.requests[i].awaited = false;
  rank.awaited = 0;
}

bool Simulation::has_ended(const RankState& rank, Request request) const {
  return request.index < rank.first_request || rank.requests[request.index - rank.first_request].done;
}

// Requests

std::uint32_t Simulation::add_request(RankState& rank, bool awaited) {
  const auto index = rank.first_request + static_cast<std::uint32_t>(rank.requests.size());
  rank.requests.push_back({false, awaited});
  if (awaited)
    ++rank.awaited;
  rank.view.pending->request = {index};
  return index;
}

void Simulation::complete_request(int id, std::uint32_t request, Seconds at) {
  auto& rank = rank_state(id);
  auto& state = rank.requests[request - rank.first_request];
  state.done = true;
  const bool was_awaited = state.awaited;
  if (was_awaited && rank.awaits_any) {
    rank.view.pending->request = {request};
    await_none(rank);
    rank.awaited = 1; // this one
    rank.awaits_any = false;
  }
  while (!rank.requests.empty() && rank.requests.front().done) {
    rank.requests.pop_front();
    ++rank.first_request;
  }
  if (!was_awaited)
    return;
  rank.goes_on = std::max(rank.goes_on, at);
  --rank.awaited;
  if (recorder_)
    recorder_->rank_can_go_on(rank.view.id, at, rank.awaited == 0);
  if (rank.awaited == 0)
    schedule(rank.goes_on - network_.now(), rank_resumes, static_cast<std::uint32_t>(rank.view.id));
}

void Simulation::end_stuck(RankState& rank) {
  ++stuck_;
  rank.finished = true;
  rank.finish = clock();
  if (recorder_)
    recorder_->rank_is_stuck(rank.view.id);
}

} // namespace kakehashi
