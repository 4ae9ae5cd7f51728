#include "engine/record/recorder.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {

Seconds& share_of(RankTimes& times, Activity activity) {
  switch (activity) {
  case Activity::compute: return times.compute;
  case Activity::waiting: return times.waiting;
  case Activity::transfer: return times.transfer;
  default: return times.overhead;
  }
}

} // namespace

Recorder::Recorder(Trace& trace, const Network& network, const ChainTable& chains, int ranks, std::size_t most_causes)
    : trace_(trace), network_(network), chains_(chains),
      causes_([this](const auto& visit) { visit_roots(visit); }, most_causes), ranks_(static_cast<std::size_t>(ranks)) {
  trace_.ranks.resize(ranks_.size());
}

// A core, a connection or a gap that is over is waited for by nothing.
void Recorder::visit_roots(const std::function<void(Cause)>& visit) const {
  const auto now = network_.now();
  visit(now_);
  for (const auto& rank : ranks_) {
    visit(rank.cause);
    visit(rank.next);
    if (rank.core_free > now)
      visit(rank.core);
    if (rank.next_payload > now)
      visit(rank.gap);
  }
  for (const auto& connection : connections_)
    if (connection.free_at > now)
      visit(connection.cause);
  for (const auto& message : messages_) {
    visit(message.cause);
    for (const auto& stage : message.stages)
      visit(stage.cause);
  }
}

Cause Recorder::add(const PathPiece& piece, Cause before) {
  return trace_.keep_path && piece.end > piece.start ? causes_.add(piece, before) : before;
}

PathPiece Recorder::piece_of(const SentMessage& message, Phase phase, Seconds start, Seconds end) {
  const auto chain = static_cast<std::uint32_t>(message.chain);
  return {phase, 0, 0, message.from, message.to, chain, message.size, message.size, start, end};
}

void Recorder::keep_span(const MessageNotes& notes, Phase phase, Seconds start, Seconds end, std::size_t stage,
                         std::size_t segment, std::uint32_t piece) {
  if (trace_.keep_messages && end > start)
    trace_.spans.push_back({notes.number, phase, stage, segment, piece, start, end});
}

// Ranks

void Recorder::rank_resumes(int rank) {
  now_ = ranks_[static_cast<std::size_t>(rank)].cause;
}

void Recorder::rank_can_go_on(int rank, Seconds at, bool is_last) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  const auto& message = messages_[now_slot_];
  if (at >= notes.goes_on) {
    notes.goes_on = at;
    notes.next = at > network_.now() ? message.cause : now_;
  }
  if (!is_last)
    return;
  tell_gap(rank, network_.now(), message);
  notes.cause = std::exchange(notes.next, no_cause);
}

// What its core still does is not of the rank's time.
void Recorder::rank_ends(int rank) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.ended = true;
  notes.end = network_.now();
  for (const auto& work : notes.ahead)
    if (work.end > notes.end)
      share_of(trace_.ranks[static_cast<std::size_t>(rank)], work.activity) +=
          std::max(work.start, notes.end) - work.end;
}

void Recorder::computes(int rank, Seconds core_free) {
  MessageNotes none;
  none.message.from = none.message.to = rank;
  core_works(rank, Activity::compute, none, core_free);
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.cause = notes.core;
}

// The core does more work, which begins now or when it has done what it does. Returns its begin.
Seconds Recorder::core_works(int rank, Activity activity, const MessageNotes& message, Seconds core_free) {
  constexpr std::array phases{Phase::compute, Phase::sender_core, Phase::receiver_core};
  const auto now = network_.now();
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  const bool is_busy = notes.core_free > now;
  const auto start = std::max(notes.core_free, now);
  tell_gap(rank, start, message);
  PathPiece piece{phases[static_cast<std::size_t>(activity)], 0, 0, rank, rank, 0, {}, {}, start, core_free};
  if (activity == Activity::receive)
    piece.stage = static_cast<std::uint16_t>(message.stages.size() - 1);
  notes.core = add(piece, is_busy ? notes.core : now_);
  notes.core_free = core_free;
  std::erase_if(notes.ahead, [&](const CoreWork& work) { return work.end <= now; });
  if (!notes.ended)
    notes.ahead.push_back({activity, start, core_free});
  tell(rank, activity, start, core_free, message);
  return start;
}

