// Rules for the algorithms of Open MPI's collective operations, by ranges of communicators and of sizes.
#pragma once

#include "base/units.hpp"
#include "model/collective.hpp"

#include <limits>
#include <string>
#include <vector>

namespace kakehashi {

struct GridRule {
  std::uint64_t from = 0; // the smallest size, as Open MPI counts it; the rule holds up to the next rule's
  int number = 0;         // the algorithm's number; 0: the library's own choice
  int fan_out = 0;
  Bytes segment;
  std::string name{}; // the algorithm's name, for remarks
};

struct GridCommunicators {
  int ranks_from = 0;
  int ranks_below = std::numeric_limits<int>::max();
  std::vector<GridRule> rules; // ascending, the first from size 0
};

struct GridOperation {
  Collective collective{};
  std::vector<GridCommunicators> communicators; // ascending; between their ranges the library's own choice holds
};

struct RuleGrid {
  std::string heading;
  std::vector<GridOperation> operations;
};

} // namespace kakehashi
