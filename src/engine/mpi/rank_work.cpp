#include "engine/mpi/rank_work.hpp"

#include "engine/mpi/hosts_advice.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace kakehashi {

RankWork::RankWork(const Setting& setting, Agenda& agenda, RankTable& ranks, ChannelSets& sets)
    : setting_(setting), network_(setting.network), recorder_(setting.recorder), agenda_(agenda), ranks_(ranks),
      sets_(sets), cores_(ranks.all().size()), hosts_(setting.ways.has_hosts() ? cores_.size() : 0) {}

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
  auto& rank = ranks_[id];
  const auto number = static_cast<std::uint32_t>(id);
  const auto until_done = ranks_.occupy_core(rank, work.time, work.in_call);
  if (recorder_)
    recorder_->computes(id, rank.core_free, why);
  const double share = ranks_.load_of(rank, work.traffic, work.on_host);
  const auto traffic = Bytes{static_cast<std::uint64_t>(share * static_cast<double>(work.traffic.count))};
  if (traffic.count == 0 || work.time.value <= 0)
    return agenda_.add(until_done, rank_resumes, number);
  auto& core = cores_[number];
  auto& memory = work.on_host ? hosts_[number].memory : core.memory;
  const auto channel = setting_.ways.memory_of(id, work.on_host);
  if (!memory)
    memory = sets_.of_memory(channel);
  if (recorder_)
    recorder_->work_loads(id, std::span(&channel, 1), traffic);
  core.work_ends = rank.core_free;
  network_.transfer(*memory, traffic, traffic / work.time, {work_done, number});
}

// The traffic has flowed; the core may take longer.
bool RankWork::has_ended(int id) {
  const auto number = static_cast<std::uint32_t>(id);
  const auto ends = cores_[number].work_ends;
  if (network_.now() + blur < ends) {
    agenda_.add(ends - network_.now(), work_done, number);
    return false;
  }
  if (recorder_)
    recorder_->work_ends(id, ends);
  return true;
}

void RankWork::compute_aside(int id, const ComputeOperation& work, Occasion why) {
  if (free_asides_.empty()) {
    free_asides_.push_back(static_cast<std::uint32_t>(asides_.size()));
    asides_.emplace_back();
  }
  const auto slot = free_asides_.back();
  free_asides_.pop_back();
  asides_[slot] = {id, ranks_.add_request(ranks_[id], false)};
  if (recorder_)
    recorder_->computes_aside(slot, id, why);
  agenda_.add(network_.on_tick(network_.now() + work.time) - network_.now(), aside_done, slot);
  agenda_.add({}, rank_resumes, static_cast<std::uint32_t>(id));
}

void RankWork::end_aside(std::uint32_t slot) {
  const auto [rank, request] = asides_[slot];
  free_asides_.push_back(slot);
  const auto ended = recorder_ ? recorder_->aside_ends(slot, rank) : Occasion{};
  ranks_.end_request(rank, request, network_.now(), ended);
}

void RankWork::copy(int id, const HostCopyOperation& copy, Occasion why) {
  auto& rank = ranks_[id];
  const auto& ways = setting_.ways;
  if (ways.copy_route(ways.slot(id), copy.to_host).links.empty())
    return agenda_.fail({input_error(
        ways.platform().file, "",
        fmt::format("no links lead from \"{}\" to a cpu of its node; {}", ways.device_of(id).name, hosts_advice))});
  const auto until_flows = ranks_.occupy_core(rank, copy.start);
  if (recorder_)
    recorder_->computes(id, rank.core_free, why);
  agenda_.add(until_flows, host_copy_flows, static_cast<std::uint32_t>(id));
}

// Returns the channels of the links. The host's memory is one more if its bandwidth is stated and the copy does not fit
// in caches.
std::vector<std::size_t> RankWork::channels_of(int id, const HostCopyOperation& copy) {
  auto& ways = setting_.ways;
  auto channels = ways.copy_route(ways.slot(id), copy.to_host).channels;
  const auto& memory = ways.device(ways.slot(id, true)).memory;
  constexpr double mostly = 0.5;
  if (memory && memory->states_bandwidth() && ranks_.load_of(ranks_[id], copy.size + copy.size, true) >= mostly)
    channels.push_back(ways.memory_of(id, true));
  return channels;
}

void RankWork::flow_copy(int id) {
  const auto number = static_cast<std::uint32_t>(id);
  const auto& copy = std::get<HostCopyOperation>(ranks_[id].view.pending->operation);
  assert(copy.size.count > 0);
  const auto channels = channels_of(id, copy);
  cores_[number].work_ends = network_.now();
  if (recorder_)
    recorder_->work_loads(id, channels, copy.size);
  const bool loads = channels.back() == setting_.ways.memory_of(id, true);
  auto& set = hosts_[number].copies[(copy.to_host ? 0u : 1u) + (loads ? 2u : 0u)];
  if (!set)
    set = sets_.of_copy(channels);
  network_.transfer(*set, ranks_.with_noise(copy.size), std::nullopt, {host_copy_done, number});
}

void RankWork::end_copy(int id) {
  auto& rank = ranks_[id];
  rank.core_free = std::max(rank.core_free, network_.now());
  if (recorder_)
    recorder_->host_copy_ends(id, cores_[static_cast<std::size_t>(id)].work_ends);
}

} // namespace kakehashi
