#include "engine/mpi/channel_sets.hpp"

#include <algorithm>

namespace kakehashi {

std::uint32_t ChannelSets::add_way(std::uint32_t way) {
  if (first_.size() <= way)
    first_.resize(way + 1, none);
  first_[way] = static_cast<std::uint32_t>(legs_.size());
  for (const auto& path : ways_[way].stages)
    for (std::size_t i = 0; i < path.route.legs(); ++i)
      legs_.push_back(make(path, i));
  return first_[way];
}

ChannelSets::Leg ChannelSets::make(const Path& path, std::size_t leg) {
  auto channels = channels_of(path, leg, {}, ways_.platform());
  Leg sets{.path = &path, .place = leg};
  sets.copies_flow = path.terms.rule->moved_by_cores && !channels.empty();
  if (channels.empty())
    channels.assign(path.route.leg(leg).begin(), path.route.leg(leg).end());
  sets.sets.fill(add(std::move(channels)));
  for (const Loads loads : {Loads{true, false}, Loads{false, true}, Loads{true, true}})
    if ((!loads.memory || !path.memory.empty()) && (!loads.domains || path.domains))
      sets.sets[loads.number()] = none;
  for (const auto cache : path.caches)
    sets.cached = std::min(sets.cached, share_of(path.caches, cache, ways_.channels()));
  if (leg == 0) {
    sets.sending_nic = number_of_nic(path.sending_nic, false);
    sets.receiving_nic = number_of_nic(path.receiving_nic, true);
    sets.worker = number_of_worker(path.worker);
  }
  return sets;
}

std::uint32_t ChannelSets::add_set(std::size_t number, Loads loads) {
  auto& leg = legs_[number];
  return leg.sets[loads.number()] = add(channels_of(*leg.path, leg.place, loads, ways_.platform()));
}

std::uint32_t ChannelSets::add(std::vector<std::size_t> channels) {
  for (auto& channel : channels)
    channel = shift_ ? shift_->channel(channel) : channel;
  return static_cast<std::uint32_t>(network_.add_set(channels));
}

std::uint32_t ChannelSets::number_of_nic(std::optional<std::size_t> device, bool receives) {
  if (!device)
    return none;
  if (shift_)
    device = shift_->devices[*device];
  const auto [found, is_new] = nic_numbers_.try_emplace({*device, receives}, static_cast<std::uint32_t>(nics_.size()));
  if (is_new)
    nics_.push_back({Seconds{1 / ways_.platform().devices[*device].message_rate}, {}});
  return found->second;
}

std::uint32_t ChannelSets::number_of_worker(const std::optional<Worker>& worker) {
  if (!worker)
    return none;
  const std::size_t device = shift_ ? shift_->devices[worker->device] : worker->device;
  const auto [found, is_new] =
      worker_numbers_.try_emplace({device, worker->kind}, static_cast<std::uint32_t>(workers_.size()));
  if (is_new)
    workers_.push_back({at_a_time(ways_.platform().devices[device], worker->kind), {}});
  return found->second;
}

bool ChannelSets::takes_thread(const Leg& leg, Place place) {
  if (leg.worker == none)
    return true;
  auto& worker = workers_[leg.worker];
  if (worker.idle == 0) {
    worker.waiting.push_back(place);
    return false;
  }
  --worker.idle;
  return true;
}

std::optional<ChannelSets::Place> ChannelSets::leave_thread(const Leg& leg) {
  if (leg.worker == none)
    return std::nullopt;
  auto& worker = workers_[leg.worker];
  if (worker.waiting.empty()) {
    ++worker.idle;
    return std::nullopt;
  }
  const auto next = worker.waiting.front();
  worker.waiting.pop_front();
  return next;
}

// The sender's adapter goes on to its next message while one waits for the receiver's.
Seconds ChannelSets::pass_nics(const Leg& leg, Seconds at) {
  auto start = at;
  for (const auto nic : {leg.sending_nic, leg.receiving_nic})
    if (nic != none) {
      start = std::max(start, nics_[nic].free_at);
      nics_[nic].free_at = start + nics_[nic].interval;
    }
  return start - at;
}

} // namespace kakehashi
