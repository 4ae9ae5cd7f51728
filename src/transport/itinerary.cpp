#include "transport/itinerary.hpp"

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
  itinerary.is_plain = itinerary.stages() == 1 && itinerary.pieces == 1 && terms.stages.front().legs == 1;
  itinerary.stripe = stripe_of(terms.stages.front(), size);
  return itinerary;
}

} // namespace kakehashi
