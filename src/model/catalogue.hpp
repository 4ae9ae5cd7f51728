// The shipped tests of predictions: scenarios with measured curves and their targets, and claims.
#pragma once

#include "model/claim.hpp"

#include <memory>
#include <vector>

namespace kakehashi {

// The largest errors that a curve's prediction may have.
struct Target {
  double mean = 0;             // mean of |error|
  Bytes from;                  // smallest size that counts
  std::optional<double> worst; // largest |error| at a size that is no outlier
  std::vector<Bytes> outliers; // sizes at which the measurement itself is known to be off
  std::optional<Role> role;    // fit or prediction
  std::string missed;          // as in Claim
  std::string repeats;         // as in Claim
};

struct ReferenceCase {
  Scenario scenario; // has a reference
  std::optional<Target> target;
};

struct ClaimCase {
  Claim claim;
  std::vector<Scenario> runs; // the runs that it compares
  std::string pending;        // why it cannot be evaluated yet; empty: it can
  std::string fault;          // the parts that the claim names and the platform lacks; empty: none
};

struct Catalogue {
  std::vector<ReferenceCase> curves;
  std::vector<ClaimCase> claims;
};

} // namespace kakehashi
