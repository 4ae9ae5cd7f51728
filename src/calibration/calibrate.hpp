// Measured curves and the paths that they used → regimes, and how sure they are. If a simulation is given, its results
// correct the closed form until both agree.
#pragma once

#include "calibration/agreement.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

// Told how many of how many steps are done.
using StepsDone = std::function<void(std::size_t done, std::size_t all)>;

// Errors: fewer than two sizes, or one regime on both sides of the rendezvous size.
Result<CalibrationRecord> calibrate(std::vector<Observation> tests, const CalibrationOptions& stated,
                                    const Simulate& simulate, const StepsDone& progress = {});

} // namespace kakehashi
