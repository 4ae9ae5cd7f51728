// The regimes that the closed form finds best, and a simulation → regimes with which the simulation agrees.
#pragma once

#include "base/error.hpp"
#include "calibration/partition.hpp"

namespace kakehashi {

// A value for each test and point of its curve, in the curve's unit.
using Printed = std::vector<std::vector<double>>;

// Simulates each test with these regimes, one list for each path class.
using Simulate = std::function<Result<Printed>(const std::vector<std::vector<Regime>>&)>;

inline constexpr int most_corrections = 8;

// Returns the regimes of each path class, rounded as in the platform file.
std::vector<std::vector<Regime>> to_regimes(const FitProblem& problem, const std::vector<RangeFit>& ranges);

// Returns the tests' results with these ranges: simulated, or in closed form if there is no simulation.
Result<Printed> print(const FitProblem& problem, const std::vector<RangeFit>& ranges, const Simulate& simulate);

struct Agreed {
  std::vector<Observation> tests; // with the values to which the ranges were fitted
  std::vector<RangeFit> ranges;
  Printed found;
  std::optional<double> disagreement; // between closed form and simulation, beyond the correction
};

// Fits the parameters of the ranges again and again, to curves corrected by the difference between simulation and
// closed form, until both agree. The round that fits the curves best counts. After a worse round, only a part of the
// correction is tried.
Result<Agreed> agree(const std::vector<Observation>& tests, const CalibrationOptions& options,
                     std::vector<RangeFit> ranges, const Simulate& simulate, const StepDone& step);

} // namespace kakehashi