// What a rank did, without holes up to its end.
void Recorder::tell(int rank, Activity activity, Seconds start, Seconds end, const MessageNotes& message) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  if (!notes.ended) {
    share_of(trace_.ranks[static_cast<std::size_t>(rank)], activity) += end - start;
    notes.told = std::max(notes.told, end);
  }
  const bool has_arrow = activity == Activity::send || activity == Activity::receive;
  if (!trace_.timeline || (end <= start && !has_arrow))
    return;
  RankSlice slice{rank, activity, -1, message.number, message.message.size, start, end};
  if (activity != Activity::compute)
    slice.peer = message.message.from == rank ? message.message.to : message.message.from;
  trace_.timeline->add(slice);
}

// Until now the rank had nothing to do but wait for the message that comes on now.
void Recorder::tell_gap(int rank, Seconds end, const MessageNotes& message) {
  const auto& notes = ranks_[static_cast<std::size_t>(rank)];
  if (notes.ended)
    return;
  const auto until = [&](Activity activity, Seconds time) {
    time = std::min(time, end);
    if (time > notes.told)
      tell(rank, activity, notes.told, time, message);
  };
  until(Activity::waiting, message.core_starts);
  until(Activity::transfer, message.waits_from.value_or(end));
  until(Activity::waiting, message.waits_to.value_or(end));
  until(Activity::transfer, end);
}

// Messages

void Recorder::launches(const Launch& launch, Seconds core_free) {
  const auto& message = launch.message;
  trace_.chain_bytes.resize(std::max<std::size_t>(trace_.chain_bytes.size(), message.chain + 1));
  trace_.chain_bytes[message.chain] += static_cast<double>(message.size.count);
  if (trace_.keep_messages)
    trace_.messages.push_back(message);
  if (messages_.size() <= launch.slot)
    messages_.resize(launch.slot + 1);
  if (connections_.size() <= launch.connection)
    connections_.resize(launch.connection + 1);
  auto& notes = messages_[launch.slot];
  auto stages = std::move(notes.stages); // keeps its memory
  stages.assign(chains_[message.chain].stages.size(), {});
  notes = {};
  static_cast<Launch&>(notes) = launch;
  notes.stages = std::move(stages);
  notes.since = network_.now();
  notes.core_starts = core_works(launch.owner, Activity::send, notes, core_free);
  notes.core_ends = core_free;
  auto& owner = ranks_[static_cast<std::size_t>(launch.owner)];
  notes.cause = owner.core;
  if (launch.resumes_owner)
    owner.cause = owner.core;
  now_slot_ = launch.slot;
}

void Recorder::core_sent(std::uint32_t slot) {
  auto& notes = messages_[slot];
  keep_span(notes, Phase::wait_for_sender, notes.since, notes.core_starts);
  keep_span(notes, Phase::sender_core, notes.core_starts, notes.core_ends);
  notes.since = notes.core_ends;
  now_ = notes.cause;
  now_slot_ = slot;
}

void Recorder::request_arrives(std::uint32_t slot) {
  auto& notes = messages_[slot];
  notes.waits_from = network_.now();
  phase_ends(notes, Phase::request);
}

// Its receive is posted now, or was posted when it arrived.
void Recorder::is_matched(std::uint32_t slot) {
  auto& notes = messages_[slot];
  notes.waits_to = network_.now();
  keep_span(notes, Phase::wait_for_match, notes.since, network_.now());
  notes.since = network_.now();
  notes.cause = now_;
}

void Recorder::payload_is_ready(std::uint32_t slot) {
  phase_ends(messages_[slot], Phase::prepare);
}

void Recorder::phase_ends(MessageNotes& notes, Phase phase) {
  const auto now = network_.now();
  keep_span(notes, phase, notes.since, now);
  notes.cause = add(piece_of(notes.message, phase, notes.since, now), notes.cause);
  notes.since = now;
  now_ = notes.cause;
}

// Its payload starts after a gap behind the last one of its connection, or of its sender.
void Recorder::leaves_queue(std::uint32_t slot, Seconds start) {
  auto& notes = messages_[slot];
  const auto& connection = connections_[notes.connection];
  if (start <= network_.now())
    notes.cause = now_;
  else if (connection.free_at >= start)
    notes.cause = add(piece_of(notes.message, Phase::queue, connection.since, start), connection.cause);
  else
    notes.cause = ranks_[static_cast<std::size_t>(notes.message.from)].gap;
}

