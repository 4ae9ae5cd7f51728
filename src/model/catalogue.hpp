// The shipped tests of predictions: scenarios with measured curves and their targets, and claims.
#pragma once

#include "model/role.hpp"
#include "model/scenario.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace kakehashi {

// A statement of a document that gives bounds for a number, and no table. The number can be simulated.

// A number of a platform, by its place and name, times a factor.
struct ScaledParameter {
  std::string name;
  double factor = 1;
};

struct Claim {
  // The number that a run gives: a time in us, a bandwidth in MB/s of 1e6 B, or work items per second.
  enum class Number { time, bandwidth, throughput };
  // The quantity that is bounded: the number of the only run; the ratio of the first run's number to the second's;
  // their difference; or the largest size up to which the first run takes less time.
  enum class Comparison { none, ratio, difference, crossover };

  std::string id;
  std::string missed;  // why it is known to fail; empty: it should pass
  std::string repeats; // the line of the score that it follows from, so that it is not counted again; empty: none
  std::string platform;
  Number number = Number::time;
  Comparison comparison = Comparison::none;
  double megabyte = 1e6; // bytes in the MB of a bounded bandwidth
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  std::optional<Role> role;
  bool is_implied = false;                // it follows from the document, which does not state it
  std::vector<ScaledParameter> turned_by; // the changes that turn its verdict together, where none does alone
};

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
