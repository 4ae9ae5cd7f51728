// Measured curves and the paths that they used → regimes, and how certain these are. If there is a simulation, its
// results correct the closed form until both agree.
#pragma once

#include "calibration/fit_steps.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

// Is called with the number of steps that are done, and of all steps.
using StepsDone = std::function<void(std::size_t done, std::size_t all)>;

// Errors: there are fewer than two sizes, or one regime would be on both sides of the rendezvous size.
Result<CalibrationRecord> calibrate(std::vector<Observation> tests, const CalibrationOptions& stated,
                                    const Simulate& simulate, const StepsDone& progress = {});

} // namespace kakehashi
