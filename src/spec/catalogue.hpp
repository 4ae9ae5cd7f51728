// What Kakehashi ships to be held to: scenarios with measured curves, targets for them, and claims.
#pragma once

#include "spec/claim.hpp"
#include "spec/scenario.hpp"

#include <memory>
#include <vector>

namespace kakehashi {

// What a curve's prediction must reach.
struct Target {
  double mean = 0;             // of |error|
  Bytes from;                  // over sizes from here on
  std::optional<double> worst; // |error| at every size that is not an outlier
  std::vector<Bytes> outliers; // known ones of the measurement
};

struct ReferenceCase {
  Scenario scenario; // with a reference
  std::optional<Target> target;
};

struct ClaimCase {
  Claim claim;
  std::shared_ptr<const Platform> platform; // null: does not exist yet
};

struct Catalogue {
  std::vector<ReferenceCase> curves;
  std::vector<ClaimCase> claims;
};

} // namespace kakehashi
