// Measured curves → how well a fit to half of their sizes predicts the other half.
#pragma once

#include "calibration/agreement.hpp"

namespace kakehashi {

// Returns for each test the mean error on the sizes that a fit to every second size did not use, over both halves. The
// prediction is simulated with the regimes of that fit, if there is a simulation. Bandwidths count from 8 B on. Nothing
// for a test of which a half would have fewer than two points; both halves use such a test completely. Errors: those of
// the simulation.
Result<std::vector<std::optional<double>>> cross_validate(std::span<const Observation> tests,
                                                          const CalibrationOptions& options, const Simulate& simulate,
                                                          const StepDone& step);

} // namespace kakehashi
