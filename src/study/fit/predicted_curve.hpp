// Scenarios with measured curves → the predicted values at every size.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"
#include "result/predicted_curve.hpp"

#include <span>

namespace kakehashi {

// Runs each scenario, which must have a reference, in a process of its own. Scenarios that cannot run are left out.
std::vector<PredictedCurve> predict_curves(std::span<const Scenario> scenarios, int jobs);

// Returns the scenarios, which share platform and fabric, on a platform with the result of a calibration.
std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const CalibrationRecord& record);
std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const TunedAdjustments& tuned);

} // namespace kakehashi
