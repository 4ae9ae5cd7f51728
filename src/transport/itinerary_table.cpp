#include "transport/itinerary_table.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// Whether messages of any size have the same phases on both.
bool are_alike(const Path& a, const Path& b) {
  return a.rule == b.rule && a.fabric == b.fabric && a.from_kind == b.from_kind && a.to_kind == b.to_kind &&
         a.initiator == b.initiator && a.route.latency == b.route.latency && a.route.segments() == b.route.segments() &&
         a.crossings == b.crossings;
}

bool are_alike(const Chain& a, const Chain& b) {
  return a.chunk == b.chunk && std::ranges::equal(a.stages, b.stages, [](const Path& one, const Path& other) {
           return are_alike(one, other);
         });
}

} // namespace

void ItineraryTable::classify(std::uint32_t chain) {
  if (class_of_chain_.size() <= chain)
    class_of_chain_.resize(chain + 1, none);
  const auto known =
      std::ranges::find_if(classes_, [&](const Class& each) { return are_alike(*each.chain, chains_[chain]); });
  class_of_chain_[chain] = static_cast<std::uint32_t>(known - classes_.begin());
  if (known == classes_.end())
    classes_.push_back({&chains_[chain], {}, {}, nullptr});
}

void ItineraryTable::Class::look_up(Bytes size) {
  auto found = by_size.find(size.count);
  if (found == by_size.end())
    found = by_size.emplace(size.count, itinerary_of(*chain, size)).first;
  last_size = size;
  last = &found->second;
}

} // namespace kakehashi
