// Measured curves → how well a fit to half of their sizes predicts the other half.
#pragma once

#include "calibration/agreement.hpp"

namespace kakehashi {

// For each test the mean error on the sizes that a fit to every second size did not see, over both halves: of what the
// simulation prints with the regimes of that fit, if there is one. Bandwidths count from 8 B on. Nothing for a test of
// which a half would see less than two points; such a test is seen whole. Errors: those of the simulation.
Result<std::vector<std::optional<double>>> cross_validate(std::span<const Observation> tests,
                                                          const CalibrationOptions& options, const Simulate& simulate,
                                                          const StepDone& step);

} // namespace kakehashi
