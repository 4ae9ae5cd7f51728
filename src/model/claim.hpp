// A statement of a document that gives no table: bounds for a number that can be simulated.
#pragma once

#include "model/role.hpp"
#include "model/scenario.hpp"

#include <limits>

namespace kakehashi {

// A number of a platform, by its place and name, with a factor.
struct ScaledParameter {
  std::string name;
  double factor = 1;
};

struct Claim {
  // The number that a run gives: a time in us, MB/s of 1e6 B, or work items in a second.
  enum class Number { time, bandwidth, throughput };
  // The bounded quantity: the number of the only run, the first one's over the second's, the first one's less the
  // second's, or the size through which the first one's time is the shorter.
  enum class Comparison { none, ratio, difference, crossover };

  std::string id;
  std::string missed;  // why it is known to fail; empty: it is not
  std::string repeats; // the line that it follows from, so that it counts no more; empty: none
  std::string platform;
  Number number = Number::time;
  Comparison comparison = Comparison::none;
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  std::optional<Role> role;
  bool is_implied = false;                // by the document, which does not state it
  std::vector<ScaledParameter> turned_by; // together, where none can turn it alone
};

} // namespace kakehashi
