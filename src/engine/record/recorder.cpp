#include "engine/record/recorder.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <tuple>
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

Causes Recorder::causes_for(const Recording& recording, int ranks) {
  constexpr std::size_t of_a_message = 1 << 19; // more than the path of any one takes
  constexpr std::size_t few = 1 << 14;          // which caches hold
  constexpr std::size_t many = 1 << 21;
  constexpr std::size_t each = 2048; // leaves rows of each rank that are worth folding
  return recording.keep_steps ? Causes(of_a_message, of_a_message)
                              : Causes(few, std::min(many, few + each * static_cast<std::size_t>(ranks)));
}

Recorder::Recorder(Recording& recording, const Network& network, const WayTable& ways, int ranks, const Shift* shift,
                   Causes causes)
    : recording_(recording), network_(network), ways_(ways), shift_(shift), like_ways_(ways.channels()),
      causes_(std::move(causes)), ranks_(static_cast<std::size_t>(ranks)) {
  assert(!shift || !recording.timeline);
  recording_.ranks.resize(ranks_.size());
  if (recording_.traffic && shift)
    standing_traffic_ = recording_.traffic->of_first(ranks_.size());
}

// A core, a connection or a gap that is over is waited for by nothing.
template <typename Visit> void Recorder::visit_roots(const Visit& visit) {
  const auto visit_until = [&](Cause& cause, Seconds end) {
    if (end <= network_.now())
      cause = forgotten_cause;
    visit(cause);
  };
  visit(now_);
  for (auto& rank : ranks_) {
    visit(rank.cause);
    visit(rank.next);
    visit_until(rank.core, rank.core_free);
    visit_until(rank.gap, rank.next_payload);
  }
  for (auto& connection : connections_)
    visit_until(connection.cause, connection.free_at);
  for (auto& aside : asides_)
    visit(aside.cause);
  for (auto& message : messages_)
    visit(message.cause);
  for (auto& stages : further_stages_)
    for (auto& stage : stages)
      visit(stage.cause);
}

Cause Recorder::add(const PathSort& sort, Seconds start, Seconds end, Cause before) {
  if (!recording_.keep_path || end <= start)
    return before;
  if (causes_.is_full())
    forget_causes(before);
  return causes_.add(sort, clock_(end), before);
}

// But for those on which that one and what goes on depend.
void Recorder::forget_causes(Cause& before) {
  causes_.collect([&](const auto& visit) {
    visit(before);
    visit_roots(visit);
  });
}

Cause Recorder::add(Phase phase, const MessageNotes& message, Seconds start, Seconds end, Cause before) {
  return add({phase, 0, 0, message.from, message.to, message.way, message.size, message.size}, start, end, before);
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
  notes.cause = std::exchange(notes.next, forgotten_cause);
}

// What its core still does is not of the rank's time. The run hangs on the rank that ends last, the first one of those.
void Recorder::rank_ends(int rank) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.ended = true;
  notes.end = network_.now();
  recording_.ranks[static_cast<std::size_t>(rank)].overhead +=
      std::min(Seconds{}, clock_(notes.end) - clock_(notes.core_free));
  const bool is_last = !last_ || notes.end > ranks_[static_cast<std::size_t>(*last_)].end || rank < *last_;
  const auto other = is_last ? std::exchange(last_, rank) : rank;
  if (other)
    ranks_[static_cast<std::size_t>(*other)].cause = forgotten_cause;
}

void Recorder::rank_is_stuck(int rank) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  if (network_.now() > notes.accounted)
    tell(rank, Activity::waiting, notes.accounted, network_.now(), of_rank(rank));
  notes.cause = now_;
  rank_ends(rank);
}

void Recorder::computes(int rank, Seconds core_free) {
  core_works(rank, Activity::compute, of_rank(rank), core_free);
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.cause = notes.core;
}

void Recorder::work_loads(std::size_t memory, Bytes traffic) {
  add_bytes(std::span(&memory, 1), static_cast<double>(traffic.count));
}

void Recorder::work_ends(int rank, Seconds core_free) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.cause = add(Phase::memory, rank, core_free, network_.now(), notes.cause);
}

void Recorder::computes_aside(std::uint32_t slot, int rank) {
  ++ranks_[static_cast<std::size_t>(rank)].asides;
  if (asides_.size() <= slot)
    asides_.resize(slot + 1);
  asides_[slot] = {now_, network_.now()};
}

