// A scenario with a measured curve → an input of calibration.
#pragma once

#include "calibration/observation.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// The path class is the index of the rule among those of the scenario's fabric. Errors: a scenario that is no test of
// two ranks with a reference, or a curve that is faster than the path can be.
Result<Observation> observe(const Scenario& scenario);

} // namespace kakehashi
