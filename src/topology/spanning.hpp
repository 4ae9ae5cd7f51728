// The least cost of connecting some points.
#pragma once

#include <cstddef>
#include <functional>

namespace kakehashi {

// The largest weight of a spanning tree whose largest weight is least; 0 for fewer than two points. Whatever connects
// all points has an edge that weighs at least so much.
double spanning_bottleneck(std::size_t points, const std::function<double(std::size_t, std::size_t)>& weight);

} // namespace kakehashi
