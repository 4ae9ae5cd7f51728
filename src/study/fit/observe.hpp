// A scenario with a measured curve → an input of calibration.
#pragma once

#include "calibration/observation.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// The path class is the index of the rule in the scenario's fabric. Errors: the scenario is no test of two ranks with a
// reference, or the curve is faster than the path can be.
Result<Observation> observe(const Scenario& scenario);

} // namespace kakehashi
