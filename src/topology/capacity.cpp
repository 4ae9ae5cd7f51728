#include "topology/capacity.hpp"

namespace kakehashi {

Capacity capacity_of(const Link& link) {
  if (link.bandwidth)
    return {*link.bandwidth, link.bandwidth_back.value_or(*link.bandwidth)};
  const auto capacity = row_of(link.type).capacity(*link.rating);
  return {capacity, capacity};
}

} // namespace kakehashi
