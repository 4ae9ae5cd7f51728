#include "engine/mpi/simulation.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::uint32_t no_set = ~std::uint32_t{0};

// The lane whose place is not that of the rank.
LaneNumber far_lane(const CopyOperation& copy) {
  return copy.from == own_lane ? copy.to : copy.from;
}

} // namespace

RankWork::RankWork(const Setting& setting, Agenda& agenda, RankTable& ranks, ChannelSets& sets)
    : setting_(setting), network_(setting.network), recorder_(setting.recorder), agenda_(agenda), ranks_(ranks),
      sets_(sets), work_ends_(ranks.all().size()), memories_(setting.ways.devices(), no_set) {}

std::optional<int> RankWork::handle(Event event) {
  const auto rank = static_cast<int>(event.id);
  switch (event.kind) {
  case work_done: return has_ended(rank) ? std::optional(rank) : std::nullopt;
  case host_copy_flows: flow_copy(rank); return std::nullopt;
  case host_copy_done: end_copy(rank); return rank;
  default: end_aside(event.id); return std::nullopt;
  }
}

void RankWork::compute(int id, const ComputeOperation& work, Occasion why) {
  const auto worker = setting_.ways.lanes()[work.lane].worker;
  const bool is_on_device = worker == LaneWorker::device;
  if (worker == LaneWorker::core || (is_on_device && work.blocking)) // the core waits for the device
    compute_on_core(id, work, why);
  else if (is_on_device)
    agenda_.add({}, rank_resumes, static_cast<std::uint32_t>(id));
  else
    compute_aside(id, work, why);
}

void RankWork::compute_on_core(int id, const ComputeOperation& work, Occasion why) {
  auto& rank = ranks_[id];
  const auto number = static_cast<std::uint32_t>(id);
  const auto until = ranks_.occupy(rank, own_lane, work.time, work.in_call).until;
  if (!work.in_call)
    rank.worked += work.time;
  if (recorder_)
    recorder_->computes(id, until, why);
  const double share = ranks_.load_of(rank, work.traffic, work.lane);
  const auto traffic = Bytes{static_cast<std::uint64_t>(share * static_cast<double>(work.traffic.count))};
  if (traffic.count == 0 || work.time.value <= 0)
    return agenda_.add(until - network_.now(), rank_resumes, number);
  auto& memory = memories_[setting_.ways.slot(id, work.lane)];
  const auto channel = setting_.ways.memory_of(id, work.lane);
  if (memory == no_set)
    memory = sets_.of_memory(channel);
  if (recorder_)
    recorder_->work_loads(id, std::span(&channel, 1), traffic);
  work_ends_[number] = until;
  network_.transfer(memory, traffic, traffic / work.time, {work_done, number});
}

// The traffic has flowed; the core may take longer.
bool RankWork::has_ended(int id) {
  const auto number = static_cast<std::uint32_t>(id);
  const auto ends = work_ends_[number];
  if (network_.now() + blur < ends) {
    agenda_.add(ends - network_.now(), work_done, number);
    return false;
  }
  if (recorder_)
    recorder_->work_ends(id, ends);
  return true;
}

// Adds a request for something that goes on beside the rank.
std::uint32_t RankWork::take_aside(int id, bool is_awaited) {
  if (free_asides_.empty()) {
    free_asides_.push_back(static_cast<std::uint32_t>(asides_.size()));
    asides_.emplace_back();
  }
  const auto slot = free_asides_.back();
  free_asides_.pop_back();
  asides_[slot] = {id, ranks_.add_request(ranks_[id], is_awaited)};
  return slot;
}

void RankWork::compute_aside(int id, const ComputeOperation& work, Occasion why) {
  const auto slot = take_aside(id, work.blocking);
  auto& rank = ranks_[id];
  if (recorder_)
    recorder_->computes_aside(slot, id, why);
  const auto until = ranks_.has_own_worker(work.lane) ? ranks_.occupy(rank, work.lane, work.time, work.in_call).until
                                                      : network_.on_tick(network_.now() + work.time);
  agenda_.add(until - network_.now(), aside_done, slot);
  if (!work.blocking)
    agenda_.add({}, rank_resumes, static_cast<std::uint32_t>(id));
}

