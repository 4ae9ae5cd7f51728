// Measured curves and logs → a platform's parameters, and what differs from its predictions.
#pragma once

#include "base/error.hpp"
#include "calibration/calibrate.hpp"
#include "model/pairs_test.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"
#include "result/log_explanation.hpp"
#include "study/pool/pool.hpp"

#include <span>

namespace kakehashi {

// Scenarios with measured curves → the regimes of the rules that their paths use, or the amounts of adjustments,
// checked by simulation.

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

// Measured collective operations → the fields of their platform that they determine, as held-out measurements show.

// The scenarios share a platform file. Each is a benchmark of a collective operation with a reference. All fields are
// fitted together by simulation. A field that does not improve the prediction of held-out times is left out and keeps
// its value. A log is held out as a whole if all fields that move it move others, too; else each half of its sizes in
// turn. Errors: a scenario cannot run.
Result<CollectiveFit> fit_collectives(const std::vector<Scenario>& scenarios, int jobs,
                                      const StudyProgress& progress = {});

// Logs of two ranks, and the platform that they were measured on if it is known → an explanation of the logs.

// The scenarios share platform and fabric, and come from read_log_scenarios. is_known: the platform is the user's;
// otherwise nothing is simulated. Errors: the unchanged platform cannot run them.
Result<LogExplanation> explain_logs(std::span<const Scenario> scenarios, bool is_known, int jobs,
                                    const StudyProgress& progress);

// Tests of several pairs of ranks → fields of the devices that the pairs share.

// Between nodes: the message rate of adapters, and their bandwidth of both directions together. Inside a device: the
// bandwidth of its memory. Scenarios with measured windows are tests of one pair. A value is a limit if more pairs do
// not reach proportionally more, or both directions not twice one; otherwise it is only the least that the devices
// reach.
std::vector<SharedLimit> shared_limits(std::span<const PairsTest> tests, std::span<const Scenario> scenarios);

// A platform and the distance of a test of two ranks → the devices where it may have run.

struct MeasuredPairs {
  const Fabric* carrier = nullptr;
  std::vector<std::size_t> first; // two devices; empty: the fabric joins none
  std::size_t kinds = 0;          // number of different paths
};

// The pairs of devices of a scope, from the first node on; inside a node only sockets. The first fabric that joins such
// devices carries their messages; there must be a fabric.
MeasuredPairs pairs_of(const Platform& platform, std::span<const Fabric* const> fabrics, Scope scope);

// The first of the fabrics that joins two devices; the last one if none does.
const Fabric& carrier_between(const Platform& platform, std::span<const Fabric* const> fabrics, std::size_t from,
                              std::size_t to);

} // namespace kakehashi
