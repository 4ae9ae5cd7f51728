// How the recorder follows a message through its phases.
#include "engine/record/recorder.hpp"

#include "transport/path.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace kakehashi {

Occasion Recorder::launches(const Launch& launch, Seconds core_free, Occasion why) {
  const auto& message = launch.message;
  const auto times = ranks_[static_cast<std::size_t>(launch.owner)].stands_for;
  if (known_ways_ <= message.way)
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
  if (const auto place = ranks_[static_cast<std::size_t>(launch.owner)].place; place > 0) {
    message_places_.resize(std::max<std::size_t>(message_places_.size(), launch.slot + 1));
    message_places_[launch.slot] = place;
  }
  auto& notes = messages_[launch.slot];
  notes = {};
  notes.number = launch.number;
  notes.connection = launch.connection;
  notes.from = message.from;
  notes.to = message.to;
  notes.way = static_cast<std::uint32_t>(message.way);
  notes.size = message.size;
  tell_watcher(EventCategory::message, "begins", launch.slot, notes.size);
  const auto work = works(launch.owner, Activity::send, notes, core_free, why, launch.worker);
  notes.core_starts = work.start;
  notes.cause = work.cause;
  notes.since = core_free;
  if (launch.resumes_owner && launch.worker == core_worker)
    ranks_[static_cast<std::size_t>(launch.owner)].cause = work.cause;
  return {work.cause, launch.slot};
}

void Recorder::learn_ways(std::size_t count) {
  channel_bytes_.learn_ways(count);
  for (auto way = static_cast<std::uint32_t>(std::exchange(known_ways_, count)); recording_.keep_path && way < count;
       ++way)
    causes_.knows(way, like_ways_.first_like(way, ways_[way]));
}

void Recorder::add_transfer(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes bytes, Loads loads) {
  if (leg == 0) // all legs carry the same
    channel_bytes_.add_flow(messages_[slot].way, stage, stand_for_[slot] * static_cast<double>(bytes.count), loads);
  if (recording_.timeline)
    recording_.timeline->transfer_starts(channels_of(slot, stage, leg, loads), bytes, network_.now());
}

void Recorder::end_transfer(std::uint32_t slot, std::size_t stage, std::size_t leg, Loads loads) {
  if (recording_.timeline)
    recording_.timeline->transfer_ends(channels_of(slot, stage, leg, loads), network_.now());
}

Occasion Recorder::request_arrives(std::uint32_t slot) {
  messages_[slot].waits_from = network_.now();
  tell_watcher(EventCategory::match, "request arrives", slot, messages_[slot].size);
  return phase_ends(slot, Phase::request);
}

// Its receive is posted now, or was posted when it arrived.
void Recorder::is_matched(std::uint32_t slot, Occasion why) {
  auto& notes = messages_[slot];
  notes.waits_to = notes.since = network_.now();
  tell_watcher(EventCategory::match, "is matched", slot, notes.size);
  notes.cause = why.cause;
}

Occasion Recorder::payload_is_ready(std::uint32_t slot) {
  return phase_ends(slot, Phase::prepare);
}

Occasion Recorder::phase_ends(std::uint32_t slot, Phase phase) {
  auto& notes = messages_[slot];
  notes.cause = add(phase, notes, notes.since, network_.now(), notes.cause);
  notes.since = network_.now();
  return ended(notes.cause, slot);
}

// Its payload starts after a gap behind the last one of its connection, or of its sender.
void Recorder::leaves_queue(std::uint32_t slot, Seconds start, Seconds next_payload, Occasion why) {
  auto& notes = messages_[slot];
  auto& sender = ranks_[static_cast<std::size_t>(notes.from)];
  const auto& connection = connections_[notes.connection];
  if (start <= network_.now())
    notes.cause = why.cause;
  else if (connection.free_at >= start)
    notes.cause = add(Phase::queue, notes, network_.now(), start, connection.cause);
  else
    notes.cause = sender.gap;
  const auto begin = std::max(start, network_.now());
  if (next_payload <= begin)
    return;
  sender.gap = add(Phase::queue, notes, begin, next_payload, notes.cause);
  sender.next_payload = next_payload;
}

Occasion Recorder::payload_starts(std::uint32_t slot) {
  auto& notes = messages_[slot];
  notes.since = network_.now();
  tell_watcher(EventCategory::message, "payload starts", slot, notes.size);
  return ended(notes.cause, slot);
}

void Recorder::stage_starts(std::uint32_t slot, std::size_t stage, Occasion why) {
  auto& message = messages_[slot];
  if (stage > 0)
    further_stages_[slot][stage - 1] = {why.cause, network_.now()};
  else
    std::tie(message.cause, message.since) = std::pair(why.cause, network_.now());
}

Occasion Recorder::stage_works(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes piece) {
  return stage_phase_ends(slot, stage, Phase::stage_work, leg, piece);
}

void Recorder::flow_starts(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes bytes, Loads loads) {
  tell_watcher(EventCategory::flow, "starts", slot, bytes, stage, leg);
  add_transfer(slot, stage, leg, bytes, loads);
}

