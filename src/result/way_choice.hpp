// The ways from which a route was chosen, as reports show them.
#pragma once

#include "base/units.hpp"

#include <string>
#include <vector>

namespace kakehashi {

struct WayFigures {
  std::string links; // types in order of travel: "pcie qpi pcie"
  Seconds latency;
  BytesPerSecond rate;   // rate of a payload alone
  double equals = 1;     // number of equally short ways over equally fast links, including this one
  bool is_spread = true; // the destination chooses among them
  Bytes size;            // the message size for which the route is chosen
  Seconds time;          // time of such a message
  RateUnit unit;         // of what is printed
};

// Pairs of devices of one fabric whose routes were chosen from the same kinds of ways.
struct RouteChoices {
  std::string fabric;
  std::string from;
  std::string to;               // from and to are the first pair
  std::size_t more_pairs = 0;   // the number of further pairs
  std::vector<WayFigures> ways; // the route first, then by time
};

} // namespace kakehashi
