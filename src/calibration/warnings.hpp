// A fit → what its user should not rely on.
#pragma once

#include "calibration/certainty.hpp"
#include "calibration/partition.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

inline constexpr double outlier = 0.25; // |error| of a point, or the mean of a curve, above which it is not met

// Curves that are faster than their links, those that are not met, what the tests cannot tell apart, regimes that rest
// on few sizes, and parameters that may be much more or less.
std::vector<std::string> warnings_of(const FitProblem& problem, const std::vector<RangeFit>& ranges,
                                     std::span<const Certainty> certainties,
                                     std::span<const CalibratedParameter> parameters,
                                     std::span<const CalibratedCurve> curves);

} // namespace kakehashi
