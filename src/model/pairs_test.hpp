// The rates that several pairs of ranks reached at once. They show the limits that the pairs share.
#pragma once

#include "base/units.hpp"
#include "model/platform.hpp"

#include <memory>
#include <string>
#include <vector>

namespace kakehashi {

struct PairPoint {
  Bytes size;
  double mbytes_per_s = 0; // 10^6 B/s, of all pairs in both directions
  double messages_per_s = 0;
};

struct PairsTest {
  std::string name; // the log's name
  std::uint64_t pairs = 1;
  bool both_ways = false; // both ranks of a pair send
  std::vector<PairPoint> points;
  std::shared_ptr<const Platform> platform;
  std::string fabric;
  std::vector<std::size_t> ranks; // the two devices of a pair
};

} // namespace kakehashi
