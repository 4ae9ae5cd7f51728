#include "engine/record/recorder.hpp"

#include <algorithm>
#include <array>
#include <cassert>
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
    : recording_(recording), network_(network), ways_(ways), shift_(shift), channel_bytes_(ways, shift),
      like_ways_(ways.channels()), causes_(std::move(causes)), ranks_(static_cast<std::size_t>(ranks)) {
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
  visit(latest_);
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
  for (auto& worker : workers_)
    visit_until(worker.cause, worker.free_at);
  for (auto& message : messages_)
    visit(message.cause);
  for (auto& stages : further_stages_)
    for (auto& stage : stages)
      visit(stage.cause);
}

Cause Recorder::add(const PathSort& sort, Seconds start, Seconds end, Cause before) {
  if (!recording_.keep_path || end <= start)
    return before;
  return causes_.add(sort, clock_(end), before, clock_.times_at(end));
}

// Keeps the causes on which something that still goes on depends.
void Recorder::forget_causes() {
  causes_.collect([&](const auto& visit) { visit_roots(visit); });
}

Cause Recorder::add(Phase phase, const MessageNotes& message, Seconds start, Seconds end, Cause before) {
  const auto slot = static_cast<std::uint32_t>(&message - messages_.data());
  return add({phase, 0, 0, message.from, message.to, message.way, message.size, message.size, place_of(slot)}, start,
             end, before);
}

// Ranks

Occasion Recorder::rank_resumes(int rank) {
  return ended(ranks_[static_cast<std::size_t>(rank)].cause, Occasion::no_message);
}

void Recorder::rank_is_at(int rank, std::uint32_t place) {
  ranks_[static_cast<std::size_t>(rank)].place = place;
  if (place >= recording_.places.size() && place > 0)
    recording_.places.resize(place + 1);
}

void Recorder::rank_can_go_on(int rank, Seconds at, bool is_last, Occasion why) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  if (at >= notes.goes_on) {
    notes.goes_on = at;
    notes.next = why.cause;
  }
  if (!is_last)
    return;
  tell_gap(rank, network_.now(), why.message == Occasion::no_message ? MessageNotes{} : messages_[why.message]);
  notes.cause = std::exchange(notes.next, forgotten_cause);
}

// Work that its core still does is no part of the rank's time. The critical path ends with the rank that ends last, or
// with the first of several.
void Recorder::rank_ends(int rank) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.ended = true;
  notes.end = network_.now();
  account(rank, Activity::send, std::min(Seconds{}, clock_(notes.end) - clock_(notes.core_free)));
  const bool is_last = !last_ || notes.end > ranks_[static_cast<std::size_t>(*last_)].end || rank < *last_;
  const auto other = is_last ? std::exchange(last_, rank) : rank;
  if (other)
    ranks_[static_cast<std::size_t>(*other)].cause = forgotten_cause;
}

void Recorder::rank_is_stuck(int rank) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  if (network_.now() > notes.accounted)
    tell(rank, Activity::waiting, notes.accounted, network_.now(), of_rank(rank));
  notes.cause = latest_;
  rank_ends(rank);
}

void Recorder::computes(int rank, Seconds core_free, Occasion why) {
  ranks_[static_cast<std::size_t>(rank)].cause = works(rank, Activity::compute, of_rank(rank), core_free, why).cause;
}

void Recorder::work_loads(int rank, std::span<const std::size_t> channels, Bytes traffic) {
  const auto times = ranks_[static_cast<std::size_t>(rank)].stands_for;
  channel_bytes_.add(channels, times * static_cast<double>(traffic.count));
}

void Recorder::host_copy_ends(int rank, Seconds start) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.cause = add(Phase::host_copy, rank, start, network_.now(), notes.cause);
  tell(rank, Activity::transfer, start, network_.now(), of_rank(rank));
}

void Recorder::work_ends(int rank, Seconds core_free) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  notes.cause = add(Phase::memory, rank, core_free, network_.now(), notes.cause);
}

void Recorder::computes_aside(std::uint32_t slot, int rank, Occasion why) {
  ++ranks_[static_cast<std::size_t>(rank)].asides;
  note_aside(slot, {why.cause, network_.now(), Phase::compute});
}

