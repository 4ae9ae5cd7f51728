// Scenarios with measured curves → what a run of each gives at every size.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"
#include "result/predicted_curve.hpp"

#include <span>

namespace kakehashi {

// Each scenario, which has a reference, in a process of its own. Those that cannot run are left out.
std::vector<PredictedCurve> predict_curves(std::span<const Scenario> scenarios, int jobs);

// The scenarios, which share platform and fabric, on that platform with what a calibration found in its place.
std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const CalibrationRecord& record);
std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const TunedAdjustments& tuned);

} // namespace kakehashi
