#include "transport/itinerary.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {

Itinerary itinerary_of(const Way& way, Bytes size) {
  assert(!way.stages.empty());
  Itinerary itinerary;
  itinerary.way = &way;
  itinerary.piece = size;
  if (way.chunk && way.stages.size() > 1 && size > *way.chunk) {
    constexpr std::uint64_t most = 10000; // pieces of a message
    itinerary.piece = Bytes{std::max(way.chunk->count, size.count / most + 1)};
    itinerary.pieces = static_cast<std::uint32_t>((size.count + itinerary.piece.count - 1) / itinerary.piece.count);
  }
  itinerary.last_piece = Bytes{size.count - (itinerary.pieces - 1) * itinerary.piece.count};
  for (const auto& path : way.stages)
    itinerary.costs.push_back(cost_of(path, itinerary.piece));
  if (itinerary.last_piece != itinerary.piece)
    for (const auto& path : way.stages)
      itinerary.last_costs.push_back(cost_of(path, itinerary.last_piece));
  if (itinerary.stages() == 1)
    itinerary.protocol = itinerary.costs.front().protocol;
  itinerary.is_plain = itinerary.stages() == 1 && itinerary.pieces == 1 && way.stages.front().route.legs() == 1;
  itinerary.stripe = stripe_of(way.stages.front(), size);
  return itinerary;
}

} // namespace kakehashi
