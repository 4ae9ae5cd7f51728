// Regimes that the closed form finds best, and a simulation → regimes that the simulation finds right.
#pragma once

#include "base/error.hpp"
#include "calibration/partition.hpp"

namespace kakehashi {

// For each test and point of its curve, in the curve's unit.
using Printed = std::vector<std::vector<double>>;

// The results of each test with these regimes (for each path class).
using Simulate = std::function<Result<Printed>(const std::vector<std::vector<Regime>>&)>;

inline constexpr int most_corrections = 8;

// The regimes of each path class, rounded as the platform file has them.
std::vector<std::vector<Regime>> to_regimes(const FitProblem& problem, const std::vector<RangeFit>& ranges);

// The tests' results with these ranges: by the simulation, or by the closed form if there is none.
Result<Printed> print(const FitProblem& problem, const std::vector<RangeFit>& ranges, const Simulate& simulate);

struct Agreed {
  std::vector<Observation> tests; // with the values that the ranges were fitted to
  std::vector<RangeFit> ranges;
  Printed found;
  std::optional<double> disagreement; // between closed form and simulation, beyond what was corrected
};

// Fits the parameters of the ranges anew to what makes the simulation right, until the closed form and the simulation
// agree. The round that meets the curves best counts; after one that is worse, only a part of the correction is tried.
Result<Agreed> agree(const std::vector<Observation>& tests, const CalibrationOptions& options,
                     std::vector<RangeFit> ranges, const Simulate& simulate, const StepDone& step);

} // namespace kakehashi