Occasion Recorder::flow_ends(std::uint32_t slot, std::size_t stage, std::size_t leg, Bytes piece, Loads loads) {
  tell_watcher(EventCategory::flow, "ends", slot, piece, stage, leg);
  end_transfer(slot, stage, leg, loads);
  return stage_phase_ends(slot, stage, Phase::flow, leg, piece);
}

Occasion Recorder::stage_phase_ends(std::uint32_t slot, std::size_t stage, Phase phase, std::size_t leg, Bytes piece) {
  auto& message = messages_[slot];
  auto& cause = stage == 0 ? message.cause : further_stages_[slot][stage - 1].cause;
  auto& since = stage == 0 ? message.since : further_stages_[slot][stage - 1].since;
  cause = add({phase, static_cast<std::uint16_t>(stage), static_cast<std::uint16_t>(leg), message.from, message.to,
               message.way, message.size, piece, place_of(slot)},
              since, network_.now(), cause);
  since = network_.now();
  return ended(cause, slot);
}

std::vector<std::size_t> Recorder::channels_of(std::uint32_t slot, std::size_t stage, std::size_t leg,
                                               Loads loads) const {
  return kakehashi::channels_of(ways_[messages_[slot].way].stages[stage], leg, loads, ways_.platform());
}

void Recorder::payload_ends(std::uint32_t slot, Seconds connection_free, std::optional<int> remote_owner,
                            Occasion why) {
  auto& notes = messages_[slot];
  const auto now = network_.now();
  tell_watcher(EventCategory::message, "payload ends", slot, notes.size);
  notes.cause = why.cause;
  notes.since = now;
  if (notes.waits_from == never)
    notes.waits_from = notes.waits_to = now;
  connections_[notes.connection] = {why.cause, connection_free};
  if (!remote_owner)
    return;
  if (recording_.timeline) {
    const auto other = *remote_owner == notes.from ? notes.to : notes.from;
    recording_.timeline->add({other, Activity::arrival, *remote_owner, notes.number, notes.size, now, now});
  }
  forget(slot);
}

void Recorder::core_receives(std::uint32_t slot, int rank, std::size_t stage, Seconds free_at, Occasion why,
                             std::uint32_t worker) {
  auto& notes = messages_[slot];
  notes.cause = works(rank, Activity::receive, notes, free_at, why, worker, stage).cause;
  notes.since = free_at;
}

void Recorder::copy_starts(std::uint32_t slot, Bytes bytes, Loads loads) {
  tell_watcher(EventCategory::flow, "copy starts", slot, bytes);
  add_transfer(slot, 0, 0, bytes, loads);
}

Occasion Recorder::copy_ends(std::uint32_t slot, Loads loads) {
  tell_watcher(EventCategory::flow, "copy ends", slot, messages_[slot].size);
  end_transfer(slot, 0, 0, loads);
  return phase_ends(slot, Phase::memory);
}

Occasion Recorder::core_received(std::uint32_t slot) {
  tell_watcher(EventCategory::message, "is received", slot, messages_[slot].size);
  const auto received = ended(messages_[slot].cause, slot);
  forget(slot);
  return received;
}

// Nothing waits for the message any more.
void Recorder::forget(std::uint32_t slot) {
  messages_[slot].cause = forgotten_cause;
  if (slot < further_stages_.size())
    further_stages_[slot].clear();
}

void ChannelBytes::learn_ways(std::size_t count) {
  for (auto way = first_.size(); way < count; ++way) {
    first_.push_back(flows_.size());
    flows_.resize(flows_.size() + ways_[way].stages.size());
  }
}

void ChannelBytes::add(std::span<const std::size_t> channels, double each, std::vector<double>& bytes) const {
  for (const auto channel : channels) {
    const auto counts_at = shift_ ? shift_->channel(channel) : channel;
    if (bytes.size() <= counts_at)
      bytes.resize(counts_at + 1);
    bytes[counts_at] += each;
  }
}

std::vector<double> ChannelBytes::total() const {
  auto bytes = loads_;
  for (std::size_t way = 0; way < first_.size(); ++way)
    for (std::size_t stage = 0; stage < ways_[way].stages.size(); ++stage) {
      const auto& path = ways_[way].stages[stage];
      const auto& flow = flows_[first_[way] + stage];
      for (std::size_t leg = 0; leg < path.route.legs(); ++leg) {
        for (const Loads loads : {Loads{}, Loads{true, false}, Loads{false, true}, Loads{true, true}})
          if (flow[loads.number()] > 0 || !loads.domains)
            add(channels_of(path, leg, loads, ways_.platform()), flow[loads.number()], bytes);
      }
    }
  if (!shift_)
    return bytes;
  bytes.resize(std::max(bytes.size(), shift_->channels.size()));
  for (std::size_t channel = 0; channel < bytes.size(); ++channel)
    bytes[channel] = bytes[shift_->channel(channel)];
  return bytes;
}

} // namespace kakehashi
