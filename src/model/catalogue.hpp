// The shipped tests of predictions: scenarios with measured curves, targets for them, and claims.
#pragma once

#include "model/claim.hpp"

#include <memory>
#include <vector>

namespace kakehashi {

// The errors that a curve's prediction may have.
struct Target {
  double mean = 0;             // of |error|
  Bytes from;                  // over sizes from here on
  std::optional<double> worst; // |error| at every size that is not an outlier
  std::vector<Bytes> outliers; // known ones of the measurement
  std::optional<Role> role;    // fit or prediction
  std::string missed;          // as a claim's
  std::string repeats;         // likewise
};

struct ReferenceCase {
  Scenario scenario; // with a reference
  std::optional<Target> target;
};

struct ClaimCase {
  Claim claim;
  std::vector<Scenario> runs; // that it compares
  std::string pending;        // why it cannot be evaluated yet; empty if it can
  std::string fault;          // what the platform lacks that it speaks of; empty if nothing
};

struct Catalogue {
  std::vector<ReferenceCase> curves;
  std::vector<ClaimCase> claims;
};

} // namespace kakehashi
