// A platform, a run, or rules → data for other programs.
#pragma once

#include "base/error.hpp"
#include "engine/options.hpp"
#include "model/decision.hpp"
#include "model/scenario.hpp"
#include "result/exported.hpp"
#include "result/rule_grid.hpp"
#include "result/traced_job.hpp"
#include "study/run/run.hpp"

namespace kakehashi {

// Returns the hosts, links and routes of a fabric for another simulator. Errors: there are more pairs of devices than a
// file with a route for each can have, or two devices that the fabric does not join.
Result<ExportedNetwork> export_network(const Platform& platform, const Fabric& fabric);

// Runs the scenario and returns the operations of its ranks, message by message; collective calls are resolved by their
// algorithms. Errors: those of a run, or an operation that traces do not have, such as a receive from any rank.
Result<TracedJob> trace_job(const Scenario& scenario, RunPlan plan);

// Returns the ranges of communicators and sizes in Open MPI's rules, each with the one rule that decides there. Errors:
// conditions that no range can have, such as ranks that are one on each node.
Result<RuleGrid> rule_grid(const CollectiveRules& rules);

} // namespace kakehashi
