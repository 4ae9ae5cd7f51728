// The ways that a route was chosen from, as reports show them.
#pragma once

#include "base/units.hpp"

#include <string>
#include <vector>

namespace kakehashi {

struct WayFigures {
  std::string links; // types in order of travel: "pcie qpi pcie"
  Seconds latency;
  BytesPerSecond rate;   // of a lone payload
  double equals = 1;     // as short ways over links as fast, this one among them
  bool is_spread = true; // the destination chooses among them
  Bytes size;            // of the message that the route is chosen for
  Seconds time;          // that such a message takes
};

// Pairs of devices, of one fabric, whose routes were chosen from the same kinds of ways.
struct RouteChoices {
  std::string fabric;
  std::string from;
  std::string to;               // the first pair
  std::size_t more_pairs = 0;   // beyond that
  std::vector<WayFigures> ways; // the route first, and then by time
};

} // namespace kakehashi