void Recorder::payload_starts(std::uint32_t slot, Seconds next_payload) {
  auto& notes = messages_[slot];
  const auto now = network_.now();
  keep_span(notes, Phase::queue, notes.since, now);
  notes.since = now;
  now_ = notes.cause;
  auto& sender = ranks_[static_cast<std::size_t>(notes.message.from)];
  const bool has_gap = sender.next_payload > now;
  const auto gap_starts = has_gap ? sender.next_payload : now;
  sender.gap = add(piece_of(notes.message, Phase::queue, gap_starts, next_payload), has_gap ? sender.gap : now_);
  sender.next_payload = next_payload;
}

void Recorder::stage_starts(std::uint32_t slot, std::size_t stage) {
  auto& notes = messages_[slot].stages[stage];
  notes.cause = now_;
  notes.since = network_.now();
}

void Recorder::stage_phase_ends(std::uint32_t slot, std::size_t stage, Phase phase, std::size_t segment,
                                std::uint32_t piece, Bytes size) {
  auto& message = messages_[slot];
  auto& notes = message.stages[stage];
  const auto now = network_.now();
  keep_span(message, phase, notes.since, now, stage, segment, piece);
  auto passed = piece_of(message.message, phase, notes.since, now);
  passed.stage = static_cast<std::uint16_t>(stage);
  passed.segment = static_cast<std::uint16_t>(segment);
  passed.part = size;
  notes.cause = add(passed, notes.cause);
  notes.since = now;
  now_ = notes.cause;
  if (notes.flows)
    trace_.timeline->transfer_ends(segment_of(message, stage, segment), now);
  notes.flows = false;
}

void Recorder::flow_starts(std::uint32_t slot, std::size_t stage, std::size_t segment, Bytes size) {
  if (!trace_.timeline)
    return;
  auto& message = messages_[slot];
  message.stages[stage].flows = true;
  trace_.timeline->transfer_starts(segment_of(message, stage, segment), size, network_.now());
}

std::span<const std::size_t> Recorder::segment_of(const MessageNotes& notes, std::size_t stage,
                                                  std::size_t segment) const {
  return chains_[notes.message.chain].stages[stage].route.segment(segment);
}

void Recorder::payload_ends(std::uint32_t slot, Seconds connection_free) {
  auto& notes = messages_[slot];
  const auto now = network_.now();
  notes.since = now;
  notes.cause = now_;
  if (!notes.waits_from)
    notes.waits_from = notes.waits_to = now;
  now_slot_ = slot;
  connections_[notes.connection] = {now_, now, connection_free};
  if (!notes.is_remote)
    return;
  if (trace_.timeline) {
    const auto other = notes.owner == notes.message.from ? notes.message.to : notes.message.from;
    trace_.timeline->add({other, Activity::arrival, notes.owner, notes.number, notes.message.size, now, now});
  }
  forget_causes(notes);
}

void Recorder::core_receives(std::uint32_t slot, Seconds core_free) {
  auto& notes = messages_[slot];
  notes.core_starts_to_receive = core_works(notes.message.to, Activity::receive, notes, core_free);
  notes.cause = ranks_[static_cast<std::size_t>(notes.message.to)].core;
}

void Recorder::core_received(std::uint32_t slot) {
  auto& notes = messages_[slot];
  const auto now = network_.now();
  const auto last = notes.stages.size() - 1;
  keep_span(notes, Phase::wait_for_receiver, notes.since, notes.core_starts_to_receive, last);
  keep_span(notes, Phase::receiver_core, notes.core_starts_to_receive, now, last);
  now_ = notes.cause;
  now_slot_ = slot;
  forget_causes(notes);
}

// Nothing waits for the message any more.
void Recorder::forget_causes(MessageNotes& notes) {
  notes.cause = no_cause;
  for (auto& stage : notes.stages)
    stage.cause = no_cause;
}

void Recorder::finish() {
  const auto last = std::max_element(ranks_.begin(), ranks_.end(),
                                     [](const RankNotes& a, const RankNotes& b) { return a.end < b.end; });
  if (trace_.keep_path && last != ranks_.end())
    trace_.path = causes_.path_to(last->cause);
  if (trace_.timeline)
    trace_.timeline->finish();
}

} // namespace kakehashi
