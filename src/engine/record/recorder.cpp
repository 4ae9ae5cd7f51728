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

Recorder::Recorder(Recording& recording, const Network& network, const WayTable& ways, int ranks,
                   std::size_t most_causes)
    : recording_(recording), network_(network), ways_(ways),
      causes_([this](const auto& visit) { visit_roots(visit); }, most_causes), ranks_(static_cast<std::size_t>(ranks)) {
  recording_.ranks.resize(ranks_.size());
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
  for (const auto& aside : asides_)
    visit(aside.cause);
  for (const auto& message : messages_) {
    visit(message.cause);
    for (const auto& stage : message.stages)
      visit(stage.cause);
  }
}

Cause Recorder::add(const PathStep& step, Cause before) {
  return recording_.keep_path && step.end > step.start ? causes_.add(step, before) : before;
}

PathStep Recorder::step_of(const SentMessage& message, Phase phase, Seconds start, Seconds end) {
  const auto way = static_cast<std::uint32_t>(message.way);
  return {phase, 0, 0, message.from, message.to, way, message.size, message.size, start, end};
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
      share_of(recording_.ranks[static_cast<std::size_t>(rank)], work.activity) +=
          std::max(work.start, notes.end) - work.end;
}

void Recorder::computes(int rank, Seconds core_free) {
  MessageNotes none;
  none.message.from = none.message.to = rank;
  core_works(rank, Activity::compute, none, core_free);
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.cause = notes.core;
}

void Recorder::work_ends(int rank, Seconds core_free) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.cause = add({Phase::memory, 0, 0, rank, rank, 0, {}, {}, core_free, network_.now()}, notes.cause);
}

void Recorder::computes_aside(std::uint32_t slot) {
  if (asides_.size() <= slot)
    asides_.resize(slot + 1);
  asides_[slot] = {now_, network_.now()};
}

// The rank works as long as one of its cores does, whatever else it waits for.
void Recorder::aside_ends(std::uint32_t slot, int rank) {
  const auto now = network_.now();
  const auto& notes = ranks_[static_cast<std::size_t>(rank)];
  const auto& aside = asides_[slot];
  now_ = add({Phase::compute, 0, 0, rank, rank, 0, {}, {}, aside.start, now}, aside.cause);
  asides_[slot].cause = no_cause;
  if (!notes.ended && now > notes.told) {
    MessageNotes none;
    none.message.from = none.message.to = rank;
    tell(rank, Activity::compute, notes.told, now, none);
  }
}

// The core does more work, which begins now or when it has done what it does. Returns its begin.
Seconds Recorder::core_works(int rank, Activity activity, const MessageNotes& message, Seconds core_free) {
  constexpr std::array phases{Phase::compute, Phase::sender_core, Phase::receiver_core};
  const auto now = network_.now();
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  const bool is_busy = notes.core_free > now;
  const auto start = std::max(notes.core_free, now);
  tell_gap(rank, start, message);
  PathStep step{phases[static_cast<std::size_t>(activity)], 0, 0, rank, rank, 0, {}, {}, start, core_free};
  if (activity == Activity::receive)
    step.stage = static_cast<std::uint16_t>(message.stages.size() - 1);
  notes.core = add(step, is_busy ? notes.core : now_);
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
    share_of(recording_.ranks[static_cast<std::size_t>(rank)], activity) += end - start;
    notes.told = std::max(notes.told, end);
  }
  const bool has_arrow = activity == Activity::send || activity == Activity::receive;
  if (!recording_.timeline || (end <= start && !has_arrow))
    return;
  RankSlice slice{rank, activity, -1, message.number, message.message.size, start, end};
  if (activity != Activity::compute)
    slice.peer = message.message.from == rank ? message.message.to : message.message.from;
  recording_.timeline->add(slice);
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
  recording_.way_bytes.resize(std::max<std::size_t>(recording_.way_bytes.size(), message.way + 1));
  recording_.way_bytes[message.way] += static_cast<double>(message.size.count);
  if (recording_.traffic)
    recording_.traffic->add(message.from, message.to, message.size);
  if (messages_.size() <= launch.slot)
    messages_.resize(launch.slot + 1);
  if (connections_.size() <= launch.connection)
    connections_.resize(launch.connection + 1);
  auto& notes = messages_[launch.slot];
  auto stages = std::move(notes.stages); // keeps its memory
  stages.assign(ways_[message.way].stages.size(), {});
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
  notes.since = network_.now();
  notes.cause = now_;
}

