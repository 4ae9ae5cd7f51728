#include "transport/itinerary_table.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// Whether messages of any size have the same phases on both.
bool are_alike(const Path& a, const Path& b) {
  return a.rule == b.rule && a.fabric == b.fabric && a.from_kind == b.from_kind && a.to_kind == b.to_kind &&
         a.initiator == b.initiator && a.stripes == b.stripes && a.route.latency == b.route.latency &&
         a.route.legs() == b.route.legs() && a.crossings == b.crossings;
}

bool are_alike(const Way& a, const Way& b) {
  return a.chunk == b.chunk && std::ranges::equal(a.stages, b.stages, [](const Path& one, const Path& other) {
           return are_alike(one, other);
         });
}

} // namespace

void ItineraryTable::classify(std::uint32_t way) {
  if (class_of_way_.size() <= way)
    class_of_way_.resize(way + 1, none);
  const auto known =
      std::ranges::find_if(classes_, [&](const Class& each) { return are_alike(*each.way, ways_[way]); });
  class_of_way_[way] = static_cast<std::uint32_t>(known - classes_.begin());
  if (known == classes_.end())
    classes_.push_back({&ways_[way], {}, {}, nullptr});
}

void ItineraryTable::Class::look_up(Bytes size) {
  auto found = by_size.find(size.count);
  if (found == by_size.end())
    found = by_size.emplace(size.count, itinerary_of(*way, size)).first;
  last_size = size;
  last = &found->second;
}

} // namespace kakehashi
