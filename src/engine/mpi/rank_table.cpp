#include "engine/mpi/rank_table.hpp"

#include "engine/flow/shuffle.hpp"

#include <algorithm>

namespace kakehashi {

RankTable::RankTable(const Setting& setting, Agenda& agenda)
    : setting_(setting), agenda_(agenda), simulated_(setting.shift ? setting.shift->ranks : setting.ranks) {
  states_.reserve(static_cast<std::size_t>(simulated_));
  frames_.resize(static_cast<std::size_t>(simulated_));
  for (int id = 0; id < simulated_; ++id) {
    auto& rank = states_.emplace_back(id, setting.ranks);
    rank.view.kind = setting.ways.device_of(id).kind;
    rank.cache = setting.ways.cache_of(id);
    if (setting.ways.has_hosts())
      host_caches_.push_back(setting.ways.cache_of(id, true));
  }
}

void RankTable::resume(RankState& rank) {
  rank.view.pending = nullptr;
  rank.view.resume_point.resume();
  frames_[static_cast<std::size_t>(rank.view.id)] = rank.view.resume_point.address();
}

double RankTable::noise() {
  constexpr double span = 4294967296; // of 32 bits
  const auto key = shuffled(noises_++, setting_.seed + 1) & 0xffffffffu;
  return 1 + setting_.noise * (2 * static_cast<double>(key) / span - 1);
}

Seconds RankTable::occupy_core(RankState& rank, Seconds time, bool is_in_call) {
  const auto& network = setting_.network;
  if (setting_.noise > 0 && is_in_call)
    time.value *= noise();
  rank.core_free = network.on_tick(std::max(rank.core_free, network.now()) + time);
  return rank.core_free - network.now();
}

double RankTable::load_of(const RankState& rank, Bytes otherwise, bool on_host) const {
  const auto cache = on_host ? host_caches_[static_cast<std::size_t>(rank.view.id)] : rank.cache;
  const auto bytes = static_cast<double>((rank.view.working_set.count > 0 ? rank.view.working_set : otherwise).count);
  return bytes <= cache ? 0.0 : std::min(bytes / cache - 1, 1.0);
}

std::uint32_t RankTable::add_request(RankState& rank, bool is_awaited) {
  const auto number = rank.requests.add(is_awaited);
  rank.view.pending->request = {number};
  return number;
}

void RankTable::end_request(int id, std::uint32_t request, Seconds at, Occasion why) {
  auto& rank = (*this)[id];
  const bool is_enough = rank.requests.awaits_any();
  if (!rank.requests.end(request))
    return;
  if (is_enough)
    rank.view.pending->request = {request};
  rank.goes_on = std::max(rank.goes_on, at);
  const bool goes_on = rank.requests.awaited() == 0;
  if (setting_.recorder)
    setting_.recorder->rank_can_go_on(rank.view.id, at, goes_on, why);
  if (goes_on)
    agenda_.add(rank.goes_on - setting_.network.now(), rank_resumes, static_cast<std::uint32_t>(rank.view.id));
}

} // namespace kakehashi