void Recorder::payload_is_ready(std::uint32_t slot) {
  phase_ends(messages_[slot], Phase::prepare);
}

void Recorder::phase_ends(MessageNotes& notes, Phase phase) {
  const auto now = network_.now();
  notes.cause = add(step_of(notes.message, phase, notes.since, now), notes.cause);
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
    notes.cause = add(step_of(notes.message, Phase::queue, connection.since, start), connection.cause);
  else
    notes.cause = ranks_[static_cast<std::size_t>(notes.message.from)].gap;
}

void Recorder::payload_starts(std::uint32_t slot, Seconds next_payload) {
  auto& notes = messages_[slot];
  const auto now = network_.now();
  notes.since = now;
  now_ = notes.cause;
  auto& sender = ranks_[static_cast<std::size_t>(notes.message.from)];
  const bool has_gap = sender.next_payload > now;
  const auto gap_starts = has_gap ? sender.next_payload : now;
  sender.gap = add(step_of(notes.message, Phase::queue, gap_starts, next_payload), has_gap ? sender.gap : now_);
  sender.next_payload = next_payload;
}

void Recorder::stage_starts(std::uint32_t slot, std::size_t stage) {
  auto& notes = messages_[slot].stages[stage];
  notes.cause = now_;
  notes.since = network_.now();
}

void Recorder::stage_phase_ends(std::uint32_t slot, std::size_t stage, Phase phase, std::size_t leg, Bytes size) {
  auto& message = messages_[slot];
  auto& notes = message.stages[stage];
  const auto now = network_.now();
  auto passed = step_of(message.message, phase, notes.since, now);
  passed.stage = static_cast<std::uint16_t>(stage);
  passed.leg = static_cast<std::uint16_t>(leg);
  passed.part = size;
  notes.cause = add(passed, notes.cause);
  notes.since = now;
  now_ = notes.cause;
  if (notes.flows)
    recording_.timeline->transfer_ends(leg_of(message, stage, leg), now);
  notes.flows = false;
}

void Recorder::flow_starts(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes size) {
  if (!recording_.timeline)
    return;
  auto& message = messages_[slot];
  message.stages[stage].flows = true;
  recording_.timeline->transfer_starts(leg_of(message, stage, leg), size, network_.now());
}

std::span<const std::size_t> Recorder::leg_of(const MessageNotes& notes, std::size_t stage, std::size_t leg) const {
  return ways_[notes.message.way].stages[stage].route.leg(leg);
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
  if (recording_.timeline) {
    const auto other = notes.owner == notes.message.from ? notes.message.to : notes.message.from;
    recording_.timeline->add({other, Activity::arrival, notes.owner, notes.number, notes.message.size, now, now});
  }
  forget_causes(notes);
}

void Recorder::core_receives(std::uint32_t slot, Seconds core_free) {
  auto& notes = messages_[slot];
  core_works(notes.message.to, Activity::receive, notes, core_free);
  notes.core_ends = core_free;
  notes.cause = ranks_[static_cast<std::size_t>(notes.message.to)].core;
}

void Recorder::copy_ends(std::uint32_t slot) {
  auto& notes = messages_[slot];
  const auto now = network_.now();
  notes.cause = add(step_of(notes.message, Phase::memory, notes.core_ends, now), notes.cause);
  notes.core_ends = std::max(notes.core_ends, now);
  now_ = notes.cause;
  now_slot_ = slot;
}

void Recorder::core_received(std::uint32_t slot) {
  auto& notes = messages_[slot];
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
  if (recording_.keep_path && last != ranks_.end())
    recording_.path = causes_.path_to(last->cause);
  if (recording_.timeline)
    recording_.timeline->finish();
}

} // namespace kakehashi