void RankWork::join(int id, const JointOperation& joint, Occasion why) {
  auto& calls = joints_[joint.call];
  auto open = std::ranges::find_if(calls, [&](const Joint& each) { return !each.asides.contains(id); });
  auto& call = open == calls.end() ? calls.emplace_back() : *open;
  call.asides.emplace(id, take_aside(id, joint.blocking));
  call.time = std::max(call.time, joint.time);
  if (!joint.blocking)
    agenda_.add({}, rank_resumes, static_cast<std::uint32_t>(id));
  if (call.asides.size() < joint.ranks)
    return;
  const auto until = network_.on_tick(network_.now() + (setting_.is_ideal ? Seconds{} : call.time));
  for (const auto& [rank, slot] : call.asides) {
    if (recorder_)
      recorder_->joins(slot, rank, why);
    agenda_.add(until - network_.now(), aside_done, slot);
  }
  calls.pop_front(); // no rank is in a later call before this one
  if (calls.empty())
    joints_.erase(joint.call);
}

void RankWork::end_aside(std::uint32_t slot) {
  const auto [rank, request] = asides_[slot];
  free_asides_.push_back(slot);
  const auto ended = recorder_ ? recorder_->aside_ends(slot, rank) : Occasion{};
  ranks_.end_request(rank, request, network_.now(), ended);
}

void RankWork::copy(int id, const CopyOperation& copy, Occasion why) {
  const auto& ways = setting_.ways;
  if (ways.copy_route(ways.slot(id, copy.from), ways.slot(id, copy.to)).links.empty())
    return agenda_.fail({input_error(ways.platform().file, "",
                                     fmt::format("no links lead from \"{}\" to a cpu of its node; {}",
                                                 ways.device_of(id).name, ways.lanes()[far_lane(copy)].advice))});
  const auto until = ranks_.occupy(ranks_[id], own_lane, copy.start).until;
  if (recorder_)
    recorder_->computes(id, until, why);
  agenda_.add(until - network_.now(), host_copy_flows, static_cast<std::uint32_t>(id));
}

// Returns the channels of the links. The memory of the place elsewhere is one more if the copy does not fit in caches.
std::vector<std::size_t> RankWork::channels_of(int id, const CopyOperation& copy) {
  auto& ways = setting_.ways;
  const auto far = far_lane(copy);
  auto channels = ways.copy_route(ways.slot(id, copy.from), ways.slot(id, copy.to)).channels;
  constexpr double mostly = 0.5;
  if (ways.device(ways.slot(id, far)).memory && ranks_.load_of(ranks_[id], copy.size + copy.size, far) >= mostly)
    channels.push_back(ways.memory_of(id, far));
  return channels;
}

void RankWork::flow_copy(int id) {
  const auto number = static_cast<std::uint32_t>(id);
  const auto& copy = std::get<CopyOperation>(ranks_[id].view.pending->operation);
  assert(copy.size.count > 0);
  const auto channels = channels_of(id, copy);
  work_ends_[number] = network_.now();
  if (recorder_)
    recorder_->work_loads(id, channels, copy.size);
  const auto [set, is_new] = copies_.try_emplace(channels, no_set);
  if (is_new)
    set->second = sets_.of_copy(channels);
  network_.transfer(set->second, ranks_.with_noise(copy.size), std::nullopt, {host_copy_done, number});
}

void RankWork::end_copy(int id) {
  auto& rank = ranks_[id];
  rank.core_free = std::max(rank.core_free, network_.now());
  if (recorder_)
    recorder_->host_copy_ends(id, work_ends_[static_cast<std::size_t>(id)]);
}

} // namespace kakehashi
