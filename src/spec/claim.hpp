// A statement of a document that gives no table: bounds for a number that can be simulated.
#pragma once

#include "base/units.hpp"

#include <string>
#include <vector>

namespace kakehashi {

// One benchmark run of a claim.
struct ClaimRun {
  std::string fabric;
  std::string from;
  std::string to; // device names
};

struct Claim {
  // What is bounded: the number of the only run, the first run's over the second's, or the first's less the second's.
  enum class Comparison { none, ratio, difference };

  std::string id;
  std::string platform;
  std::string benchmark; // "pingpong", "osu_bw" and so on, as the file says
  Bytes size;
  bool is_latency = true; // us; else MB/s of 1e6 B
  Comparison comparison = Comparison::none;
  std::vector<ClaimRun> runs; // none: of a kind that cannot be evaluated yet
  double low = 0;
  double high = 0;
};

} // namespace kakehashi
