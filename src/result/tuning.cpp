#include "result/tuning.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace kakehashi {

std::vector<TunedRange> ranges_of(const TunedOperation& operation) {
  std::vector<TunedRange> ranges;
  for (const auto& each : operation.sizes) {
    const bool goes_on = !ranges.empty() && ranges.back().first->is_changed == each.is_changed &&
                         (!each.is_changed || ranges.back().first->chosen.name == each.chosen.name);
    if (!goes_on)
      ranges.push_back({&each, each.gain(), each.gain(), true});
    ranges.back().is_measured &= each.is_measured();
    ranges.back().least = std::min(ranges.back().least, each.gain());
    ranges.back().most = std::max(ranges.back().most, each.gain());
  }
  return ranges;
}

// chain (8 KiB segments) → chain-8-kib-segments
std::string confirming_file(const Tuning& tuning, const TunedOperation& operation, std::uint64_t size,
                            const std::string& name) {
  std::string words;
  for (const unsigned char c : name)
    if (std::isalnum(c))
      words += static_cast<char>(std::tolower(c));
    else if (!words.empty() && words.back() != '-')
      words += '-';
  if (words.ends_with('-'))
    words.pop_back();
  return fmt::format("{}-{}-{}-{}-{}.log", collective_names[static_cast<std::size_t>(operation.collective)],
                     tuning.placements[operation.placement].name, operation.ranks, size,
                     words.empty() ? "default" : words);
}

namespace {

// A size at which the library's own choice and its rival may be measured.
struct RivalPlace {
  const TunedOperation* operation;
  const TunedSize* size;
  double gain;
  bool is_first; // it has the greatest gain among neighbouring sizes with the same two choices
};

std::vector<RivalPlace> rival_places(const TunedOperation& operation) {
  std::vector<RivalPlace> places;
  const TunedSize* before = nullptr;
  std::size_t greatest = 0; // in the range of `before`
  for (const auto& each : operation.sizes) {
    if (each.rival) {
      const bool goes_on = before && before->rival && before->usual.name == each.usual.name &&
                           before->rival->choice.name == each.rival->choice.name;
      places.push_back({&operation, &each, each.usual.time / each.rival->choice.time, !goes_on});
      if (goes_on && places.back().gain > places[greatest].gain)
        std::swap(places[greatest].is_first, places.back().is_first);
      if (places.back().is_first)
        greatest = places.size() - 1;
    }
    before = &each;
  }
  return places;
}

} // namespace

std::vector<ConfirmingRun> confirming_runs(const Tuning& tuning) {
  constexpr std::size_t most = 10; // pairs
  std::vector<RivalPlace> places;
  for (const auto& operation : tuning.operations)
    if (operation.placement == tuning.placement)
      for (const auto& place : rival_places(operation))
        places.push_back(place);
  std::ranges::stable_sort(places, std::greater(),
                           [](const auto& place) { return std::pair(place.is_first, place.gain); });
  places.resize(std::min(places.size(), most));
  std::vector<ConfirmingRun> runs;
  const auto* launcher = tuning.library == Selector::fujitsu_4 ? "mpiexec" : "mpirun"; // all that Fujitsu has
  for (const auto& place : places) {
    const auto* operation = place.operation;
    const auto* size = place.size;
    auto name = std::string(row_of(operation->collective).name);
    std::ranges::replace(name, '-', '_');
    const auto sizes = operation->collective == Collective::barrier ? "" : fmt::format(" -m {0}:{0}", size->size);
    const auto* memory = tuning.has_gpus && !sizes.empty() ? " -d cuda" : "";
    const auto add = [&](const std::string& setting, const std::string& file) {
      const bool is_option = setting.starts_with("-");
      runs.push_back({confirming_file(tuning, *operation, size->size, file),
                      fmt::format("{}{} -n {} {}osu_{}{}{}", is_option || setting.empty() ? "" : setting + " ",
                                  launcher, operation->ranks, is_option ? setting + " " : "", name, memory, sizes)});
    };
    add("", "");
    add(size->rival->setting, size->rival->choice.name);
  }
  return runs;
}

std::size_t proposed_placement(const std::vector<TunedPlacement>& placements, double margin) {
  const auto best = std::ranges::min_element(placements, {}, &TunedPlacement::tuned);
  const bool gains_enough = placements.front().tuned > (1 + margin) * best->tuned;
  return gains_enough ? static_cast<std::size_t>(best - placements.begin()) : 0;
}

// Geometric means over the clusters of docs/evidence/predictions.md that have the test; for other operations over all
// tests.
double typical_factor(Collective collective) {
  switch (collective) {
  case Collective::alltoall:
  case Collective::alltoallv: return 1.42;
  case Collective::allreduce: return 1.28;
  default: return 1.34;
  }
}

double certainty(Collective collective, double gain) {
  // In a normal distribution, the mean of |x| is the deviation times sqrt(2/pi); the deviation of a difference of two
  // is larger by sqrt(2).
  const auto deviation = std::log(typical_factor(collective)) * std::sqrt(std::numbers::pi / 2);
  return 0.5 * std::erfc(-std::log1p(gain) / (deviation * 2));
}

} // namespace kakehashi