// The rank works as long as one of its cores does, whatever else it waits for.
void Recorder::aside_ends(std::uint32_t slot, int rank) {
  const auto now = network_.now();
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  --notes.asides;
  auto& aside = asides_[slot];
  now_ = add(Phase::compute, rank, aside.start, now, std::exchange(aside.cause, forgotten_cause));
  if (!notes.ended && now > notes.accounted)
    tell(rank, Activity::compute, notes.accounted, now, of_rank(rank));
}

// The core does more work, which begins now or when it has done what it does. Returns its begin.
Seconds Recorder::core_works(int rank, Activity activity, const MessageNotes& message, Seconds core_free,
                             std::size_t stage) {
  constexpr std::array phases{Phase::compute, Phase::sender_core, Phase::receiver_core};
  const auto now = network_.now();
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  const auto start = std::max(notes.core_free, now);
  tell_gap(rank, start, message);
  notes.core =
      add({phases[static_cast<std::size_t>(activity)], static_cast<std::uint16_t>(stage), 0, rank, rank, 0, {}, {}},
          start, core_free, notes.core_free > now ? notes.core : now_);
  notes.core_free = core_free;
  tell(rank, activity, start, core_free, message);
  return start;
}

// Accounts for all of a rank's time up to its end.
void Recorder::tell(int rank, Activity activity, Seconds start, Seconds end, const MessageNotes& message) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  if (!notes.ended) {
    share_of(recording_.ranks[static_cast<std::size_t>(rank)], activity) += clock_(end) - clock_(start);
    notes.accounted = std::max(notes.accounted, end);
  }
  const bool has_arrow = activity == Activity::send || activity == Activity::receive;
  if (!recording_.timeline || (end <= start && !has_arrow))
    return;
  RankSlice slice{rank, activity, -1, message.number, message.size, start, end};
  if (activity != Activity::compute)
    slice.peer = message.from == rank ? message.to : message.from;
  recording_.timeline->add(slice);
}

// Until now the rank had nothing to do but wait for the message that comes on now, unless another core of it worked.
void Recorder::tell_gap(int rank, Seconds end, const MessageNotes& message) {
  const auto& notes = ranks_[static_cast<std::size_t>(rank)];
  if (notes.ended)
    return;
  const auto until = [&](Activity activity, Seconds time) {
    time = std::min(time, end);
    if (time > notes.accounted)
      tell(rank, activity, notes.accounted, time, message);
  };
  if (notes.asides > 0)
    until(Activity::compute, end);
  until(Activity::waiting, message.core_starts);
  until(Activity::transfer, message.waits_from);
  until(Activity::waiting, message.waits_to);
  until(Activity::transfer, end);
}

// Messages

void Recorder::launches(const Launch& launch, Seconds core_free) {
  const auto& message = launch.message;
  const auto times = ranks_[static_cast<std::size_t>(launch.owner)].stands_for;
  if (first_bytes_.size() <= message.way)
    learn_ways(message.way + 1);
  if (auto& traffic = shift_ ? standing_traffic_ : recording_.traffic)
    traffic->add(message.from, message.to, {times * static_cast<double>(message.size.count), times});
  if (messages_.size() <= launch.slot)
    messages_.resize(launch.slot + 1);
  if (stand_for_.size() <= launch.slot)
    stand_for_.resize(launch.slot + 1);
  stand_for_[launch.slot] = times;
  if (connections_.size() <= launch.connection)
    connections_.resize(launch.connection + 1);
  if (launch.stages > 1) {
    further_stages_.resize(std::max<std::size_t>(further_stages_.size(), launch.slot + 1));
    further_stages_[launch.slot].assign(launch.stages - 1, {});
  }
  auto& notes = messages_[launch.slot];
  notes = {};
  notes.number = launch.number;
  notes.connection = launch.connection;
  notes.from = message.from;
  notes.to = message.to;
  notes.way = static_cast<std::uint32_t>(message.way);
  notes.size = message.size;
  notes.core_starts = core_works(launch.owner, Activity::send, notes, core_free);
  auto& owner = ranks_[static_cast<std::size_t>(launch.owner)];
  notes.cause = owner.core;
  notes.since = core_free;
  if (launch.resumes_owner)
    owner.cause = owner.core;
  now_slot_ = launch.slot;
}

