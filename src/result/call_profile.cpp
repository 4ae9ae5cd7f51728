#include "result/call_profile.hpp"

#include <algorithm>

namespace kakehashi {

PlaceTimes& PlaceTimes::operator+=(const PlaceTimes& other) {
  ranks.compute += other.ranks.compute;
  ranks.overhead += other.ranks.overhead;
  ranks.waiting += other.ranks.waiting;
  ranks.transfer += other.ranks.transfer;
  on_path += other.on_path;
  return *this;
}

void add_places(const Recording& recording, CallProfile& profile) {
  if (profile.in_mpi.empty())
    return;
  std::vector<PlaceTimes> places(profile.places.size());
  for (std::size_t place = 0; place < std::min(places.size(), recording.places.size()); ++place)
    places[place].ranks = recording.places[place];
  for (const auto& [sort, total] : recording.path.log.totals())
    if (sort.place < places.size())
      places[sort.place].on_path += total.time;
  profile.work.emplace();
  for (std::size_t place = 1; place < places.size(); ++place) {
    const auto& lines = profile.places[place];
    (lines.line ? profile.lines[*lines.line].places : *profile.work) += places[place];
    if (lines.site)
      profile.sites[*lines.site].calls.places += places[place];
    if (lines.region)
      profile.regions[*lines.region].places += places[place];
  }
}

double imbalance_of(const std::vector<Seconds>& times) {
  Seconds sum, most;
  for (const auto time : times) {
    sum += time;
    most = std::max(most, time);
  }
  return sum.value > 0 ? most.value * static_cast<double>(times.size()) / sum.value - 1 : 0;
}

std::string mpi_name(std::string name) {
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  std::ranges::replace(name, '-', '_');
  return "MPI_" + name;
}

} // namespace kakehashi
