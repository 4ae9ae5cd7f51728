#include "engine/shifts.hpp"

#include "workload/dry_run.hpp"

#include <bit>

namespace kakehashi {
namespace {

// Finds it once.
template <class Known, class Find>
std::shared_ptr<const Shift> remembered(Known& known, std::pair<int, bool> key, Find find) {
  const auto [found, is_new] = known.try_emplace(key);
  if (is_new)
    if (std::optional<Shift> shift = find())
      found->second = std::make_shared<const Shift>(std::move(*shift));
  return found->second;
}

} // namespace

std::shared_ptr<const Shift> Shifts::find(const Job& job, Seconds time) {
  constexpr Seconds way_time{3e-5}; // to look at a way between two devices, once for each bit of images' numbers
  if (!job.alike)
    return nullptr;
  const auto& alike = *job.alike;
  if (alike.shifts_by > 0)
    return remembered(stated_, {alike.shifts_by, alike.is_mirrored},
                      [&] { return find_shift(ways_, topology_, alike.shifts_by, alike.is_mirrored); });
  const auto devices = static_cast<double>(ways_.devices());
  return alike.sample && time > devices * devices * way_time ? find_by_looking(alike) : nullptr;
}

// The fewest come first. Programs that differ mostly do so for the first two images, which is seen at once.
std::shared_ptr<const Shift> Shifts::find_by_looking(const AlikeRanks& alike) {
  const int all = ways_.ranks();
  for (int ranks = 1; 2 * ranks <= all; ++ranks)
    for (const bool changes_places : {false, true}) {
      const auto images = all / ranks;
      if (all % ranks != 0 || (changes_places && (images == 2 || !std::has_single_bit(static_cast<unsigned>(images)))))
        continue;
      const RankImages candidate{.ranks = ranks, .images = images, .changes_places = changes_places, .of = all};
      if (!first_images_are_alike(alike.sample(), candidate))
        continue;
      const auto shift =
          remembered(looked_, {ranks, changes_places}, [&] { return find_images(ways_, topology_, candidate); });
      if (shift && are_alike(alike.sample(), candidate))
        return shift;
    }
  return nullptr;
}

} // namespace kakehashi