void Recorder::learn_ways(std::size_t count) {
  for (auto way = static_cast<std::uint32_t>(first_bytes_.size()); way < count; ++way) {
    if (recording_.keep_path)
      causes_.knows(way, like_ways_.first_like(way, ways_[way]));
    first_bytes_.push_back(way_bytes_.size());
    way_bytes_.resize(way_bytes_.size() + ways_[way].stages.size());
  }
}

void Recorder::add_transfer(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes bytes, bool loads_memory) {
  auto& sum = way_bytes_[first_bytes_[messages_[slot].way] + stage];
  if (leg == 0) // all legs carry the same
    (loads_memory ? sum.loading : sum.plain) += stand_for_[slot] * static_cast<double>(bytes.count);
  if (recording_.timeline)
    recording_.timeline->transfer_starts(channels_of(slot, stage, leg, loads_memory), bytes, network_.now());
}

void Recorder::end_transfer(std::uint32_t slot, std::size_t stage, std::size_t leg, bool loads_memory) {
  if (recording_.timeline)
    recording_.timeline->transfer_ends(channels_of(slot, stage, leg, loads_memory), network_.now());
}

void Recorder::core_sent(std::uint32_t slot) {
  now_ = messages_[slot].cause;
  now_slot_ = slot;
}

void Recorder::request_arrives(std::uint32_t slot) {
  messages_[slot].waits_from = network_.now();
  phase_ends(slot, Phase::request);
}

// Its receive is posted now, or was posted when it arrived.
void Recorder::is_matched(std::uint32_t slot) {
  auto& notes = messages_[slot];
  notes.waits_to = notes.since = network_.now();
  notes.cause = now_;
}

void Recorder::payload_is_ready(std::uint32_t slot) {
  phase_ends(slot, Phase::prepare);
}

void Recorder::phase_ends(std::uint32_t slot, Phase phase) {
  auto& notes = messages_[slot];
  now_ = notes.cause = add(phase, notes, notes.since, network_.now(), notes.cause);
  notes.since = network_.now();
}

// Its payload starts after a gap behind the last one of its connection, or of its sender.
void Recorder::leaves_queue(std::uint32_t slot, Seconds start) {
  auto& notes = messages_[slot];
  const auto& connection = connections_[notes.connection];
  if (start <= network_.now())
    notes.cause = now_;
  else if (connection.free_at >= start)
    notes.cause = add(Phase::queue, notes, network_.now(), start, connection.cause);
  else
    notes.cause = ranks_[static_cast<std::size_t>(notes.from)].gap;
}

void Recorder::payload_starts(std::uint32_t slot, Seconds next_payload) {
  auto& notes = messages_[slot];
  const auto now = network_.now();
  notes.since = now;
  now_ = notes.cause;
  if (next_payload <= now)
    return;
  auto& sender = ranks_[static_cast<std::size_t>(notes.from)];
  sender.gap = add(Phase::queue, notes, std::max(sender.next_payload, now), next_payload,
                   sender.next_payload > now ? sender.gap : now_);
  sender.next_payload = next_payload;
}

void Recorder::stage_starts(std::uint32_t slot, std::size_t stage) {
  auto& message = messages_[slot];
  if (stage > 0)
    further_stages_[slot][stage - 1] = {now_, network_.now()};
  else
    std::tie(message.cause, message.since) = std::pair(now_, network_.now());
}

void Recorder::stage_works(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes piece) {
  stage_phase_ends(slot, stage, Phase::stage_work, leg, piece);
}

void Recorder::flow_starts(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes bytes, bool loads_memory) {
  add_transfer(slot, stage, leg, bytes, loads_memory);
}

void Recorder::flow_ends(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes piece, bool loads_memory) {
  stage_phase_ends(slot, stage, Phase::flow, leg, piece);
  end_transfer(slot, stage, leg, loads_memory);
}

void Recorder::stage_phase_ends(std::uint32_t slot, std::size_t stage, Phase phase, std::size_t leg, Bytes piece) {
  auto& message = messages_[slot];
  auto& cause = stage == 0 ? message.cause : further_stages_[slot][stage - 1].cause;
  auto& since = stage == 0 ? message.since : further_stages_[slot][stage - 1].since;
  now_ = cause = add({phase, static_cast<std::uint16_t>(stage), static_cast<std::uint16_t>(leg), message.from,
                      message.to, message.way, message.size, piece},
                     since, network_.now(), cause);
  since = network_.now();
}

