// Points and the weights of edges between them → a bound on the cost of connecting all points.
#pragma once

#include <cstddef>
#include <functional>

namespace kakehashi {

// Returns the largest weight in a spanning tree whose largest weight is least; 0 for fewer than two points. Every set
// of edges that connects all points has an edge of at least this weight.
double spanning_bottleneck(std::size_t points, const std::function<double(std::size_t, std::size_t)>& weight);

} // namespace kakehashi
