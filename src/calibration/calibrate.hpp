// Measured curves and the paths that they used → regimes.
//
// Breakpoints are found by dynamic programming: the least sum over the curves of their mean relative error (and of
// its mean as far as it is on the side of too fast, so that no regime promises more than was measured), plus a penalty
// for each regime. If a simulation is given, its results correct the closed form until both agree.
#pragma once

#include "base/error.hpp"
#include "calibration/segment.hpp"
#include "result/calibration.hpp"

#include <functional>

namespace kakehashi {

struct CalibrationOptions {
  int most_regimes = 4;
  double penalty = 0.3;            // relative error, summed over a curve's points, that a further regime must gain
  double thin_penalty = 0.1;       // likewise, for each size that a regime has less than three
  std::optional<Bytes> rendezvous; // first size that takes three trips; none: all take one
  bool cores_move_payload = false;
};

// What each test would print with these regimes (for each path class), for every point of its curve.
using Simulate = std::function<Result<std::vector<std::vector<double>>>(const std::vector<std::vector<Regime>>&)>;

Result<CalibrationRecord> calibrate(std::vector<Observation> tests, const CalibrationOptions& options,
                                    const Simulate& simulate);

// The best partition into regimes; the parts of `calibrate` that tests look at.
std::vector<SegmentFit> best_segments(const FitProblem& problem, const CalibrationOptions& options, Effort effort);

} // namespace kakehashi
