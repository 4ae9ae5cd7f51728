#include "topology/capacity.hpp"

namespace kakehashi {

Capacity capacity_of(const Link& link) {
  return link.bandwidth ? *link.bandwidth : row_of(link.type).capacity(*link.rating);
}

BytesPerSecond bandwidth_of(const Memory& memory) {
  constexpr double reached = 0.85;
  constexpr double width = 8; // B
  if (memory.bandwidth)
    return *memory.bandwidth;
  return {reached * width * static_cast<double>(*memory.channels) * memory.transfers->value};
}

} // namespace kakehashi
