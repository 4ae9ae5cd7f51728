// A fit → warnings about what its user should not rely on.
#pragma once

#include "calibration/certainty.hpp"
#include "calibration/partition.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

inline constexpr double outlier = 0.25; // limit for |error| of a point, and for the mean of a curve

// Warns of curves that exceed their links, curves that are not fitted well, parameters that the tests cannot
// distinguish, regimes for few sizes, and uncertain parameters.
std::vector<std::string> warnings_of(const FitProblem& problem, const std::vector<RangeFit>& ranges,
                                     std::span<const Certainty> certainties,
                                     std::span<const CalibratedParameter> parameters,
                                     std::span<const CalibratedCurve> curves);

} // namespace kakehashi
