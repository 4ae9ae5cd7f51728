// Scenarios with measured curves → the regimes of the rules that their paths use, or the amounts of adjustments,
// checked by simulation.
#pragma once

#include "calibration/calibrate.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// Gives the scenarios, which share a platform, another platform in which no rule serves several scopes.
std::vector<RuleSplit> split_rules(std::vector<Scenario>& scenarios);

// Groups the scenarios by fabric and scope, in their order.
std::vector<std::vector<Scenario>> fitted_together(const std::vector<Scenario>& scenarios);

// The scenarios share platform, fabric and scope. Each is a benchmark of two ranks with a reference. Errors: a
// benchmark cannot be used, or a scenario cannot run.
Result<CalibrationRecord> calibrate_regimes(std::span<const Scenario> scenarios, CalibrationOptions options, int jobs,
                                            const StepsDone& progress = {});

// Fits the amounts of the adjustments with these indices by simulating the scenarios. Bandwidths count from 8 B on.
Result<TunedAdjustments> tune_adjustments(std::span<const Scenario> scenarios, const std::vector<std::size_t>& indices,
                                          int jobs);

} // namespace kakehashi
