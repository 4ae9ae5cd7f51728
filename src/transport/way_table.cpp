#include "transport/way_table.hpp"

#include <algorithm>
#include <map>

namespace kakehashi {

WayTable::WayTable(const Platform& platform, Topology& topology, const Fabric& fabric,
                   std::span<const std::size_t> devices)
    : platform_(platform), topology_(topology), fabric_(fabric) {
  std::map<std::size_t, std::size_t> slots;
  for (const auto device : devices) {
    const auto [slot, is_new] = slots.emplace(device, devices_.size());
    if (is_new) {
      devices_.push_back(device);
      ranks_on_.push_back(0);
    }
    ++ranks_on_[slot->second];
    slot_of_rank_.push_back(static_cast<std::uint32_t>(slot->second));
  }
  rows_.resize(devices_.size());
  for (const auto* part : parts_of(platform, fabric))
    if (part->stripes_from)
      stripes_from_.push_back(*part->stripes_from);
  std::ranges::sort(stripes_from_);
}

Result<std::uint32_t> WayTable::add(std::size_t row, std::size_t column) {
  const auto side_and_part = column / devices();
  auto way =
      make(row, column % devices(), side_and_part % parts(), side_and_part < parts() ? Side::sender : Side::receiver);
  if (!way)
    return way.errors();
  if (rows_[row].empty())
    rows_[row].assign(2 * devices_.size() * parts(), none);
  ways_.push_back(std::move(*way));
  return rows_[row][column] = static_cast<std::uint32_t>(ways_.size() - 1);
}

Result<Way> WayTable::make(std::size_t from, std::size_t to, std::size_t part, Side initiator) const {
  return make_way(platform_, topology_, fabric_, number(from), number(to), initiator,
                  part == 0 ? Bytes{} : stripes_from_[part - 1]);
}

double WayTable::cache_on(std::size_t slot) const {
  const auto usual = *usual_memory(device(slot).kind).cache;
  const auto cache = device(slot).memory ? device(slot).memory->cache.value_or(usual) : usual;
  return static_cast<double>(cache.count) / static_cast<double>(ranks_on_[slot]);
}

Errors WayTable::find_all() {
  Errors errors;
  for (std::size_t from = 0; from < devices_.size(); ++from)
    for (std::size_t to = 0; to < devices_.size(); ++to) {
      if (from == to && ranks_on_[from] == 1) // a lone rank on a device need not reach itself
        continue;
      if (const auto found = add(from, place(from, to, Side::sender, 0).second); !found)
        errors.insert(errors.end(), found.errors().begin(), found.errors().end());
    }
  return errors;
}

} // namespace kakehashi
