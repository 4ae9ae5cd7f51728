// Scenarios with measured curves → the regimes of the rules that their paths use, or the amounts of adjustments,
// checked by simulating.
#pragma once

#include "calibration/calibrate.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

// The scenarios share a platform; afterwards another one, in which no rule is used in several scopes.
std::vector<RuleSplit> split_rules(std::vector<Scenario>& scenarios);

// Those of one fabric and scope together, in their order.
std::vector<std::vector<Scenario>> fitted_together(const std::vector<Scenario>& scenarios);

// The scenarios share platform, fabric and scope; each is a benchmark of two ranks with a reference. Errors: a
// benchmark that cannot be used, or a scenario that cannot run.
Result<CalibrationRecord> calibrate_regimes(std::span<const Scenario> scenarios, CalibrationOptions options, int jobs,
                                            const StepsDone& progress = {});

// Fits what the adjustments of those indices add, by simulating the scenarios. Bandwidths count from 8 B on.
Result<TunedAdjustments> tune_adjustments(std::span<const Scenario> scenarios, const std::vector<std::size_t>& indices,
                                          int jobs);

} // namespace kakehashi
