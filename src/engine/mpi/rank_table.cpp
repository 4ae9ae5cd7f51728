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
  }
  for (const auto& lane : setting.ways.lanes()) {
    first_workers_.push_back(workers_);
    workers_ += lane.worker == LaneWorker::own ? static_cast<std::size_t>(lane.at_a_time) : 0;
  }
  free_at_.resize(workers_ * states_.size());
}

void RankTable::resume(RankState& rank) {
  rank.view.pending = nullptr;
  rank.view.resume_point.resume();
  frames_[static_cast<std::size_t>(rank.view.id)] = rank.view.resume_point.address();
}

double RankTable::noise() {
  constexpr double span = 4294967296; // the range of 32 bits
  const auto key = shuffled(noises_++, setting_.seed + 1) & 0xffffffffu;
  return 1 + setting_.noise * (2 * static_cast<double>(key) / span - 1);
}

RankTable::Busy RankTable::occupy(RankState& rank, LaneNumber lane, Seconds time, bool is_in_call) {
  const auto& network = setting_.network;
  if (setting_.noise > 0 && is_in_call)
    time.value *= noise();
  auto* free_at = &rank.core_free;
  auto worker = core_worker;
  if (has_own_worker(lane)) { // the one that is free first
    const auto workers = std::span(free_at_).subspan(home(rank.view.id) * workers_ + first_workers_[lane],
                                                     static_cast<std::size_t>(setting_.ways.lanes()[lane].at_a_time));
    free_at = &*std::ranges::min_element(workers);
    worker = static_cast<std::uint32_t>(free_at - free_at_.data());
  }
  *free_at = network.on_tick(std::max(*free_at, network.now()) + time);
  return {*free_at, worker};
}

double RankTable::load_of(const RankState& rank, Bytes otherwise, LaneNumber lane) const {
  const auto cache = lane == own_lane ? rank.cache : setting_.ways.cache_of(rank.view.id, lane);
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
  if (!rank.requests.end(request, rank.view.waits_for_any))
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
