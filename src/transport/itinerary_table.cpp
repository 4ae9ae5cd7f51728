#include "transport/itinerary_table.hpp"

namespace kakehashi {

void ItineraryTable::classify(std::uint32_t way) {
  if (class_of_way_.size() <= way)
    class_of_way_.resize(way + 1, none);
  const auto next = static_cast<std::uint32_t>(classes_.size());
  const auto [known, is_new] = class_of_.try_emplace(terms_of(ways_[way]), next);
  class_of_way_[way] = known->second;
  if (is_new)
    classes_.push_back({&known->first, {}, {}, nullptr});
}

void ItineraryTable::Class::look_up(Bytes size) {
  auto found = by_size.find(size.count);
  if (found == by_size.end())
    found = by_size.emplace(size.count, itinerary_of(*terms, size)).first;
  last_size = size;
  last = &found->second;
}

} // namespace kakehashi
