#include "transport/itinerary.hpp"

#include "transport/cost.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {

Itinerary itinerary_of(const WayTerms& terms, Bytes size) {
  assert(!terms.stages.empty());
  Itinerary itinerary;
  itinerary.terms = &terms;
  itinerary.piece = size;
  if (terms.chunk && terms.stages.size() > 1 && size > *terms.chunk) {
    constexpr std::uint64_t most = 10000; // pieces in a message
    itinerary.piece = Bytes{std::max(terms.chunk->count, size.count / most + 1)};
    itinerary.pieces = static_cast<std::uint32_t>((size.count + itinerary.piece.count - 1) / itinerary.piece.count);
  }
  itinerary.last_piece = Bytes{size.count - (itinerary.pieces - 1) * itinerary.piece.count};
  for (const auto& stage : terms.stages)
    itinerary.costs.push_back(cost_of(stage, itinerary.piece));
  if (itinerary.last_piece != itinerary.piece)
    for (const auto& stage : terms.stages)
      itinerary.last_costs.push_back(cost_of(stage, itinerary.last_piece));
  if (itinerary.stages() == 1)
    itinerary.protocol = itinerary.costs.front().protocol;
  itinerary.is_plain = itinerary.stages() == 1 && itinerary.pieces == 1 && terms.stages.front().legs == 1 &&
                       !terms.stages.front().has_engines;
  itinerary.stripe = stripe_of(terms.stages.front(), size);
  return itinerary;
}

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

std::uint32_t LikeWays::first_like(std::uint32_t number, const Way& way) {
  Key key{terms_of(way), {}};
  for (auto& stage : key.terms.stages)
    stage.latency = {}; // a rate does not depend on latency
  for (const auto& path : way.stages)
    for (std::size_t leg = 0; leg < path.route.legs(); ++leg)
      key.rates.push_back(lone_rate(path, {}, leg, channels_).value_or(BytesPerSecond{}));
  return first_.try_emplace(std::move(key), number).first->second;
}

} // namespace kakehashi
