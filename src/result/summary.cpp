#include "result/summary.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>

namespace kakehashi {

std::vector<PathKind> kinds_of(const std::vector<PathShare>& shares) {
  std::map<std::pair<Phase, std::size_t>, PathKind> by_phase;
  std::map<std::pair<Phase, std::size_t>, std::set<std::pair<int, int>>> places;
  for (const auto& share : shares) {
    const std::pair sort(share.phase, share.stage);
    auto& kind = by_phase[sort];
    if (kind.steps == 0) // a flow's text ends with its rate and its narrowest link, which differ between flows
      kind.what = share.phase == Phase::flow ? share.what.substr(0, share.what.find("flow") + 4) : share.what;
    kind.time += share.time;
    kind.contended += share.contended;
    kind.steps += share.steps;
    kind.has_others = kind.has_others || share.from < 0;
    if (share.from >= 0)
      places[sort].insert({share.from, share.to});
    if (kind.steps == share.steps || (share.from >= 0 && (kind.largest.from < 0 || kind.largest.time < share.time)))
      kind.largest = share;
  }
  std::vector<PathKind> kinds;
  for (auto& [sort, kind] : by_phase) {
    kind.places = places[sort].size();
    kinds.push_back(std::move(kind));
  }
  std::ranges::stable_sort(kinds, std::greater(), &PathKind::time);
  return kinds;
}

std::string to_text(const Reason& reason) {
  return fmt::format("{} ({:.0f} % of the critical path)", reason.what, 100 * reason.share);
}

std::string place_of_path(const RunSummary& summary) {
  if (summary.standing_ranks == 0)
    return "";
  return fmt::format("{} for all: what others receive goes on at the one that stands for them",
                     summary.standing_ranks == 1
                         ? "at rank 0, which stands"
                         : fmt::format("at ranks 0 to {}, which stand", summary.standing_ranks - 1));
}

} // namespace kakehashi
