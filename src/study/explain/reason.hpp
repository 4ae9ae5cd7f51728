// A run → the main part of its time, from its critical path.
#pragma once

#include "model/scenario.hpp"
#include "result/summary.hpp"
#include "study/run/run.hpp"

namespace kakehashi {

// Returns the kind of step with most of the critical path: computing, the cores' work for messages, or a phase of
// messages under way. For the first two it names the rank, if most of the time is at one rank; for flows it names their
// limit. `devices` are the names of the ranks' devices.
Reason main_reason(const RunSummary& summary, std::span<const std::string> devices);

struct ReasonedRun {
  RunRecord record;
  Reason reason;
};
Result<ReasonedRun> run_with_reason(const Scenario& scenario, const EngineOptions& engine = {});

} // namespace kakehashi