// Until now the rank waited for the others, if it had nothing else to do.
void Recorder::joins(std::uint32_t slot, int rank, Occasion why) {
  auto waited = of_rank(rank);
  waited.core_starts = network_.now();
  tell_gap(rank, network_.now(), waited);
  note_aside(slot, {why.cause, network_.now(), Phase::joint});
}

void Recorder::note_aside(std::uint32_t slot, AsideNotes notes) {
  if (asides_.size() <= slot)
    asides_.resize(slot + 1);
  asides_[slot] = notes;
}

// The rank works as long as one of its cores does, whatever else it waits for.
Occasion Recorder::aside_ends(std::uint32_t slot, int rank) {
  const auto now = network_.now();
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  auto& aside = asides_[slot];
  if (aside.phase == Phase::compute) {
    --notes.asides;
    if (!notes.ended && now > notes.accounted)
      tell(rank, Activity::compute, notes.accounted, now, of_rank(rank));
  }
  return ended(add(aside.phase, rank, aside.start, now, std::exchange(aside.cause, forgotten_cause)),
               Occasion::no_message);
}

// The worker does more, which begins now or when it has done what it does. The rank's time is that of its core.
Recorder::Work Recorder::works(int rank, Activity activity, const MessageNotes& message, Seconds free_at, Occasion why,
                               std::uint32_t worker, std::size_t stage) {
  constexpr std::array phases{Phase::compute, Phase::sender_core, Phase::receiver_core};
  const auto now = network_.now();
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  const bool is_core = worker == core_worker;
  if (!is_core && workers_.size() <= worker)
    workers_.resize(worker + 1);
  auto& last = is_core ? notes.core : workers_[worker].cause;
  auto& last_end = is_core ? notes.core_free : workers_[worker].free_at;
  const auto start = std::max(last_end, now);
  if (is_core)
    tell_gap(rank, start, message);
  last = add({phases[static_cast<std::size_t>(activity)],
              static_cast<std::uint16_t>(stage),
              0,
              rank,
              rank,
              0,
              {},
              {},
              notes.place},
             start, free_at, last_end > now ? last : why.cause);
  last_end = free_at;
  if (is_core)
    tell(rank, activity, start, free_at, message);
  return {start, last};
}

void Recorder::account(int rank, Activity activity, Seconds time) {
  share_of(recording_.ranks[static_cast<std::size_t>(rank)], activity) += time;
  if (const auto place = ranks_[static_cast<std::size_t>(rank)].place; place > 0)
    share_of(recording_.places[place], activity) += time;
}

// Accounts for all of a rank's time up to its end.
void Recorder::tell(int rank, Activity activity, Seconds start, Seconds end, const MessageNotes& message) {
  auto& notes = ranks_[static_cast<std::size_t>(rank)];
  if (!notes.ended) {
    account(rank, activity, clock_(end) - clock_(start));
    notes.accounted = std::max(notes.accounted, end);
  }
  const bool has_arrow = activity == Activity::send || activity == Activity::receive;
  if (!recording_.timeline || (end <= start && !has_arrow))
    return;
  RankSlice slice{rank, activity, -1, message.number, message.size, start, end, notes.place};
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

void Recorder::finish() {
  if (recording_.keep_path && last_)
    recording_.path = causes_.path_to(ranks_[static_cast<std::size_t>(*last_)].cause);
  if (recording_.timeline)
    recording_.timeline->finish();
  recording_.channel_bytes = channel_bytes_.total();
  if (shift_)
    add_images();
}

// Adds the times of ranks for which others stand, and what these sent.
void Recorder::add_images() {
  recording_.standing_ranks = ranks_.size();
  for (int rank = shift_->ranks; rank < shift_->of; ++rank)
    recording_.ranks.push_back(recording_.ranks[static_cast<std::size_t>(shift_->home(rank))]);
  if (!standing_traffic_)
    return;
  for (const auto& [from, to, field] : standing_traffic_->pairs())
    for (int image = 0; image < shift_->images; ++image)
      recording_.traffic->add(shift_->image(standing_traffic_->first_of(from), image),
                              shift_->image(standing_traffic_->first_of(to), image), field);
}

} // namespace kakehashi
