// Measured curves and the paths that they used → regimes, and how sure they are. If a simulation is given, its results
// correct the closed form until both agree.
#pragma once

#include "base/error.hpp"
#include "calibration/partition.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

// What each test would print with these regimes (for each path class), for every point of its curve.
using Simulate = std::function<Result<std::vector<std::vector<double>>>(const std::vector<std::vector<Regime>>&)>;

// Told how many of how many steps are done.
using StepsDone = std::function<void(std::size_t done, std::size_t all)>;

// Errors: fewer than two sizes, or one regime on both sides of the rendezvous size.
Result<CalibrationRecord> calibrate(std::vector<Observation> tests, const CalibrationOptions& options,
                                    const Simulate& simulate, const StepsDone& progress = {});

} // namespace kakehashi
