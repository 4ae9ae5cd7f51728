// Copies between ranks' GPUs and the hosts of these.
#include "engine/mpi/simulation.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace kakehashi {

// Between a rank's GPU and its host, over the links between them: the GPU's engine moves the bytes, and the core waits.
void Simulation::copy_to_or_from_host(int id, const HostCopyOperation& copy) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  if (ways_.copy_route(ways_.slot(id), copy.to_host).links.empty()) {
    failures_.push_back(input_error(
        ways_.platform().file, "",
        fmt::format("no links lead from \"{}\" to a cpu of its node; {}", ways_.device_of(id).name, hosts_advice)));
    return;
  }
  const auto until_flows = occupy_core(rank, copy.start);
  if (recorder_)
    recorder_->computes(id, rank.core_free);
  schedule(until_flows, host_copy_flows, static_cast<std::uint32_t>(id));
}

// Those of the links, and of the host's memory, if it is stated, and what the rank goes through does not fit in caches.
std::vector<std::size_t> Simulation::channels_of(int id, const HostCopyOperation& copy) {
  auto channels = ways_.copy_route(ways_.slot(id), copy.to_host).channels;
  const auto host = ways_.slot(id, true);
  const auto& memory = ways_.device(host).memory;
  constexpr double mostly = 0.5;
  if (memory && memory->states_bandwidth() &&
      load_of(ranks_[static_cast<std::size_t>(id)], copy.size + copy.size, true) >= mostly)
    channels.push_back(ways_.memory_of(id, true));
  return channels;
}

void Simulation::flow_host_copy(int id) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  const auto& copy = std::get<HostCopyOperation>(rank.view.pending->operation);
  const auto channels = channels_of(id, copy);
  rank.work_ends = network_.now();
  assert(copy.size.count > 0);
  if (recorder_)
    recorder_->work_loads(id, channels, copy.size);
  const bool loads = channels.back() == ways_.memory_of(id, true);
  auto& set = hosts_[static_cast<std::size_t>(id)].copies[(copy.to_host ? 0u : 1u) + (loads ? 2u : 0u)];
  if (!set)
    set = sets_.of_copy(channels);
  network_.transfer(*set, with_noise(copy.size), std::nullopt, {host_copy_done, static_cast<std::uint32_t>(id)});
}

void Simulation::end_host_copy(int id) {
  auto& rank = ranks_[static_cast<std::size_t>(id)];
  rank.core_free = std::max(rank.core_free, network_.now());
  if (recorder_)
    recorder_->host_copy_ends(id, rank.work_ends);
  resume(id);
}

} // namespace kakehashi