std::vector<std::size_t> Recorder::channels_of(std::uint32_t slot, std::size_t stage, std::size_t leg,
                                               bool loads_memory) const {
  return kakehashi::channels_of(ways_[messages_[slot].way].stages[stage], leg, loads_memory, ways_.platform());
}

void Recorder::payload_ends(std::uint32_t slot, Seconds connection_free, std::optional<int> remote_owner) {
  auto& notes = messages_[slot];
  const auto now = network_.now();
  notes.cause = now_;
  notes.since = now;
  if (notes.waits_from == never)
    notes.waits_from = notes.waits_to = now;
  now_slot_ = slot;
  connections_[notes.connection] = {now_, connection_free};
  if (!remote_owner)
    return;
  if (recording_.timeline) {
    const auto other = *remote_owner == notes.from ? notes.to : notes.from;
    recording_.timeline->add({other, Activity::arrival, *remote_owner, notes.number, notes.size, now, now});
  }
  forget(slot);
}

void Recorder::core_receives(std::uint32_t slot, int rank, std::size_t stage, Seconds core_free) {
  auto& notes = messages_[slot];
  core_works(rank, Activity::receive, notes, core_free, stage);
  notes.cause = ranks_[static_cast<std::size_t>(rank)].core;
  notes.since = core_free;
}

void Recorder::copy_starts(std::uint32_t slot, Bytes bytes, bool loads_memory) {
  add_transfer(slot, 0, 0, bytes, loads_memory);
}

void Recorder::copy_ends(std::uint32_t slot, bool loads_memory) {
  end_transfer(slot, 0, 0, loads_memory);
  phase_ends(slot, Phase::memory);
  now_slot_ = slot;
}

void Recorder::core_received(std::uint32_t slot) {
  now_ = messages_[slot].cause;
  now_slot_ = slot;
  forget(slot);
}

// Nothing waits for the message any more.
void Recorder::forget(std::uint32_t slot) {
  messages_[slot].cause = forgotten_cause;
  if (slot < further_stages_.size())
    further_stages_[slot].clear();
}

void Recorder::finish() {
  if (recording_.keep_path && last_)
    recording_.path = causes_.path_to(ranks_[static_cast<std::size_t>(*last_)].cause);
  if (recording_.timeline)
    recording_.timeline->finish();
  add_channel_bytes();
  if (shift_)
    add_images();
}

void Recorder::add_bytes(std::span<const std::size_t> channels, double each) {
  auto& bytes = recording_.channel_bytes;
  for (const auto channel : channels) {
    const auto counts_at = shift_ ? shift_->channel(channel) : channel;
    if (bytes.size() <= counts_at)
      bytes.resize(counts_at + 1);
    bytes[counts_at] += each;
  }
}

void Recorder::add_channel_bytes() {
  for (std::size_t way = 0; way < first_bytes_.size(); ++way)
    for (std::size_t stage = 0; stage < ways_[way].stages.size(); ++stage) {
      const auto& path = ways_[way].stages[stage];
      const auto& carried = way_bytes_[first_bytes_[way] + stage];
      for (std::size_t leg = 0; leg < path.route.legs(); ++leg) {
        add_bytes(kakehashi::channels_of(path, leg, false, ways_.platform()), carried.plain);
        add_bytes(kakehashi::channels_of(path, leg, true, ways_.platform()), carried.loading);
      }
    }
}

// Adds the times of ranks for which others stand, and the bytes on their channels.
void Recorder::add_images() {
  recording_.standing_ranks = ranks_.size();
  for (int rank = shift_->ranks; rank < shift_->of; ++rank)
    recording_.ranks.push_back(recording_.ranks[static_cast<std::size_t>(shift_->home(rank))]);
  auto& bytes = recording_.channel_bytes;
  bytes.resize(std::max(bytes.size(), shift_->channels.size()));
  for (std::size_t channel = 0; channel < bytes.size(); ++channel)
    bytes[channel] = bytes[shift_->channel(channel)];
  if (!standing_traffic_)
    return;
  for (const auto& [from, to, field] : standing_traffic_->pairs())
    for (int image = 0; image < shift_->images; ++image)
      recording_.traffic->add(shift_->image(standing_traffic_->first_of(from), image),
                              shift_->image(standing_traffic_->first_of(to), image), field);
}

} // namespace kakehashi
